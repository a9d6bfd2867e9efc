/**
 * Changes that concern the next actions of many leads: of the state or the steps of a mission, of the hours of an agent whose missions
 * have steps, and the suppression of a domain.
 *
 * The first leads are stored again with the change; if there are more, or others hold some of them, the rest follows in the
 * background. Whoever works on a change locks its row first and leads after that, and a change waits for no lead: it has locked its
 * mission by then, which whoever adds a lead to it waits for with the lead locked.
 */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { now, type OrganizationId } from "@svc/core"
import * as Effect from "effect/Effect"
import { noteWork } from "../background/DueWorkPg.ts"
import { texts } from "../columns.ts"

/** Leads, or addresses, that are looked at in one transaction. */
export const batch = 2_000

interface Change {
  readonly kind: "mission" | "agent" | "domain"
  readonly value: string
  readonly after: string
}

/** Whether a change concerns the leads of a mission `m`. */
const isOfMission = (sql: PgClient, { kind, value }: Pick<Change, "kind" | "value">) =>
  kind === "mission" ? sql`m.id = ${value}` : sql`m.agent_id = ${value} and m.steps <> '[]'`

/** The next leads of a change, with where to go on after them; null when these are the last. */
const nextLeads = (sql: PgClient, organizationId: OrganizationId, change: Change) => {
  const { after, kind, value } = change
  const some =
    kind !== "domain"
      ? sql`select k.lead_id as place, k.lead_id, true as is_meant from svc.missions m
          cross join lateral (
            select n.lead_id from svc.lead_missions n
            where n.organization_id = ${organizationId} and n.mission_id = m.id and n.lead_id > ${after}
            order by n.lead_id limit ${batch}) k
          where m.organization_id = ${organizationId} and ${isOfMission(sql, change)}`
      : sql`select i.value as place, i.lead_id, ${value}::text in (
            select d.domain from svc.svc_domains_above(split_part(i.value, '@', 2)) as d (domain)) as is_meant
          from svc.lead_identities i
          where i.organization_id = ${organizationId} and i.kind = 'email' and i.value > ${after}`
  return Effect.map(
    sql<{ readonly ids: ReadonlyArray<string>; readonly last: string | null }>`
      select coalesce(array_agg(s.lead_id) filter (where s.is_meant), '{}') as ids,
        case when count(*) = ${batch} then max(s.place) end as last
      from (${some} order by place limit ${batch}) s`,
    ([row]) => row ?? { ids: [], last: null }
  )
}

/** Locks leads and stores their actions again. Returns those that it has locked. */
const keep = (sql: PgClient, organizationId: OrganizationId, ids: ReadonlyArray<string>, wait = sql``) =>
  Effect.tap(
    sql<{ readonly id: string }>`
      select l.id from svc.leads l where l.organization_id = ${organizationId} and l.id = any (${texts(ids)})
      order by l.id collate "C" for no key update ${wait}`,
    // In a statement of its own, which sees all that was committed before the locks.
    (held) => sql`select svc.svc_keep_actions(${organizationId}, ${texts(held.map(({ id }) => id))})`
  )

/** Stores actions again after a change, of the first leads at once and of the others in the background. */
export const keepActionsOf = Effect.fnUntraced(function* (
  sql: PgClient,
  organizationId: OrganizationId,
  kind: Change["kind"],
  value: string
) {
  const at = yield* now
  if (kind !== "domain") {
    // Whoever has added a lead to one of them, but not committed yet, is waited for.
    const held = yield* sql`
      select 1 from svc.missions m where m.organization_id = ${organizationId} and ${isOfMission(sql, { kind, value })}
      order by m.id for update`
    if (held.length === 0) return
  }
  yield* sql`
    insert into svc.stale_actions as a (organization_id, kind, value, due_at)
    values (${organizationId}, ${kind}, ${value}, ${at}::timestamptz)
    on conflict (organization_id, kind, value) do update set after = excluded.after, due_at = excluded.due_at`
  const { ids, last } = yield* nextLeads(sql, organizationId, { kind, value, after: "" })
  const held = yield* keep(sql, organizationId, ids, sql`skip locked`)
  const isHeld = held.length === new Set(ids).size
  const isWhole = last === null && isHeld
  // An address of the domain may be added at this moment, by who has not seen the suppression.
  const dueAt = isWhole && kind === "domain" ? sql`${at}::timestamptz + interval '1 minute'` : sql`${at}::timestamptz`
  if (isWhole && kind !== "domain") {
    yield* sql`
      delete from svc.stale_actions where organization_id = ${organizationId} and kind = ${kind} and value = ${value}`
  } else {
    yield* sql`
      update svc.stale_actions set due_at = ${dueAt}, after = ${isHeld ? (last ?? "") : ""}
      where organization_id = ${organizationId} and kind = ${kind} and value = ${value}`
    yield* noteWork(sql, sql`select ${organizationId}, 'actions', ${dueAt}`)
  }
})

/** {@link LeadsRepo} `keepActions`. */
export const keepStaleActions = (sql: PgClient, organizationId: OrganizationId, at: string) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const [change] = yield* sql<Change>`
        select kind, value, after from svc.stale_actions
        where organization_id = ${organizationId} and due_at <= ${at}::timestamptz
        order by due_at, kind, value limit 1 for update skip locked`
      if (change === undefined) return false
      const { ids, last } = yield* nextLeads(sql, organizationId, change)
      yield* keep(sql, organizationId, ids)
      const isThis = sql`kind = ${change.kind} and value = ${change.value}`
      yield* last === null
        ? sql`delete from svc.stale_actions where organization_id = ${organizationId} and ${isThis}`
        : sql`update svc.stale_actions set after = ${last} where organization_id = ${organizationId} and ${isThis}`
      return true
    })
  )
