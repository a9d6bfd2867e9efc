/**
 * The work list in PostgreSQL: what searching leads by next action answers, but read off the few leads that can be on it.
 *
 * Each kind of action offers its first leads; the rule of `NextAction.ts` then says what each one's action is. A lead that
 * a kind offers and the rule puts under a more urgent kind takes a place there, so as many offers as places are enough.
 */
import { PgClient } from "@effect/sql-pg/PgClient"
import { NextActionsRepo, type WaitingLead } from "@svc/core/leads/NextActionsRepo"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orUnavailable } from "../SqlFailure.ts"

/** Reads the work list from the database. */
export const layer: Layer.Layer<NextActionsRepo, never, PgClient> = Layer.effect(
  NextActionsRepo,
  Effect.map(PgClient, (sql) =>
    NextActionsRepo.of({
      list: (organizationId, wanted, limit) => {
        const mission = wanted ?? null
        const isMeant = sql`(${mission}::text is null or exists (
          select 1 from lead_missions k join missions m on m.organization_id = ${organizationId} and m.id = k.mission_id
          where k.organization_id = ${organizationId} and k.lead_id = l.id
            and (m.id = ${mission}::text or m.handle = ${mission}::text)))`
        const first = sql`order by - l.score, l.id collate "C" limit ${limit}`
        return sql<WaitingLead>`
          with offered as (
            (select l.id from leads l
              where l.organization_id = ${organizationId} and l.merged_into is null
                and l.status not in ('DoNotContact', 'NotInterested')
                and l.last_inbound_at > coalesce(l.last_outbound_at, '-infinity') and ${isMeant}
              ${first})
            union
            (select l.id from leads l
              where l.organization_id = ${organizationId} and l.merged_into is null and l.status <> 'DoNotContact'
                and l.id in (
                  select q.lead_id from linkedin_queue q
                  where q.organization_id = ${organizationId} and q.state = 'ambiguous') and ${isMeant}
              ${first})
            union
            (select l.id from leads l
              where l.organization_id = ${organizationId} and l.merged_into is null and l.status <> 'DoNotContact'
                and l.id in (
                  select d.lead_id from linkedin_drafts d
                  where d.organization_id = ${organizationId} and d.status = 'PENDING_REVIEW') and ${isMeant}
              ${first})
            union
            (select l.id from leads l
              where l.organization_id = ${organizationId} and l.merged_into is null and l.status = 'New'
                and exists (
                  select 1 from lead_missions k where k.organization_id = ${organizationId} and k.lead_id = l.id)
                and not exists (
                  select 1 from linkedin_drafts d
                  where d.organization_id = ${organizationId} and d.lead_id = l.id
                    and d.status in ('PENDING_REVIEW', 'READY_TO_SEND'))
                and ${isMeant}
              ${first})
          ), ranked as (
            select l.id, l.name, l.job_title, l.company, l.status, l.score, open.id as draft_id, case
                when l.status = 'DoNotContact' then null
                when l.status <> 'NotInterested' and l.last_inbound_at > coalesce(l.last_outbound_at, '-infinity') then 0
                when exists (
                  select 1 from linkedin_queue q
                  where q.organization_id = ${organizationId} and q.lead_id = l.id and q.state = 'ambiguous') then 1
                when open.status = 'PENDING_REVIEW' then 2
                when open.status is null and l.status = 'New' and exists (
                  select 1 from lead_missions k where k.organization_id = ${organizationId} and k.lead_id = l.id) then 3
              end as rank
            from offered o
            join leads l on l.organization_id = ${organizationId} and l.id = o.id
            left join lateral (
              select d.id, d.status from linkedin_drafts d
              where d.organization_id = ${organizationId} and d.lead_id = l.id
                and d.status in ('PENDING_REVIEW', 'READY_TO_SEND')
              order by d.created_at desc, d.id collate "C" desc limit 1
            ) open on true
          ), listed as (
            select * from ranked where rank is not null order by rank, - score, id collate "C" limit ${limit}
          )
          select w.id, w.name, w.job_title as "jobTitle", w.company, w.status, w.score,
            (array['reply_waiting', 'ambiguous_send', 'draft_to_review', 'draft_missing'])[w.rank + 1] as action,
            w.draft_id as "draftId", (
              select jsonb_build_object('id', m.id, 'handle', m.handle, 'name', m.name)
              from lead_missions k join missions m on m.organization_id = ${organizationId} and m.id = k.mission_id
              where k.organization_id = ${organizationId} and k.lead_id = w.id
                and case when ${mission}::text is null then m.status <> 'ARCHIVED'
                  else m.id = ${mission}::text or m.handle = ${mission}::text end
              order by k.linked_at desc, m.id collate "C" desc limit 1
            ) as mission
          from listed w
          order by w.rank, - w.score, w.id collate "C"
        `.pipe(orUnavailable)
      }
    })
  )
)
