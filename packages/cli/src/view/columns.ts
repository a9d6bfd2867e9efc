/** Columns of lists: names first, ids last. */
import * as Predicate from "effect/Predicate"
import type { Json } from "../Output.ts"

const words: ReadonlyMap<string, string> = new Map([
  ["id", "ID"],
  ["url", "URL"],
  ["cta", "CTA"],
  ["api", "API"],
  ["linkedin", "LinkedIn"],
  ["nav", "Navigator"],
  ...["spf", "dkim", "dmarc"].map((name) => [name, name.toUpperCase()] as const)
])

/** `linkedin_url` and `linkedinUrl` as `LinkedIn URL`; `created_at` as `Created`. */
export const labelOf = (name: string): string => {
  const parts = name
    .replace(/([a-z])(At|Count|Date)$|_(at|count|date)$/, "$1")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .split(/[_ -]+/)
    .map((part) => words.get(part.toLowerCase()) ?? (part === part.toUpperCase() ? part : part.toLowerCase()))
  const text = parts.join(" ")
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** The header of a column: of `lead.name` only LEAD, of `stats.replied` only REPLIED. */
export const headerOf = (column: string): string => {
  const parts = column.split(".")
  const last = parts.at(-1) ?? column
  const named = ["name", "handle", "kind", "leaves"].includes(last) ? (parts.at(-2) ?? last) : last
  return labelOf(named).toUpperCase()
}

/** Whether it is an id, which people read last. That of a command is its name. */
export const isId = (column: string): boolean => column !== "command_id" && /(^|[._])id$|[a-z]Id$/.test(column)

/** Whether it names something, and has to stay readable. */
export const isName = (column: string): boolean => /(^|[._])(name|handle|url|title|type)$/.test(column)

/** Whether it holds a state. */
export const isState = (column: string): boolean => /(^|[._])(state|status|outcome|risk|severity)$/.test(column)

/** Whether it holds a time. */
export const isTime = (column: string): boolean =>
  /(^|[._])(at|date|since|until|after|expires|_at)$|_at$|At$|Date$|^(last_interaction|not_before)$/.test(column)

const works = ["contacted", "sent", "rates.accepted", "rates.replied", "rates.positive"]

/** Default columns by list. Other lists show their first plain fields. */
export const usualColumns: Readonly<Record<string, ReadonlyArray<string>>> = {
  accounts: ["name", "agent_handle", "status", "tier", "account_id"],
  agents: ["handle", "firstName", "lastName", "jobTitle", "company", "timezone"],
  approvals: ["command_id", "state", "requested_by.kind", "requested_at", "expires_at", "approval_request_id"],
  days: ["date", "account.name", "messages.leaves", "invitations.leaves", "account.account_id"],
  drafts: ["lead.name", "lead.company_name", "status", "mission.handle", "updated_at", "draft_id"],
  entries: ["created_at", "actor.kind", "command_id", "subject.id", "outcome", "sequence"],
  events: ["at", "created_at", "type", "actor.kind", "data"],
  imports: ["name", "type", "state", "created_count", "updated_count", "invalid_count", "import_id"],
  items: ["lead_name", "lead.name", "why", "not_before", "leaves_at", "state", "kind", "queue_id", "item_id"],
  keys: ["name", "actor_kind", "mode", "expires_at", "revoked_at", "key_id"],
  leads: ["name", "job_title", "company", "status", "score", "lead_id"],
  mailboxes: ["email", "agent.name", "inbox_state", "usage", "domain.spf", "domain.dkim", "domain.dmarc"],
  messages: ["date", "direction", "sender_name", "subject", "content", "attachments", "mailbox", "message_id"],
  missions: ["name", "handle", "state", "stats.leads", "stats.contacted", "stats.replied", "id"],
  offers: ["name", "oneLiner", "isDraft", "updatedAt", "id"],
  runs: ["started_at", "ended_at", "actor_kind", "commands", "key_id"],
  steps: ["step", ...works],
  variations: ["variation_index", ...works],
  webhooks: ["url", "description", "is_active", "webhook_id"],
  writers: ["writer.kind", "writer.model", ...works]
}

const maxColumns = 6

/** The value at a path such as `lead.name`; undefined where there is none. */
export const valueAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, name) => (Predicate.isObject(at) ? Reflect.get(at, name) : undefined), value)

const first = (name: string) => /(^|_)name$|^handle$/.test(name)

/** The columns of a list by default: the usual ones that its rows have. */
export const columnsFor = (list: string, rows: ReadonlyArray<Json>): ReadonlyArray<string> => {
  const known = Object.hasOwn(usualColumns, list) ? usualColumns[list] : undefined
  const usual = (known ?? []).filter((column) => rows.some((row) => valueAt(row, column) !== undefined))
  if (usual.length > 1) return usual
  const names = new Set<string>()
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (typeof value !== "object" && value !== undefined) names.add(name)
    }
  }
  const shown = [...names].slice(0, maxColumns)
  const rest = shown.filter((name) => !first(name) && !isId(name))
  return [...shown.filter(first), ...rest, ...shown.filter((name) => !first(name) && isId(name))]
}

const units: ReadonlyArray<readonly [string, number]> = [
  ["y", 31_536_000],
  ["mo", 2_592_000],
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60]
]

const weekTime = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" })

/** A time in the zone of the terminal as the page shows it, such as `Mon 09:00`. */
export const dayAndTime = (at: string): string => weekTime.format(new Date(at)).replace(",", "")

/** A sentence of the service, around a time if it has an end, such as `Sends Mon 09:00, when working hours start.` */
export const sentenceOf = (summary: unknown, at: unknown): string => {
  const { end, start = "" } = Object(summary)
  return typeof end === "string" && typeof at === "string" ? `${start}${dayAndTime(at)}${end}` : start
}

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
  /^(failed|fail|error|errors|login|unreachable|cancelled|rejected|denied|refused|donotcontact|notinterested|stopped|credentials|restricted|ambiguous|undone|revoked|expired|invalid|archived)$/

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

/** What is used of a day's limit, such as `3/200 a day`. */
const usageOfDay = (windows: ReadonlyArray<Json>): string => {
  const { limit = null, used = 0 } = windows.find(({ window }) => window === "day") ?? {}
  return `${used}${limit === null ? "" : `/${limit}`} a day`
}

const percent = (part: unknown): number => Math.round(Number(part) * 100)

/** A rate with its interval, such as `25% (17-36%)`; undefined for another value. */
const rateOf = (value: object): string | undefined =>
  "rate" in value && "low" in value && "high" in value
    ? `${percent(value.rate)}% (${percent(value.low)}-${percent(value.high)}%)`
    : undefined

/** A value as one line for people. Objects are the facts in them. */
export const plainValue = (column: string, value: unknown, now: number): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (column === "usage" && Array.isArray(value)) return usageOfDay(value)
  if (Array.isArray(value)) return value.map((item) => plainValue(column, item, now)).join(", ")
  if (typeof value === "object") {
    const rate = rateOf(value)
    if (rate !== undefined) return rate
    return Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== "" && inner !== 0)
      .map(([name, inner]) => `${name}: ${plainValue(name, inner, now)}`)
      .join(", ")
  }
  return (isTime(column) ? relativeTime(value, now) : undefined) ?? String(value)
}
