/** Leads of missions in PostgreSQL: one statement however many leads. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { LeadLinksRepo, type LinkVerdict, sumOfVerdicts } from "@svc/core/leads/LeadLinksRepo"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orUnavailable } from "../SqlFailure.ts"

/** Keeps links in the database. */
export const layer: Layer.Layer<LeadLinksRepo, never, PgClient> = Layer.effect(
  LeadLinksRepo,
  Effect.map(PgClient, (sql) => {
    const live = (organizationId: string, leadIds: ReadonlyArray<string>) => sql`
      select g.id as given, g.place, t.id as lead_id, coalesce(t.status = 'DoNotContact', false) as is_suppressed
      from unnest(${[...leadIds]}::text[]) with ordinality as g (id, place)
      left join leads l on l.organization_id = ${organizationId} and l.id = g.id
      left join leads t on t.organization_id = ${organizationId} and t.id = coalesce(l.merged_into, l.id)
    `
    return LeadLinksRepo.of({
      add: (organizationId, missionId, leadIds, at) =>
        sql<LinkVerdict>`
          with live as (${live(organizationId, leadIds)}), added as (
            insert into lead_missions (organization_id, mission_id, lead_id, linked_at)
            select distinct ${organizationId}, ${missionId}, lead_id, ${at}::timestamptz from live
            where lead_id is not null and not is_suppressed
            on conflict (organization_id, mission_id, lead_id) do nothing
            returning lead_id
          )
          select v.given, v.lead_id as "leadId", v.is_suppressed as "isSuppressed", a.lead_id is not null as "isChanged"
          from live v left join added a on a.lead_id = v.lead_id order by v.place
        `.pipe(orUnavailable, Effect.map(sumOfVerdicts)),
      remove: (organizationId, missionId, leadIds) =>
        sql<LinkVerdict>`
          with live as (${live(organizationId, leadIds)}), removed as (
            delete from lead_missions k using (select distinct lead_id from live where lead_id is not null) v
            where k.organization_id = ${organizationId} and k.mission_id = ${missionId} and k.lead_id = v.lead_id
            returning k.lead_id
          )
          select v.given, v.lead_id as "leadId", false as "isSuppressed", r.lead_id is not null as "isChanged"
          from live v left join removed r on r.lead_id = v.lead_id order by v.place
        `.pipe(orUnavailable, Effect.map(sumOfVerdicts))
    })
  })
)
