/**
 * Transmissions as JSON in the form of their TypeScript types, so that statements accept and return them unchanged. Aliases:
 * q is a transmission, p its sender.
 */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import { snakeCase } from "@svc/core/internal"
import type { Fragment } from "effect/sql/Statement"

/** Fields with a column, by its type; all other fields are in `details`. */
const fieldsByType = {
  text: ["organizationId", "id", "kind", "agentId", "accountId", "leadId", "draftId", "missionId", "state", "reason"],
  boolean: ["bypass"],
  integer: ["attempts", "failures"],
  timestamptz: ["notBefore", "expiresAt", "createdAt", "updatedAt"]
}
const saved = Object.entries(fieldsByType).flatMap(([type, names]) => names.map((field) => ({ field, type })))
/** Other statements write leases. */
const columns = [...saved.map(({ field }) => field), "leaseUntil", "fence"]
const changing = saved
  .map(({ field }) => snakeCase(field))
  .filter((column) => !["organization_id", "id", "kind", "agent_id", "created_at"].includes(column))

/** An instant as ISO 8601 text. */
export const instant = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** An object of fields and expressions. */
export const object = (fields: Readonly<Record<string, string>>): string =>
  `jsonb_build_object(${Object.entries(fields)
    .map(([field, value]) => `'${field}', ${value}`)
    .join(", ")})`

/** Fields of the columns that have their names; the names of instants end in `At`, `Before` or `Until`. */
export const fieldsOf = (alias: string, names: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.map((name) => {
      const column = `${alias}.${snakeCase(name)}`
      return [name, /(At|Before|Until)$/.test(name) ? instant(column) : column]
    })
  )

/** A row q. */
export const rowJson = `q.details || ${object(fieldsOf("q", columns))}`

const kindHold = (kind: string): string =>
  object({
    pacedUntil: instant(`p.${kind}_paced_until`),
    pacedReason: `p.${kind}_paced_reason`,
    recheckAt: instant(`p.${kind}_look_at`),
    stoppedUntil: instant(`p.${kind}_stopped_until`)
  })

/** What pauses a sender p; null without a row. */
const hold = { nextAt: instant("p.next_at"), message: kindHold("message"), invitation: kindHold("invitation") }

/** An account c. */
export const accountJson = object({
  ...fieldsOf("c", ["organizationId", "id", "agentId", "gateway", "gatewayAccountId"]),
  ...fieldsOf("c", ["status", "tier", "features", "createdAt", "updatedAt"])
})

const paceOf = (own: Readonly<Record<"accountId" | "tier", string>>): string =>
  object({
    ...hold,
    limits: "coalesce(p.limits, '{}')",
    ramp: "coalesce(p.ramp, true)",
    ...own,
    ...fieldsOf("c", ["createdAt"]),
    timezone: "a.profile -> 'timezone'",
    workingHours: "a.profile -> 'workingHours'",
    smart: "a.profile -> 'smartDeliverability'"
  })

/** The pace of an account c of an agent a, and of a mailbox c. */
export const factsJson = paceOf({ accountId: "c.id", tier: "c.tier" })
export const mailboxJson = paceOf({ accountId: "c.email_key", tier: "'FREE'" })

/** An attempt t, and a queued row q with its lead l. */
export const doneJson = object({ action: "t.action", at: instant("t.started_at") })
export const waitingJson = object({
  ...fieldsOf("q", ["id", "kind", "bypass", "notBefore"]),
  leadTimezone: "nullif(l.profile ->> 'timezone', '')",
  action: "case when q.details ->> 'note' is null then q.kind else 'invitation_with_note' end"
})

/** A relation r. */
export const relationJson = object(
  fieldsOf("r", ["organizationId", "accountId", "leadId", "connected", "chatId", "invitedAt", "checkedAt"])
)

/** A lead l, an agent a, and a mission m, which may be none. */
export const personJson = {
  ...fieldsOf("l", ["id", "name", "company", "linkedinUrl", "status", "lastInboundAt", "lastOutboundAt", "awayUntil"]),
  wasWritten: "l.last_outbound_at is not null",
  lawfulBasis: "coalesce(l.profile ->> 'lawfulBasis', '')",
  timezone: "coalesce(l.profile ->> 'timezone', '')"
}
export const senderJson = {
  id: "a.id",
  handle: "a.handle",
  name: "trim(a.first_name || ' ' || a.last_name)",
  deleted: "a.deleted_at is not null"
}
/** An agent with its hours. */
export const agentJson = {
  ...senderJson,
  timezone: "a.profile -> 'timezone'",
  workingHours: "a.profile -> 'workingHours'"
}
const mission = object(fieldsOf("m", ["id", "handle", "name", "status", "steps"]))
export const missionJson = `case when m.id is not null then ${mission} end`

/** Views of q: l is its lead, a its agent, m its mission or that of its draft d. `:organization` stands for the organization. */
const view = `
  select ${object({
    row: rowJson,
    lead: object({ ...personJson, email: "l.email" }),
    agent: object({
      ...agentJson,
      addresses: "jsonb_path_query_array(a.profile, '$.emailAccounts[*].email')"
    }),
    mission: missionJson,
    rules: "coalesce((select o.policy from svc.organizations o where o.id = q.organization_id), '{}')",
    hold: object(hold),
    position: `case when q.kind = 'message' and q.state in ('queued', 'waiting_relation') then (
      select 1 + count(*)::int from svc.transmissions o
      where o.organization_id = :organization and o.sender_id = q.sender_id and o.kind = q.kind
        and o.state in ('queued', 'waiting_relation')
        and (not o.bypass, o.not_before, o.id collate "C") < (not q.bypass, q.not_before, q.id collate "C")) end`
  })} as view
  from svc.transmissions q
  join svc.leads l on l.organization_id = q.organization_id and l.id = q.lead_id
  join svc.agents a on a.organization_id = q.organization_id and a.id = q.agent_id
  left join svc.linkedin_drafts d on d.organization_id = q.organization_id and d.id = q.draft_id
  left join svc.missions m on m.organization_id = q.organization_id and m.id = coalesce(q.mission_id, d.mission_id)
  left join svc.senders p on p.organization_id = q.organization_id and p.sender_id = q.sender_id`

const [viewHead = "", viewRest = ""] = view.split(":organization")

/** Selects views of q in an organization. */
export const selectView = (sql: PgClient, organizationId: OrganizationId): Fragment =>
  sql`${sql.literal(viewHead)}${organizationId}${sql.literal(viewRest)}`

/** Stores a JSON list of rows e. The lease ends unless the row is being sent. */
export const insertRows = `
  insert into svc.transmissions as q (${saved.map(({ field }) => snakeCase(field)).join(", ")}, details)
  select ${saved.map(({ field }) => `r."${field}"`).join(", ")}, e.value - '{${columns.join()}}'::text[]
  from given, jsonb_array_elements(given.list) e,
    jsonb_to_record(e.value) as r (${saved.map(({ field, type }) => `"${field}" ${type}`).join(", ")})
  where r."organizationId" = given.organization_id
  on conflict (organization_id, id) do update set ${changing.map((column) => `${column} = excluded.${column}`).join(", ")},
    details = excluded.details,
    lease_until = case when excluded.state = 'sending' then q.lease_until end
  where q.organization_id = excluded.organization_id`

/** What stored rows make due; `DueWorkPg.ts` reads the same from the tables. */
export const savedWorkRows = `
  select organization_id, case when state = 'ambiguous' then 'outcomes' when kind = 'email' then 'emails' else 'linkedin' end,
    min(case when state = 'in_review' then expires_at else not_before end)
  from saved where state in ('queued', 'waiting_relation', 'ambiguous', 'in_review') group by 1, 2
  having min(case when state = 'in_review' then expires_at else not_before end) is not null order by 2`
