/** The result of an import for a person, and its exit code. */
import { inFlags } from "../cliTerms.ts"
import { dataOf, objectsOf, type Reply } from "../Target.ts"

const text = (value: unknown): string => String(value ?? "").replaceAll(/\p{Cc}/gu, " ")
const whole = (value: unknown): string => Number(value ?? 0).toLocaleString("en")

/** Number of rejected rows shown. */
const maxRejected = 5

const importOf = (reply: Reply): Readonly<Record<string, unknown>> => Object(dataOf(reply)["import"])

const isRunning =
  "Another upload of this file is running, or its process stopped less than 15 seconds ago. Retry in a moment."

const messageOf = ({ message, state }: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  if (state === "running") return [isRunning]
  return message == null ? [] : [inFlags(text(message), [{ name: "again", flag: "again" }])]
}

/** The report. */
export const importReport = (reply: Reply, label: string): string => {
  const found = importOf(reply)
  const rejected = objectsOf(found["refused_rows"])
  const mission = Object(found["mission"])
  const counts = ["created", "updated", "skipped", "invalid"]
    .map((name) => `${whole(found[`${name}_count`])} ${name}`)
    .join(", ")
  return [
    `${label} into ${text(mission.name)}: ${counts} (${text(found["state"])}, ${text(found["import_id"])})`,
    ...messageOf(found),
    ...rejected
      .slice(0, maxRejected)
      .map(({ message, reason, row }) => `  row ${whole(row)}: ${text(reason)} ${text(message)}`),
    ...(rejected.length > 0
      ? [`Every row with its outcome: svc import leads list ${text(found["import_id"])} --all`]
      : [])
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
