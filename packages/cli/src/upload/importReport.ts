/** What `svc import csv` prints of an import, and its exit code. */
import { inFlags } from "../cliTerms.ts"
import type { Json } from "../Output.ts"
import { dataOf, objectsOf, type Reply } from "../Target.ts"

const text = (value: unknown): string => String(value ?? "").replaceAll(/\p{Cc}/gu, " ")
const whole = (value: unknown): string => Number(value ?? 0).toLocaleString("en")

/** Number of rejected rows shown. */
const maxRejected = 5

/** The import in a reply. */
export const importOf = (reply: Reply): Json => Object(dataOf(reply)["import"])

const isRunning =
  "Another upload of this file is running, or its process stopped less than 15 seconds ago. Retry in a moment."

const messageOf = ({ message, state }: Json): ReadonlyArray<string> => {
  if (state === "running") return [isRunning]
  return message == null ? [] : [inFlags(text(message), [{ name: "again", flag: "again" }])]
}

/** What the report needs to know besides the reply. */
interface ReportOptions {
  readonly label: string
  /** Known people whom the import added to the mission. */
  readonly enrolled: number
  readonly dryRun: boolean
}

/** The rows that were rejected: the first ones, how many more there are, and how to get all of them. */
const rejectedLines = (found: Json, dryRun: boolean): ReadonlyArray<string> => {
  const rejected = objectsOf(found["refused_rows"])
  const shown = rejected.slice(0, maxRejected)
  const more = Math.max(rejected.length, Number(found["invalid_count"] ?? 0)) - shown.length
  const all = `svc import leads list ${text(found["import_id"])} --outcome refused --all --jsonl > rejected.jsonl`
  return [
    ...shown.map(({ message, reason, row }) => `  row ${whole(row)}: ${text(reason)} ${text(message)}`),
    ...(more > 0 ? [`  … ${whole(more)} more`] : []),
    ...(rejected.length > 0 && !dryRun ? [`Write every rejected row to a file: ${all}`] : [])
  ]
}

/** The named columns of an import. */
const columnsOf = (found: Json) => objectsOf(found["mapping"]).filter(({ column }) => column !== "")

/** Whether every column has the name of its field, so that there is nothing to ask about. */
export const isPlain = (found: Json): boolean => columnsOf(found).every(({ match }) => match === "matched")

/** The field of each column, and the flag for one that is ignored but means something. */
export const columnLines = (found: Json): ReadonlyArray<string> =>
  columnsOf(found).map(({ column, field, header, match }) => {
    const name = text(column)
    if (match !== "ignored") return `  ${name} → ${text(field)}${match === "guessed" ? " (guessed)" : ""}`
    const hint = `looks like ${text(header)}. Add --map "${name}=${text(header)}", or --map "${name}=" if it is not.`
    return `  ${name} is ignored${header == null ? "" : `, but ${hint}`}`
  })

/** The same in one line, as counts. */
export const columnCounts = (found: Json): string => {
  const of = (wanted: string) => `${columnsOf(found).filter((column) => column["match"] === wanted).length} ${wanted}`
  return `Columns: ${["matched", "guessed", "ignored"].map(of).join(", ")}.`
}

/** The id of the import in a reply. */
export const importId = (reply: Reply): string => text(importOf(reply)["import_id"])

/** The report. A dry run has no import that could be looked up later. */
export const importReport = (reply: Reply, { dryRun, enrolled, label }: ReportOptions): string => {
  const found = importOf(reply)
  const target = `${label} into ${text(Object(found["mission"]).name)}`
  const count = (name: string) => whole(found[`${name}_count`])
  const people = enrolled === 1 ? "1 known person was" : `${whole(enrolled)} known people were`
  const added = enrolled === 0 ? "" : ` ${people} added to the mission.`
  const rest = `${count("skipped")} not changed, ${count("invalid")} invalid`
  return [
    dryRun
      ? `Dry run of ${target}: ${count("created")} would be created, ${count("updated")} updated, ${rest}. Nothing was saved.`
      : `${target}: ${count("created")} created, ${count("updated")} updated, ${rest} ` +
        `(${text(found["state"])}, ${importId(reply)}).${added}`,
    ...messageOf(found),
    ...rejectedLines(found, dryRun)
  ].join("\n")
}

const partial = 8
const wrongState = 5
const codes: Readonly<Record<string, number>> = {
  running: wrongState,
  paused: wrongState,
  cancelled: wrongState,
  undone: wrongState,
  interrupted: 6,
  failed: 1
}

/** 0 if every row was imported, 8 if some were rejected, another code if the import is not complete. */
export const importExitCode = (reply: Reply): number => {
  const found = importOf(reply)
  const code = codes[String(found["state"])] ?? 0
  if (code !== 0) return code
  return objectsOf(found["refused_rows"]).length > 0 || Number(found["invalid_count"]) > 0 ? partial : 0
}
