/** One import: its state, counts and rejected rows. */
import { useEffect } from "preact/hooks"
import { confirm } from "../dialogs/Confirm.tsx"
import { Card, Detail, Facts, Read, useReading } from "../list/Detail.tsx"
import { EntryList } from "../list/Entries.tsx"
import { counted } from "../missions/words.ts"
import { go } from "../place/route.ts"
import { dateAndTime } from "../queue/times.ts"
import { Link } from "../screen/Link.tsx"
import { say } from "../screen/state.ts"
import { act } from "../service/act.ts"
import { base, run } from "../service/request.ts"
import type { ResultOf } from "../service/shapes.ts"
import { Name } from "../text/Prose.tsx"
import { reasonName, rowsRead, stateName, stateTone } from "./Imports.ts"

type Import = ResultOf<"import.get">["import"]

const events = /^import\./

const rowsUrl = (id: string, outcome: string): string =>
  `${base}/api/v1/imports/${encodeURIComponent(id)}/rows.csv${outcome}`

const Rejected = ({ one: { import_id, refused_rows: rows } }: { readonly one: Import }) =>
  rows.length === 0 ? null : (
    <Card title="Rejected rows">
      <EntryList
        entries={rows.map(({ position, reason }) => ({ name: `Row ${position + 1}`, about: [reasonName(reason)] }))}
      />
      <p>
        <a href={rowsUrl(import_id, "?outcome=refused")} download>
          Download the rejected rows
        </a>
      </p>
    </Card>
  )

const undo = (one: Import, again: () => void): void =>
  confirm({
    title: `Undo ${one.name}?`,
    text: "Deletes the leads that this import created and nobody has used since. Leads that were contacted, noted or changed stay.",
    button: "Delete these leads",
    onYes: () =>
      void act("import.undo", { import_id: one.import_id }, "Undone.").then((done) => {
        if (done.ok && done.held === "") say(`${counted(done.data.removed, "lead")} deleted, ${done.data.kept} kept.`)
        again()
      })
  })

const cancel = (one: Import, again: () => void): void =>
  confirm({
    title: `Cancel ${one.name}?`,
    text: "It can't be resumed. Leads that were imported stay.",
    button: "Cancel the import",
    onYes: () => void act("import.cancel", { import_id: one.import_id }, "Cancelled.").then(again)
  })

const Page = ({ again, one }: { readonly one: Import; readonly again: () => void }) => {
  const { import_id, state, type } = one
  const isOpen = state === "running" || state === "paused" || state === "interrupted" || state === "failed"
  const pause = () => {
    if (state === "running") void act("import.pause", { import_id }, "Paused.").then(again)
    else if (type === "CSV") {
      go({ item: "new" })
      say("Choose the same file again: the import continues after the last stored row.")
    } else void act("import.resume", { import_id }, "Resumed.").then(again)
  }
  return (
    <Detail
      title={one.name}
      about={
        <>
          <span class={`sign ${stateTone(state)}`}>{stateName(state)}</span>{" "}
          {state === "running" ? rowsRead(one) : one.reason}
        </>
      }
      from="imports"
      acts={[
        isOpen && { text: state === "running" ? "Pause" : "Resume", key: "p", run: pause },
        isOpen && { text: "Cancel import", run: () => cancel(one, again) },
        state !== "undone" && { text: "Undo import", run: () => undo(one, again) }
      ]}
    >
      <Card title="Result">
        <Facts
          facts={[
            ["New leads", String(one.created_count)],
            ["Changed", String(one.updated_count)],
            ["Unchanged or skipped", String(one.skipped_count)],
            ["Not valid", String(one.invalid_count)],
            ["Known leads added to the mission", one.enrolled_count > 0 && String(one.enrolled_count)],
            [
              "Mission",
              <Link key="mission" to={{ place: "missions", item: one.mission.id }}>
                <Name>{one.mission.name}</Name>
              </Link>
            ],
            ["Started", dateAndTime(one.created_at)],
            ["Ended", one.finished_at !== null && dateAndTime(one.finished_at)],
            ["Search", one.source_url],
            ["Note", one.context],
            ["Columns", one.columns.join(", ")]
          ]}
        />
        <p>
          <Link to={{ place: "leads", query: { import_id } }}>Show these leads</Link>
          {" · "}
          <a href={rowsUrl(import_id, "")} download>
            Download all rows
          </a>
        </p>
      </Card>
      <Rejected one={one} />
    </Detail>
  )
}

/** The page of an import, by its id; while it runs, it is read every two seconds. */
export const ImportDetail = ({ id }: { readonly id: string }) => {
  const { reading, refresh } = useReading(() => run("import.get", { import_id: id }), events)
  const isRunning = reading.value.data?.import.state === "running"
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => void refresh(), 2000)
    return () => clearInterval(timer)
  }, [isRunning])
  return (
    <Read reading={reading} refresh={refresh}>
      {(data) => <Page one={data.import} again={() => void refresh()} />}
    </Read>
  )
}
