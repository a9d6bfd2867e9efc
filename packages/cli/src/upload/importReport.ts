/** What became of a file, for a person at the terminal, and the exit code that says the same to a program. */
import { dataOf, type Reply } from "../Target.ts"

const text = (value: unknown): string => String(value ?? "").replaceAll(/\p{Cc}/gu, " ")
const whole = (value: unknown): string => Number(value ?? 0).toLocaleString("en")

/** How many refused rows are shown. */
const shownRefusals = 5

const importOf = (reply: Reply): Readonly<Record<string, unknown>> => Object(dataOf(reply)["import"])

const refusalsOf = (found: Readonly<Record<string, unknown>>): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const list = found["refused_rows"]
  return Array.isArray(list) ? list : []
}

const isRunning =
  "Another upload of this file is running, or its process died less than 15 seconds ago. Run the same command again in a moment."

const messageOf = ({ message, state }: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  if (state === "running") return [isRunning]
  return message == null ? [] : [text(message).replace("Send again: true", "Use --again")]
}

/** The lines that tell it. */
export const importReport = (reply: Reply, label: string): string => {
  const found = importOf(reply)
  const refusals = refusalsOf(found)
  const mission = Object(found["mission"])
  const counts = ["created", "updated", "skipped", "invalid"]
    .map((name) => `${whole(found[`${name}_count`])} ${name}`)
    .join(", ")
  return [
    `${label} into ${text(mission.name)}: ${counts} (${text(found["state"])}, ${text(found["import_id"])})`,
    ...messageOf(found),
    ...refusals
      .slice(0, shownRefusals)
      .map(({ message, reason, row }) => `  row ${whole(row)}: ${text(reason)} ${text(message)}`),
    ...(refusals.length > 0
      ? [`Every row with its outcome: GET /api/v1/imports/${text(found["import_id"])}/rows.csv`]
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

/** 0 when every row was taken, 8 when some were refused; another code when the import did not come to its end. */
export const importExitCode = (reply: Reply): number => {
  const found = importOf(reply)
  const code = codes[String(found["state"])] ?? 0
  if (code !== 0) return code
  return refusalsOf(found).length > 0 || Number(found["invalid_count"]) > 0 ? partial : 0
}
