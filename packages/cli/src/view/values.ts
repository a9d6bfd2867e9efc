/** Values as people read them: relative times, colored states, facts of objects. */
import { isState, isTime } from "./columns.ts"

const units: ReadonlyArray<readonly [string, number]> = [
  ["y", 31_536_000],
  ["mo", 2_592_000],
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60]
]

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** A time relative to `now`, such as `2d ago` or `in 3h`; undefined for anything but a time. */
export const relativeTime = (value: unknown, now: number): string | undefined => {
  if (typeof value !== "string" || !instant.test(value)) return undefined
  const seconds = Math.round((Date.parse(value) - now) / 1_000)
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? []
  if (unit === undefined || length === undefined) return seconds > 0 ? "in <1m" : "just now"
  const span = `${Math.trunc(Math.abs(seconds) / length)}${unit}`
  return seconds > 0 ? `in ${span}` : `${span} ago`
}

const green =
  /^(ok|active|ready|sent|completed|dispatched|interested|meetingbooked|replied|approved|delivered|connected|executed|success|healthy|published|created)$/
const yellow =
  /^(pending|pending_review|queued|paused|waiting|waiting_relation|draft|running|sending|connecting|requested|new|held|warn|warning|interrupted|ready_to_send|contacted|updated)$/
const red =
  /^(failed|fail|error|errors|cancelled|rejected|denied|refused|donotcontact|notinterested|stopped|credentials|restricted|ambiguous|undone|revoked|expired|invalid|archived)$/

/** The number of a state's color in a terminal; undefined for unknown states. */
const colorOf = (state: string): number | undefined => {
  const word = state.toLowerCase()
  if (green.test(word)) return 32
  if (yellow.test(word)) return 33
  return red.test(word) ? 31 : undefined
}

/** The color of a value in a column; undefined for none. */
export const colorIn = (column: string, value: unknown): number | undefined =>
  typeof value === "string" && isState(column) ? colorOf(value) : undefined

/** A value as one line for people. Objects are the facts in them. */
export const plainValue = (column: string, value: unknown, now: number): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (Array.isArray(value)) return value.map((item) => plainValue(column, item, now)).join(", ")
  if (typeof value === "object") {
    return Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== "" && inner !== 0)
      .map(([name, inner]) => `${name}: ${plainValue(name, inner, now)}`)
      .join(", ")
  }
  return (isTime(column) ? relativeTime(value, now) : undefined) ?? String(value)
}
