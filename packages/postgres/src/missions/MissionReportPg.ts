/** Reports of missions in PostgreSQL. The rule is that of `missionActivity.ts`. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { type MissionActivity, MissionReportRepo, type WaitingMessages } from "@svc/core/missions/MissionReportRepo"
import { statusGroups } from "@svc/core/missions/missionActivity"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orUnavailable } from "../SqlFailure.ts"

const none: WaitingMessages = { toReview: 0, held: 0, bypassing: 0, ambiguous: 0 }

const contacted = [...statusGroups.contacted]
const replied = [...statusGroups.replied]
const positive = [...statusGroups.positive]
const meetings = [...statusGroups.meetings]

/** Reads reports from the database. */
export const layer: Layer.Layer<MissionReportRepo, never, PgClient> = Layer.effect(
  MissionReportRepo,
  Effect.map(PgClient, (sql) =>
    MissionReportRepo.of({
      waiting: (organizationId, missionId) =>
        sql<WaitingMessages>`
          select (count(*) filter (where d.status = 'PENDING_REVIEW'))::int as "toReview",
            (count(*) filter (where d.status = 'READY_TO_SEND'
              and (q.id is null or (q.state in ('queued', 'waiting_relation') and not q.bypass))))::int as held,
            (count(*) filter (where d.status = 'READY_TO_SEND'
              and q.state in ('queued', 'waiting_relation') and q.bypass))::int as bypassing,
            (count(*) filter (where d.status = 'READY_TO_SEND' and q.state = 'ambiguous'))::int as ambiguous
          from linkedin_drafts d
          left join linkedin_queue q on q.organization_id = ${organizationId} and q.id = d.queue_item_id
          where d.organization_id = ${organizationId} and d.mission_id = ${missionId}
            and d.status in ('PENDING_REVIEW', 'READY_TO_SEND')
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => row ?? none)
        ),
      activity: (organizationId, idOrHandle, { from = null, to = null, unit }) => {
        /** Counts the instants of a column by period, each branch for itself, so that no row is carried further. */
        const counted = (column: string) => {
          const at = sql.literal(column)
          return {
            period: sql`date_trunc(${unit}::text, ${at} at time zone 'UTC') as period, count(*)::int as count`,
            within: sql`${at} is not null and (${from}::timestamptz is null or ${at} >= ${from}::timestamptz)
              and (${to}::timestamptz is null or ${at} < ${to}::timestamptz)`
          }
        }
        const [linked, first, answer, good, meeting] = [
          counted("linked_at"),
          counted("contacted_at"),
          counted("replied_at"),
          counted("positive_at"),
          counted("meetings_at")
        ] as const
        const [message, draft, event] = [counted("t.date"), counted("d.created_at"), counted("e.created_at")] as const
        return sql<MissionActivity>`
          with mission as (
            select id, handle, name, status from missions
            where organization_id = ${organizationId} and (id = ${idOrHandle} or handle = ${idOrHandle})
          ), link as materialized (
            select lead_id, linked_at from lead_missions
            where organization_id = ${organizationId} and mission_id = (select id from mission)
          ), reached as materialized (
            -- Whoever is in any group is among the contacted, and most leads of a large mission are in none. Both this and
            -- the next are read off an index alone, and joined to the mission as a whole.
            select id, status from leads
            where organization_id = ${organizationId} and merged_into is null and status = any (${contacted}::text[])
          ), speaking as materialized (
            select id from leads
            where organization_id = ${organizationId} and merged_into is null
              and (last_inbound_at is not null or last_outbound_at is not null)
          ), answered as materialized (
            select link.lead_id, link.linked_at, reached.status from link join reached on reached.id = link.lead_id
          ), talk as materialized (
            select link.lead_id, link.linked_at from link join speaking on speaking.id = link.lead_id
          ), entered as (
            select e.subject_id as lead_id,
              min(e.created_at) filter (where e.data ->> 'to' = any (${contacted}::text[])) as contacted_at,
              min(e.created_at) filter (where e.data ->> 'to' = any (${replied}::text[])) as replied_at,
              min(e.created_at) filter (where e.data ->> 'to' = any (${positive}::text[])) as positive_at,
              min(e.created_at) filter (where e.data ->> 'to' = any (${meetings}::text[])) as meetings_at
            from events e
            where e.organization_id = ${organizationId} and e.type = 'lead.status_changed'
              and e.subject_id in (select lead_id from answered)
            group by e.subject_id
          ), member as materialized (
            select a.lead_id,
              greatest(a.linked_at, e.contacted_at) as contacted_at,
              case when a.status = any (${replied}::text[])
                then greatest(a.linked_at, e.replied_at) end as replied_at,
              case when a.status = any (${positive}::text[])
                then greatest(a.linked_at, e.positive_at) end as positive_at,
              case when a.status = any (${meetings}::text[])
                then greatest(a.linked_at, e.meetings_at) end as meetings_at
            from answered a
            left join entered e on e.lead_id = a.lead_id
          ), counted (kind, period, count) as (
            select 'leads', ${linked.period} from link where ${linked.within} group by 2
            union all
            select 'contacted', ${first.period} from member where ${first.within} group by 2
            union all
            select 'replied', ${answer.period} from member where ${answer.within} group by 2
            union all
            select 'positive', ${good.period} from member where ${good.within} group by 2
            union all
            select 'meetings', ${meeting.period} from member where ${meeting.within} group by 2
            union all
            select case t.direction when 'inbound' then 'messages_received' else 'messages_sent' end, ${message.period}
            from talk m
            join lead_messages t on t.organization_id = ${organizationId} and t.lead_id = m.lead_id
            where t.organization_id = ${organizationId} and t.date >= m.linked_at and ${message.within} and (t.direction = 'inbound' or not exists (
              select 1 from linkedin_drafts d
              where d.organization_id = ${organizationId} and d.message_id = t.id and d.mission_id is not null))
            group by 1, 2
            union all
            select 'draft:' || d.status, ${draft.period}
            from linkedin_drafts d
            where d.organization_id = ${organizationId} and d.mission_id = (select id from mission) and ${draft.within}
            group by 1, 2
            union all
            select 'messages_sent', ${message.period}
            from linkedin_drafts d
            join lead_messages t on t.organization_id = ${organizationId} and t.id = d.message_id
            where d.organization_id = ${organizationId} and d.mission_id = (select id from mission) and ${message.within}
            group by 2
            union all
            select case e.type when 'invitation.sent' then 'invitations_sent' else 'invitations_accepted' end, ${event.period}
            from events e
            join linkedin_drafts d on d.organization_id = ${organizationId} and d.id = e.data ->> 'draft_id'
            where e.organization_id = ${organizationId} and e.type in ('invitation.sent', 'invitation.accepted')
              and d.mission_id = (select id from mission) and ${event.within}
            group by 1, 2
          )
          select mission.*, (
            select coalesce(jsonb_agg(jsonb_build_object(
              'kind', kind, 'period', to_char(period, 'YYYY-MM-DD'), 'count', count)), '[]') from counted
          ) as counts
          from mission
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => row)
        )
      }
    })
  )
)
