/** The place of the imports: bring people in, and see what came of it. */
import { useEffect } from "preact/hooks"
import { askForm } from "../form/askForm.tsx"
import type { Field } from "../form/values.ts"
import { basisFields } from "../leads/facts.ts"
import { Acts } from "../list/Acts.tsx"
import { Filters } from "../list/Filters.tsx"
import { ListDetail } from "../list/ListDetail.tsx"
import { type RowContent, Sign } from "../list/Row.tsx"
import { newInputOf } from "../missions/fields.ts"
import { listing, pageOf } from "../place/Listing.ts"
import { go, type Query, route, showItem } from "../place/route.ts"
import { shortAge } from "../queue/times.ts"
import { say } from "../screen/state.ts"
import { missions, readNames, readOwn } from "../service/names.ts"
import { run } from "../service/request.ts"
import type { InputOf } from "../service/shapes.ts"
import { ImportDetail } from "./ImportDetail.tsx"
import { type Import, outcomes, stateName, states, stateTone } from "./Imports.ts"
import { NewImport } from "./NewImport.tsx"

const filterOf = ({ mission_id, state }: Query): InputOf<"import.list"> => ({
  ...(mission_id === undefined ? {} : { mission_id }),
  ...(state === undefined ? {} : { state: state as Import["state"] })
})

const imports = listing<Import>(
  ({ import_id }) => import_id,
  /^import\./,
  async (query, page) => pageOf(await run("import.list", { ...filterOf(query), ...page }), "imports")
)

const importRow = (one: Import): RowContent => ({
  name: one.name,
  company: one.mission.name,
  when: shortAge(one.created_at, Date.now()),
  signs: one.state !== "completed" && <Sign tone={stateTone(one.state)}>{stateName(one.state)}</Sign>,
  preview: outcomes(one)
})

/** Asks for a search in Sales Navigator to import. */
const fromSearch = (): void => {
  if (missions.value.length === 0) {
    say("Create a mission first: people are imported into a mission.")
    return
  }
  const fields: ReadonlyArray<Field> = [
    { name: "url", label: "URL of the search", kind: "url", required: true, autofocus: true },
    { name: "mission_id", label: "Mission", kind: "choice", options: missions.value },
    { name: "limit", label: "People at most", kind: "number", min: 1, max: 2_500, required: true },
    ...basisFields
  ]
  askForm({
    id: "import search",
    title: "Import a Sales Navigator search",
    submit: "Import",
    isNew: true,
    fields,
    values: { mission_id: missions.value[0]?.[0] ?? "", limit: "100" },
    onSubmit: (values, _, key) => {
      const input = { ...newInputOf(fields, values), wait_seconds: 0 } as InputOf<"import.sales-nav.search">
      return run("import.sales-nav.search", input, { key })
    },
    done: "The import is running.",
    onDone: ({ import_id }) => go({ item: import_id })
  })
}

/** The place. It begins with a new import. */
export const ImportPlace = () => {
  useEffect(() => {
    void Promise.all([readNames(), readOwn()])
    if (route.peek().item === undefined) showItem("new", "replace")
  }, [])
  return (
    <ListDetail
      label="Imports"
      list={imports}
      row={importRow}
      empty="No imports yet."
      detail={(id) => (id === "new" ? <NewImport /> : <ImportDetail id={id} />)}
      tools={
        <>
          <Acts
            acts={[
              { text: "New import", key: "n", run: () => showItem("new") },
              { text: "From Sales Navigator", key: "l", run: fromSearch }
            ]}
          />
          <Filters
            usual={[
              { name: "mission_id", label: "Mission", options: [["", "All missions"], ...missions.value] },
              { name: "state", label: "State", options: [["", "Any state"], ...Object.entries(states)] }
            ]}
          />
        </>
      }
    />
  )
}
