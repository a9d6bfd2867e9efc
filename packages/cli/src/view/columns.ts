/** Columns of lists: names first, ids last. */
import * as Predicate from "effect/Predicate"
import { isId } from "./labels.ts"

/** Default columns by list. Other lists show their first plain fields. */
export const usualColumns: Readonly<Record<string, ReadonlyArray<string>>> = {
  accounts: ["name", "agent_handle", "status", "tier", "account_id"],
  agents: ["handle", "firstName", "lastName", "jobTitle", "company", "timezone"],
  approvals: ["command_id", "state", "requested_by.kind", "requested_at", "expires_at", "approval_request_id"],
  drafts: ["lead.name", "lead.company_name", "status", "mission.handle", "updated_at", "draft_id"],
  entries: ["created_at", "actor.kind", "command_id", "subject.id", "outcome", "sequence"],
  events: ["at", "created_at", "type", "actor.kind", "data"],
  imports: ["name", "type", "state", "created_count", "updated_count", "invalid_count", "import_id"],
  keys: ["name", "actor_kind", "mode", "expires_at", "revoked_at", "key_id"],
  leads: ["name", "job_title", "company", "status", "score", "lead_id"],
  missions: ["name", "handle", "state", "stats.leads", "stats.contacted", "stats.replied", "id"],
  offers: ["name", "oneLiner", "isDraft", "updatedAt", "id"],
  runs: ["started_at", "ended_at", "actor_kind", "commands", "key_id"],
  webhooks: ["url", "description", "is_active", "webhook_id"]
}

const maxColumns = 6

type Row = Readonly<Record<string, unknown>>

/** The value at a path such as `lead.name`; undefined where there is none. */
export const valueAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, name) => (Predicate.isObject(at) ? Reflect.get(at, name) : undefined), value)

const first = (name: string) => /(^|_)name$|^handle$/.test(name)

/** The columns of a list by default: the usual ones that its rows have. */
export const columnsFor = (list: string, rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
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
