/** Leads of missions in PostgreSQL, one statement for any number of leads. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import { type LeadLinks, type LinkVerdict, summarizeVerdicts } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { orUnavailable, retryTransaction } from "../SqlFailure.ts"
import { keepingLeads } from "./keepLeads.ts"

/** Keeps links in the database. */
export const leadLinksPg = (sql: PgClient): LeadLinks => {
  /** Locks the leads in the order of their ids, before any of their links. */
  const live = (organizationId: OrganizationId, leadIds: ReadonlyArray<string>) => sql`
      meant as materialized (
        select g.id as given, g.place, coalesce(l.merged_into, l.id) as lead_id
        from unnest(${[...leadIds]}::text[]) with ordinality as g (id, place)
        left join svc.leads l on l.organization_id = ${organizationId} and l.id = g.id
      ), held as materialized (
        select t.id, t.status, t.merged_into from svc.leads t
        where t.organization_id = ${organizationId} and t.id in (select lead_id from meant)
        order by t.id collate "C" for no key update
      ), live as (
        select m.given, m.place, h.id as lead_id, coalesce(h.status = 'DoNotContact', false) as is_suppressed,
          h.merged_into is not null as is_merged
        from meant m left join held h on h.id = m.lead_id
      )
    `
  /** The links of a lead that was merged in the meantime have moved, so retry. */
  const verdictsOf = (rows: ReadonlyArray<LinkVerdict & { readonly isMerged: boolean }>) =>
    rows.some(({ isMerged }) => isMerged) ? retryTransaction : Effect.succeed(summarizeVerdicts(rows))
  const keep = (organizationId: OrganizationId) =>
    keepingLeads(sql, (rows: ReadonlyArray<LinkVerdict>) => ({
      organizationId,
      leadIds: rows.flatMap(({ isChanged, leadId }) => (isChanged && leadId !== null ? [leadId] : []))
    }))
  return {
    link: (organizationId, missionId, leadIds, at) =>
      sql<LinkVerdict & { readonly isMerged: boolean }>`
          with ${live(organizationId, leadIds)}, added as (
            insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
            select distinct ${organizationId}, ${missionId}, lead_id, ${at}::timestamptz from live
            where lead_id is not null and not is_suppressed
            on conflict (organization_id, mission_id, lead_id) do nothing
            returning lead_id
          )
          select v.given, v.lead_id as "leadId", v.is_suppressed as "isSuppressed", a.lead_id is not null as "isChanged",
            v.is_merged as "isMerged"
          from live v left join added a on a.lead_id = v.lead_id order by v.place
        `.pipe(keep(organizationId), orUnavailable, Effect.flatMap(verdictsOf)),
    unlink: (organizationId, missionId, leadIds) =>
      sql<LinkVerdict & { readonly isMerged: boolean }>`
          with ${live(organizationId, leadIds)}, removed as (
            delete from svc.lead_missions k using (select distinct lead_id from live where lead_id is not null) v
            where k.organization_id = ${organizationId} and k.mission_id = ${missionId} and k.lead_id = v.lead_id
            returning k.lead_id
          )
          select v.given, v.lead_id as "leadId", false as "isSuppressed", r.lead_id is not null as "isChanged",
            v.is_merged as "isMerged"
          from live v left join removed r on r.lead_id = v.lead_id order by v.place
        `.pipe(keep(organizationId), orUnavailable, Effect.flatMap(verdictsOf))
  }
}
