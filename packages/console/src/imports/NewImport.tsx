/** A file on its way into a mission: drop it, see how its columns are read, and import it. */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { askForm } from "../form/askForm.tsx"
import { Choice } from "../form/Choice.tsx"
import { FieldView } from "../form/Field.tsx"
import { basisFields } from "../leads/facts.ts"
import { Acts } from "../list/Acts.tsx"
import { Card, Detail } from "../list/Detail.tsx"
import { Table } from "../list/Table.tsx"
import { counted } from "../missions/words.ts"
import { missions, ownFields, readNames } from "../service/names.ts"
import { run } from "../service/request.ts"
import { Name } from "../text/Prose.tsx"
import { columnFields, fieldName } from "./fields.ts"
import { type Chosen, change, chooseFile, chosen, defaults, fieldsOf, upload, uploaded } from "./file.ts"

const isOver = signal(false)

const pick = () => document.querySelector<HTMLInputElement>("#import-file")?.click()

const Picker = () => (
  <input
    id="import-file"
    class="hidden"
    type="file"
    tabIndex={-1}
    aria-label="CSV file"
    accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
    onChange={({ currentTarget }) => {
      const [file] = currentTarget.files ?? []
      if (file !== undefined) void chooseFile(file)
      currentTarget.value = ""
    }}
  />
)

/** Takes a file that is dropped anywhere in the window, which the browser would open otherwise. */
const useDrop = () =>
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault()
      isOver.value = event.type === "dragover"
      const [file] = event.type === "drop" ? (event.dataTransfer?.files ?? []) : []
      if (file !== undefined) void chooseFile(file)
    }
    const types = ["dragover", "dragleave", "drop"] as const
    for (const type of types) addEventListener(type, over)
    return () => {
      for (const type of types) removeEventListener(type, over)
    }
  }, [])

/** Asks for the name of a mission and makes it. */
const newMission = () =>
  askForm({
    id: "import mission",
    title: "New mission",
    submit: "Create",
    fields: [{ name: "name", label: "Name", required: true, maxLength: 200, autofocus: true }],
    onSubmit: ({ name }, _, key) => run("mission.create", { name: String(name) }, { key }),
    done: "Mission created. It is a draft until it has an agent.",
    onDone: ({ mission }) => {
      void readNames()
      void change({ mission: mission.id })
    }
  })

const Mission = ({ mission }: Chosen) => (
  <Card title="Mission">
    <div class="line">
      <Choice
        label="Mission"
        value={mission}
        options={[["", "Choose a mission"], ...missions.value]}
        onChange={(value) => void change({ mission: value })}
      />
      <button type="button" onClick={newMission}>
        New mission
      </button>
    </div>
    {basisFields.map((field) => (
      <FieldView
        key={field.name}
        id={`import ${field.name}`}
        field={{ ...field, label: `${field.label} of rows without one` }}
        value={defaults.value[field.name] ?? ""}
        onChange={(name, value) => (defaults.value = { ...defaults.value, [name]: value })}
      />
    ))}
  </Card>
)

const matchNames = { matched: "Matched", guessed: "Guessed", ignored: "Ignored" }

const Columns = (file: Chosen) => {
  const { head, mapping, tried } = file
  const fields = fieldsOf(file)
  return (
    <Card title={`Columns (${head.columns.length})`} name="Columns">
      <Table label="Columns of the file" head={["Column, first value", "Becomes", "How"]}>
        {head.columns.map((column, index) => {
          const found = tried?.mapping[index]
          const field = fields[index] ?? null
          const match = field === null ? "ignored" : column in mapping ? "matched" : (found?.match ?? "ignored")
          return (
            <tr key={`${index}`}>
              <th scope="row">
                <Name>{column}</Name>
                <p class="quiet small">
                  <Name>{head.rows.find((row) => row[index])?.[index]?.slice(0, 60)}</Name>
                </p>
              </th>
              <td>
                <Choice
                  label={`Field of ${column}`}
                  value={field ?? ""}
                  options={[["", "Ignore"], ...columnFields(ownFields.value)]}
                  onChange={(value) => void change({ mapping: { ...mapping, [column]: value || null } })}
                />
              </td>
              <td>
                <span class="sign">{matchNames[match]}</span>
                {found?.header != null && field === null && (
                  <p class="quiet small">Looks like {fieldName(found.header).toLowerCase()}</p>
                )}
              </td>
            </tr>
          )
        })}
      </Table>
    </Card>
  )
}

const Preview = ({ tried }: Chosen) => {
  const { preview = [], refused_rows: refused = [] } = tried ?? {}
  const shown = [...new Set(preview.flatMap((row) => Object.keys(row)))]
  const problems = new Map(refused.map(({ message, row }) => [row, message]))
  const hasProblems = preview.some((_, index) => problems.has(index + 1))
  return shown.length === 0 ? null : (
    <Card
      title={`First ${counted(preview.length, "row")} as ${preview.length === 1 ? "a lead" : "leads"}`}
      name="Preview"
    >
      <Table
        label="Rows as they would be stored"
        head={["Row", ...shown.map((field) => fieldName(field, ownFields.value)), ...(hasProblems ? ["Problem"] : [])]}
      >
        {preview.map((row, index) => (
          <tr key={`${index}`}>
            <th scope="row">{index + 1}</th>
            {shown.map((field) => (
              <td key={field}>
                <Name>{String(row[field] ?? "").slice(0, 120)}</Name>
              </td>
            ))}
            {hasProblems && <td class={problems.has(index + 1) ? "error" : ""}>{problems.get(index + 1)}</td>}
          </tr>
        ))}
      </Table>
    </Card>
  )
}

const size = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`

const File = (file: Chosen) => {
  const seen = uploaded.value
  const isBusy = seen !== undefined
  return (
    <Detail
      title={file.file.name}
      about={size(file.file.size)}
      from="imports"
      acts={[
        {
          text: isBusy ? "Importing…" : "Import",
          key: "s",
          isPrimary: true,
          isOff: isBusy,
          run: () => void upload()
        },
        { text: "Another file", key: "c", isOff: isBusy, run: pick },
        { text: "Discard", isOff: isBusy, run: () => (chosen.value = undefined) }
      ]}
      beside={
        isBusy && (
          <span role="status" class="quiet">
            {counted(seen, "row")} read
          </span>
        )
      }
    >
      <Mission {...file} />
      {file.problem !== undefined && (
        <p class="form-problem error" role="alert">
          {file.problem}
        </p>
      )}
      {file.mission !== "" && <Columns {...file} />}
      {file.mission !== "" && <Preview {...file} />}
    </Detail>
  )
}

/** The page of a new import. */
export const NewImport = () => {
  useDrop()
  return (
    <>
      <Picker />
      {chosen.value === undefined ? (
        <Detail
          title="Import a list"
          about="CSV from a spreadsheet or another tool. Nothing is sent to anybody."
          from="imports"
        >
          <div class={`drop stack${isOver.value ? " over" : ""}`}>
            <p>Drop a CSV file here</p>
            <Acts acts={[{ text: "Choose a file", key: "c", isPrimary: true, run: pick }]} />
            <p class="quiet small">The first line names the columns: email, LinkedIn profile, name, company…</p>
          </div>
        </Detail>
      ) : (
        <File {...chosen.value} />
      )}
    </>
  )
}
