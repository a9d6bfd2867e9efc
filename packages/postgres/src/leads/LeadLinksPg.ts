/** Leads of missions in PostgreSQL, two statements for any number of leads: one locks them, one writes. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { LeadId, OrganizationId } from "@svc/core"
import { type LeadLinks, type LinkVerdict, summarizeVerdicts } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { texts } from "../columns.ts"
import { orUnavailable, retryTransaction } from "../SqlFailure.ts"
import { transacted } from "../TransactionPg.ts"
import { keepingLeads } from "./keepLeads.ts"

type Held = Omit<LinkVerdict, "isChanged"> & { readonly isMerged: boolean }

/** Keeps links in the database. */
export const leadLinksPg = (sql: PgClient): LeadLinks => {
  /** Locks the leads in the order of their ids, before any of their links. The links of a lead that was merged meanwhile have moved, so retry. */
  const hold = (organizationId: OrganizationId, leadIds: ReadonlyArray<string>) =>
    sql<Held>`
      with meant as materialized (
        select g.id as given, g.place, coalesce(l.merged_into, l.id) as lead_id
        from unnest(${[...leadIds]}::text[]) with ordinality as g (id, place)
        left join svc.leads l on l.organization_id = ${organizationId} and l.id = g.id
      ), held as materialized (
        select t.id, t.status, t.merged_into from svc.leads t
        where t.organization_id = ${organizationId} and t.id in (select lead_id from meant)
        order by t.id collate "C" for no key update
      )
      select m.given, h.id as "leadId", coalesce(h.status = 'DoNotContact', false) as "isSuppressed",
        h.merged_into is not null as "isMerged"
      from meant m left join held h on h.id = m.lead_id order by m.place
    `.pipe(Effect.flatMap((rows) => (rows.some(({ isMerged }) => isMerged) ? retryTransaction : Effect.succeed(rows))))
  const idsOf = (held: ReadonlyArray<Held>) => texts([...new Set(held.flatMap(({ leadId }) => leadId ?? []))])
  const verdictsOf = (held: ReadonlyArray<Held>, changed: ReadonlyArray<{ readonly id: LeadId }>) => {
    const ids = new Set(changed.map(({ id }) => id))
    return summarizeVerdicts(held.map((one) => ({ ...one, isChanged: one.leadId !== null && ids.has(one.leadId) })))
  }
  const keep = (organizationId: OrganizationId) =>
    keepingLeads(sql, organizationId, (changed: ReadonlyArray<{ readonly id: LeadId }>) => changed.map(({ id }) => id))
  return {
    link: (organizationId, missionId, leadIds, at) =>
      Effect.gen(function* () {
        const held = yield* hold(organizationId, leadIds)
        const added = yield* sql<{ readonly id: LeadId }>`
          insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
          select ${organizationId}, ${missionId}, g.id, ${at}::timestamptz
          from unnest(${idsOf(held.filter(({ isSuppressed }) => !isSuppressed))}) as g (id)
          on conflict (organization_id, mission_id, lead_id) do nothing
          returning lead_id as id
        `.pipe(keep(organizationId))
        return verdictsOf(held, added)
      }).pipe((linked) => transacted(sql, linked), orUnavailable),
    unlink: (organizationId, missionId, leadIds) =>
      Effect.gen(function* () {
        const held = yield* hold(organizationId, leadIds)
        const removed = yield* sql<{ readonly id: LeadId }>`
          delete from svc.lead_missions k
          where k.organization_id = ${organizationId} and k.mission_id = ${missionId} and k.lead_id = any (${idsOf(held)})
          returning k.lead_id as id
        `.pipe(keep(organizationId))
        return verdictsOf(
          held.map((one) => ({ ...one, isSuppressed: false })),
          removed
        )
      }).pipe((unlinked) => transacted(sql, unlinked), orUnavailable)
  }
}
