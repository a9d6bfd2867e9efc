/** Notes and timelines in PostgreSQL, one statement for each method. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type OrganizationId, snakeKeys } from "@svc/core"
import * as Leads from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { type RowOf, recordOf } from "../columns.ts"
import { first, newestFirst, oldestFirst } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"

/** A single row of nulls when no lead is unanswered. */
type UnansweredRow = (RowOf<Leads.UnansweredLead> | { readonly id: null }) & { readonly total: number }

/** The ids of a lead and of those merged into it; no row when it does not exist. */
const leadIds = (sql: PgClient, organizationId: OrganizationId, leadId: string) => sql`
  select array(
    select l.id from svc.leads l where l.organization_id = ${organizationId} and (l.id = v.id or l.merged_into = v.id)) as ids
  from (
    select coalesce(m.merged_into, m.id) as id from svc.leads m
    where m.organization_id = ${organizationId} and m.id = ${leadId}) v`

/** Keeps notes in the database. */
export const leadHistoryPg = (sql: PgClient): Leads.LeadHistory => ({
  addNote: (note, leadUpdatedAt) =>
    sql`
      with moved as (
        update svc.lead_recency set updated_at = ${leadUpdatedAt}::timestamptz
        where organization_id = ${note.organizationId} and lead_id = ${note.leadId} and updated_at = (
          select l.updated_at from svc.leads l where l.organization_id = ${note.organizationId} and l.id = ${note.leadId})
      ), labelled as (
        update svc.lead_labels set updated_at = ${leadUpdatedAt}::timestamptz
        where organization_id = ${note.organizationId} and lead_id = ${note.leadId}
      ), touched as (
        update svc.leads set updated_at = ${leadUpdatedAt}::timestamptz
        where organization_id = ${note.organizationId} and id = ${note.leadId}
      )
      insert into svc.lead_notes ${sql.insert(snakeKeys(note))}
    `.pipe(orUnavailable, Effect.asVoid),
  timeline: (organizationId, leadId, request) => {
    const isShown = sql`e.type <> all (${[...Leads.timelineOmittedTypes]}::text[])
      and not (e.type = 'lead.updated' and coalesce(e.data -> 'changed' = '["notes"]', false))`
    return sql<{ readonly entries: ReadonlyArray<Leads.TimelineEntry> }>`
      with a as materialized (${leadIds(sql, organizationId, leadId)})
      select (
        select coalesce(jsonb_agg(to_jsonb(x) order by x.at desc, x.id collate "C" desc), '[]') from (
          select * from (
            (
              select e.id, e.created_at as at, e.type,
                jsonb_build_object('kind', e.actor_kind, 'id', e.actor_id) as actor, e.data
              from svc.events e
              where e.organization_id = ${organizationId} and e.subject_type = 'lead'
                and e.subject_id = any (a.ids) and ${isShown} and ${newestFirst(sql, request, "e.")}
            ) union all (
              select e.id, e.created_at, e.type, jsonb_build_object('kind', e.actor_kind, 'id', e.actor_id),
                e.data || jsonb_build_object(e.subject_type || '_id', e.subject_id)
              from svc.events e
              where e.organization_id = ${organizationId} and e.subject_type <> 'lead'
                and e.data ->> 'lead_id' is not null and e.data ->> 'lead_id' = any (a.ids) and ${isShown}
                and ${newestFirst(sql, request, "e.")}
            ) union all (
              select m.id, m.date, 'message', null, jsonb_build_object('direction', m.direction, 'channel', m.channel,
                'content', m.content, 'sender_name', m.sender_name)
              from svc.lead_messages m
              where m.organization_id = ${organizationId} and m.lead_id = any (a.ids)
                and ${newestFirst(sql, request, "m.", "date")}
            ) union all (
              select n.id, n.created_at, 'note', jsonb_build_object('kind', n.actor_kind, 'id', n.user_id),
                jsonb_build_object('text', n.text)
              from svc.lead_notes n
              where n.organization_id = ${organizationId} and n.lead_id = any (a.ids)
                and ${newestFirst(sql, request, "n.")}
            )
          ) u
          order by at desc, id collate "C" desc limit ${request.limit + 1}
        ) x
      ) as entries
      from a
    `.pipe(
      first(({ entries }) => {
        const all = entries.map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() }))
        return cutPage(all, request.limit, Leads.timelinePosition)
      })
    )
  },
  conversation: (organizationId, leadId, channel, request) =>
    sql<{ readonly messages: ReadonlyArray<Leads.ConversationEntry> }>`
      with a as materialized (${leadIds(sql, organizationId, leadId)})
      select (
        select coalesce(jsonb_agg(to_jsonb(x) order by x.date desc, x.id collate "C" desc), '[]') from (
          select m.id, m.direction, m.content, m.sender_name as "senderName", m.external_id as "externalId", m.date,
            m.mail
          from svc.lead_messages m
          where m.organization_id = ${organizationId} and m.lead_id = any (a.ids) and m.channel = ${channel}
            and ${newestFirst(sql, request, "m.", "date")}
        ) x
      ) as messages
      from a
    `.pipe(
      first(({ messages }) => {
        const all = messages.map((one) => ({ ...one, date: new Date(one.date).toISOString() }))
        return cutPage(all, request.limit, Leads.conversationPosition)
      })
    ),
  unanswered: (organizationId, request) => {
    const waiting = sql`l.merged_into is null
      and l.status not in ('DoNotContact', 'NotInterested') and l.turn = 1`
    return sql<UnansweredRow>`
      select counted.total, page.*
      from (select count(*)::integer as total from svc.leads l where l.organization_id = ${organizationId} and ${waiting}) counted
      left join (
        select l.id, l.name, l.company, l.status, l.last_inbound_at, (
          select jsonb_build_object('id', m.id, 'channel', m.channel, 'content', m.content) from svc.lead_messages m
          where m.organization_id = ${organizationId} and m.lead_id = l.id and m.direction = 'inbound'
          order by m.date desc, m.id collate "C" desc limit 1) as message
        from svc.leads l where l.organization_id = ${organizationId} and ${waiting}
          and ${oldestFirst(sql, request, "l.", "last_inbound_at")}
      ) page on true
      order by page.last_inbound_at, page.id collate "C"
    `.pipe(
      orUnavailable,
      Effect.map((rows) => {
        const leads = rows.flatMap(({ total: _, ...row }) =>
          row.id === null ? [] : [recordOf<Leads.UnansweredLead>(row)]
        )
        return { ...cutPage(leads, request.limit, Leads.unansweredPosition), total: rows[0]?.total ?? 0 }
      })
    )
  }
})
