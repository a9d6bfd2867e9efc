/** Mission reports in PostgreSQL. The rule is that of `missionActivity.ts`. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { type MissionActivity, MissionReportRepo, statusGroups } from "@svc/core/reports"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { countedLeads } from "../missions/countedLeads.ts"
import { orUnavailable } from "../SqlFailure.ts"

const contacted = [...statusGroups.contacted]
const replied = [...statusGroups.replied]
const positive = [...statusGroups.positive]
const meetings = [...statusGroups.meetings]

/** Reads reports from the database. */
export const layer: Layer.Layer<MissionReportRepo, never, PgClient> = Layer.effect(
  MissionReportRepo,
  Effect.map(PgClient, (sql) =>
    MissionReportRepo.of({
      activity: (organizationId, idOrHandle, { from = null, to = null, unit }) => {
        /** Counts the instants of a column by period. */
        const counted = (column: string) => {
          const at = sql.literal(column)
          return {
            period: sql`date_trunc(${unit}::text, ${at} at time zone 'UTC') as period, count(*)::int as count`,
            within: sql`${at} is not null and (${from}::timestamptz is null or ${at} >= ${from}::timestamptz)
              and (${to}::timestamptz is null or ${at} < ${to}::timestamptz)`
          }
        }
        /** Whether a column names the mission, or one of all. */
        const isAsked = (column: string) =>
          idOrHandle === undefined
            ? sql`${sql.literal(column)} is not null`
            : sql`${sql.literal(column)} = (select id from mission)`
        const [linked, first, answer, good, meeting] = [
          counted("linked_at"),
          counted("contacted_at"),
          counted("replied_at"),
          counted("positive_at"),
          counted("meetings_at")
        ] as const
        const optOut = counted("opted_out_at")
        const [message, draft, email] = [counted("t.date"), counted("d.created_at"), counted("e.sent_at")] as const
        const [invitation, acceptance] = [counted("sent_at"), counted("accepted_at")] as const
        return sql<MissionActivity>`
          with mission as (
            select id, handle, name, status from svc.missions
            where organization_id = ${organizationId} and ${
              idOrHandle === undefined ? sql`true` : sql`(id = ${idOrHandle} or handle = ${idOrHandle})`
            }
          ), link as materialized (
            select mission_id, lead_id, linked_at from svc.lead_missions
            where organization_id = ${organizationId} and ${isAsked("mission_id")}
          ), reached as materialized (
            -- Whoever is in any group is among the contacted, and most leads of a large mission are in none. Both this and
            -- the next are read off an index alone, and joined to the mission as a whole.
            ${countedLeads(
              sql,
              organizationId,
              sql`(
              select true from svc.lead_missions k
              where k.organization_id = ${organizationId} and ${isAsked("k.mission_id")} and k.lead_id = leads.id
              limit 1)`
            )}
          ), speaking as materialized (
            select id from svc.leads
            where organization_id = ${organizationId} and merged_into is null
              and turn is not null
          ), answered as materialized (
            select link.mission_id, link.lead_id, link.linked_at, reached.status from link join reached on reached.id = link.lead_id
          ), talk as materialized (
            select link.mission_id, link.lead_id, link.linked_at from link join speaking on speaking.id = link.lead_id
          ), invited as materialized (
            select coalesce(d.mission_id, link.mission_id) as mission_id, (q.details ->> 'sentAt')::timestamptz as sent_at,
              case q.state when 'accepted' then (q.details ->> 'endedAt')::timestamptz end as accepted_at
            from svc.transmissions q
            left join svc.linkedin_drafts d on d.organization_id = ${organizationId} and d.id = q.draft_id
            left join link on d.mission_id is null and link.lead_id = q.lead_id
            where q.organization_id = ${organizationId} and q.kind = 'invitation' and q.details ->> 'sentAt' is not null
              and case when d.mission_id is null then link.linked_at <= (q.details ->> 'sentAt')::timestamptz
                else ${isAsked("d.mission_id")} end
          ), member as materialized (
            select a.mission_id,
              greatest(a.linked_at, e.contacted_at) as contacted_at,
              case when a.status = any (${replied}::text[])
                then greatest(a.linked_at, e.replied_at) end as replied_at,
              case when a.status = any (${positive}::text[])
                then greatest(a.linked_at, e.positive_at) end as positive_at,
              case when a.status = any (${meetings}::text[])
                then greatest(a.linked_at, e.meetings_at) end as meetings_at
            from answered a
            cross join lateral (
              select min(e.created_at) filter (where e.entered_status = any (${contacted}::text[])) as contacted_at,
                min(e.created_at) filter (where e.entered_status = any (${replied}::text[])) as replied_at,
                min(e.created_at) filter (where e.entered_status = any (${positive}::text[])) as positive_at,
                min(e.created_at) filter (where e.entered_status = any (${meetings}::text[])) as meetings_at
              from svc.events e
              where e.organization_id = ${organizationId} and e.type = 'lead.status_changed' and e.subject_id = a.lead_id
            ) e
          ), gone as materialized (
            select link.mission_id, greatest(link.linked_at, e.opted_out_at) as opted_out_at
            from (
              select id from svc.leads
              where organization_id = ${organizationId} and merged_into is null and status <> 'New'
                and status = 'DoNotContact' offset 0
            ) l
            join link on link.lead_id = l.id
            cross join lateral (
              select max(e.created_at) as opted_out_at from svc.events e
              where e.organization_id = ${organizationId} and e.type = 'lead.status_changed' and e.subject_id = l.id
                and e.entered_status = 'DoNotContact'
            ) e
          ), counted (mission_id, kind, period, count) as materialized (
            select mission_id, 'leads', ${linked.period} from link where ${linked.within} group by 1, 3
            union all
            select mission_id, 'contacted', ${first.period} from member where ${first.within} group by 1, 3
            union all
            select mission_id, 'replied', ${answer.period} from member where ${answer.within} group by 1, 3
            union all
            select mission_id, 'positive', ${good.period} from member where ${good.within} group by 1, 3
            union all
            select mission_id, 'meetings', ${meeting.period} from member where ${meeting.within} group by 1, 3
            union all
            select mission_id, 'opted_out', ${optOut.period} from gone where ${optOut.within} group by 1, 3
            union all
            select m.mission_id, case t.direction when 'inbound' then 'messages_received' else 'messages_sent' end, ${message.period}
            from talk m
            join svc.lead_messages t on t.organization_id = ${organizationId} and t.lead_id = m.lead_id
            where t.organization_id = ${organizationId} and t.date >= m.linked_at and ${message.within}
              and (t.direction = 'inbound' or not exists (
                select 1 from svc.linkedin_drafts d
                where d.organization_id = ${organizationId} and d.message_id = t.id and d.mission_id is not null))
              and (t.direction = 'inbound' or t.channel <> 'EMAIL' or not exists (
                select 1 from svc.transmissions q
                where q.organization_id = ${organizationId} and q.lead_id = t.lead_id and q.kind = 'email'
                  and q.mission_id is not null and coalesce(q.details ->> 'messageId', q.id) = t.external_id))
            group by 1, 2, 3
            union all
            select d.mission_id, 'draft:' || d.status, ${draft.period}
            from svc.linkedin_drafts d
            where d.organization_id = ${organizationId} and ${isAsked("d.mission_id")} and ${draft.within}
            group by 1, 2, 3
            union all
            select d.mission_id, 'messages_sent', ${message.period}
            from svc.linkedin_drafts d
            join svc.lead_messages t on t.organization_id = ${organizationId} and t.id = d.message_id
            where d.organization_id = ${organizationId} and ${isAsked("d.mission_id")} and ${message.within}
            group by 1, 3
            union all
            select q.mission_id, 'messages_sent', ${email.period} from svc.transmissions q
            cross join lateral (select (q.details ->> 'sentAt')::timestamptz) e (sent_at)
            where q.organization_id = ${organizationId} and ${isAsked("q.mission_id")} and q.kind = 'email'
              and q.state = 'sent' and ${email.within}
            group by 1, 3
            union all
            select mission_id, 'invitations_sent', ${invitation.period} from invited where ${invitation.within} group by 1, 3
            union all
            select mission_id, 'invitations_accepted', ${acceptance.period} from invited where ${acceptance.within} group by 1, 3
          )
          select mission.*, coalesce(c.counts, '[]') as counts
          from mission
          left join (
            select mission_id, jsonb_agg(jsonb_build_object(
              'kind', kind, 'period', to_char(period, 'YYYY-MM-DD'), 'count', count)) as counts
            from counted group by mission_id
          ) c on c.mission_id = mission.id
        `.pipe(orUnavailable)
      }
    })
  )
)
