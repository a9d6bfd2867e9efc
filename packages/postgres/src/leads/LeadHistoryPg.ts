/** Notes and timelines in PostgreSQL, one statement for each method. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type LeadId } from "@svc/core"
import {
  type ConversationEntry,
  conversationPosition,
  type LeadHistory,
  type LeadStatus,
  type TimelineEntry,
  timelineOmittedTypes,
  timelinePosition,
  type UnansweredLead,
  unansweredPosition
} from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { orUnavailable } from "../SqlFailure.ts"

interface TimelineRow {
  readonly lead_id: LeadId | null
  readonly entries: ReadonlyArray<TimelineEntry>
}

interface ConversationRow {
  readonly lead_id: LeadId | null
  readonly messages: ReadonlyArray<ConversationEntry>
}

/** A single row of nulls when no lead is unanswered. */
interface UnansweredRow {
  readonly total: number
  readonly id: string | null
  readonly name: string
  readonly company: string
  readonly status: LeadStatus
  readonly last_inbound_at: Date
  readonly message: UnansweredLead["message"]
}

/** Keeps notes in the database. */
export const leadHistoryPg = (sql: PgClient): LeadHistory => ({
  addNote: (note, leadUpdatedAt) =>
    sql`
      with touched as (
        update svc.leads set updated_at = ${leadUpdatedAt}::timestamptz
        where organization_id = ${note.organizationId} and id = ${note.leadId}
      )
      insert into svc.lead_notes (organization_id, id, lead_id, text, user_id, actor_kind, created_at)
      values (${note.organizationId}, ${note.id}, ${note.leadId}, ${note.text}, ${note.userId}, ${note.actorKind},
        ${note.createdAt}::timestamptz)
    `.pipe(orUnavailable, Effect.asVoid),
  timeline: (organizationId, leadId, { after, limit }) => {
    const [at = null, id = null] = after ?? []
    const rowLimit = limit + 1
    const before = (column: string, alias: string) => sql`(${at}::timestamptz is null
      or (${sql.literal(`${alias}.${column}`)}, ${sql.literal(`${alias}.id`)} collate "C")
        < (${at}::timestamptz, ${id}::text collate "C"))`
    const isShown = sql`e.type <> all (${[...timelineOmittedTypes]}::text[])
      and not (e.type = 'lead.updated' and coalesce(e.data -> 'changed' = '["notes"]', false)) and ${before("created_at", "e")}`
    return sql<TimelineRow>`
      with live as (
        select coalesce(merged_into, id) as id from svc.leads
        where organization_id = ${organizationId} and id = ${leadId}
      ), all_ids as (
        select array(
          select id from live
          union
          select l.id from svc.leads l join live v on l.merged_into = v.id where l.organization_id = ${organizationId}
        ) as ids
      )
      select (select id from live) as lead_id, (
        select coalesce(jsonb_agg(to_jsonb(x) order by x.at desc, x.id collate "C" desc), '[]') from (
          select * from (
            (
              select e.id, e.created_at as at, e.type,
                jsonb_build_object('kind', e.actor_kind, 'id', e.actor_id) as actor, e.data
              from svc.events e, all_ids a
              where e.organization_id = ${organizationId} and e.subject_type = 'lead'
                and e.subject_id = any (a.ids) and ${isShown}
              order by e.created_at desc, e.id collate "C" desc limit ${rowLimit}
            ) union all (
              select e.id, e.created_at, e.type, jsonb_build_object('kind', e.actor_kind, 'id', e.actor_id),
                e.data || jsonb_build_object(e.subject_type || '_id', e.subject_id)
              from svc.events e, all_ids a
              where e.organization_id = ${organizationId} and e.subject_type <> 'lead'
                and e.data ->> 'lead_id' is not null and e.data ->> 'lead_id' = any (a.ids) and ${isShown}
              order by e.created_at desc, e.id collate "C" desc limit ${rowLimit}
            ) union all (
              select m.id, m.date, 'message', null, jsonb_build_object('direction', m.direction, 'channel', m.channel,
                'content', m.content, 'sender_name', m.sender_name)
              from svc.lead_messages m, all_ids a
              where m.organization_id = ${organizationId} and m.lead_id = any (a.ids) and ${before("date", "m")}
              order by m.date desc, m.id collate "C" desc limit ${rowLimit}
            ) union all (
              select n.id, n.created_at, 'note', jsonb_build_object('kind', n.actor_kind, 'id', n.user_id),
                jsonb_build_object('text', n.text)
              from svc.lead_notes n, all_ids a
              where n.organization_id = ${organizationId} and n.lead_id = any (a.ids) and ${before("created_at", "n")}
              order by n.created_at desc, n.id collate "C" desc limit ${rowLimit}
            )
          ) u
          order by at desc, id collate "C" desc limit ${rowLimit}
        ) x
      ) as entries
    `.pipe(
      orUnavailable,
      Effect.map(([row]) => {
        if (row === undefined || row.lead_id === null) return undefined
        const entries = row.entries.map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() }))
        return cutPage(entries, limit, timelinePosition)
      })
    )
  },
  conversation: (organizationId, leadId, channel, { after, limit }) => {
    const [at = null, id = null] = after ?? []
    return sql<ConversationRow>`
      with live as (
        select coalesce(merged_into, id) as id from svc.leads
        where organization_id = ${organizationId} and id = ${leadId}
      ), all_ids as (
        select id from live
        union
        select l.id from svc.leads l join live v on l.merged_into = v.id where l.organization_id = ${organizationId}
      )
      select (select id from live) as lead_id, (
        select coalesce(jsonb_agg(to_jsonb(x) order by x.date desc, x.id collate "C" desc), '[]') from (
          select m.id, m.direction, m.content, m.sender_name as "senderName", m.external_id as "externalId", m.date
          from svc.lead_messages m
          where m.organization_id = ${organizationId} and m.lead_id in (select a.id from all_ids a)
            and m.channel = ${channel} and (${at}::timestamptz is null
              or (m.date, m.id collate "C") < (${at}::timestamptz, ${id}::text collate "C"))
          order by m.date desc, m.id collate "C" desc limit ${limit + 1}
        ) x
      ) as messages
    `.pipe(
      orUnavailable,
      Effect.map(([row]) => {
        if (row === undefined || row.lead_id === null) return undefined
        const messages = row.messages.map((one) => ({ ...one, date: new Date(one.date).toISOString() }))
        return cutPage(messages, limit, conversationPosition)
      })
    )
  },
  unanswered: (organizationId, { after, limit }) => {
    const [since = null, last = null] = after ?? []
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
          and (${since}::timestamptz is null
            or (l.last_inbound_at, l.id collate "C") > (${since}::timestamptz, ${last}::text collate "C"))
        order by l.last_inbound_at, l.id collate "C" limit ${limit + 1}
      ) page on true
      order by page.last_inbound_at, page.id collate "C"
    `.pipe(
      orUnavailable,
      Effect.map((rows) => {
        const leads = rows.flatMap(({ company, id, last_inbound_at, message, name, status }) =>
          id === null ? [] : [{ id, name, company, status, lastInboundAt: last_inbound_at.toISOString(), message }]
        )
        return { ...cutPage(leads, limit, unansweredPosition), total: rows[0]?.total ?? 0 }
      })
    )
  }
})
