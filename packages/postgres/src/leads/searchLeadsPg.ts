/** Searching leads in PostgreSQL: one statement for page and count. The rule is that of the in-memory store. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { Failure } from "@svc/core/Failure"
import { type LeadFilter, type LeadPage, type LeadSort, largestTotal, positionOf } from "@svc/core/leads/LeadSearch"
import { cutPage, type PageRequest } from "@svc/core/Page"
import * as Effect from "effect/Effect"
import { orUnavailable } from "../SqlFailure.ts"
import { type ListedRow, listedOf } from "./leadRows.ts"

/** Order and continuation of each sort; four texts in all, each prepared once. */
const orderOf = (sql: PgClient, sort: LeadSort, after: PageRequest["after"]) => {
  const [a = null, b = null, c = null] = after ?? []
  const isFirst = after === undefined
  switch (sort) {
    case "action":
      return {
        order: sql.literal(`rank, - score, id collate "C"`),
        rest: sql`(${isFirst}::boolean or (rank, - score, id collate "C")
          > (${a}::integer, ${b}::double precision, ${c}::text collate "C"))`
      }
    case "score":
      return {
        order: sql.literal(`- score, id collate "C"`),
        rest: sql`(${isFirst}::boolean or (- score, id collate "C") > (${a}::double precision, ${b}::text collate "C"))`
      }
    case "recent":
      return {
        order: sql.literal(`updated_at desc, id collate "C" desc`),
        rest: sql`(${isFirst}::boolean or (updated_at, id collate "C") < (${a}::timestamptz, ${b}::text collate "C"))`
      }
    case "name":
      return {
        order: sql.literal(`split_part(search_text, E'\\n', 1) collate "C", id collate "C"`),
        rest: sql`(${isFirst}::boolean or (split_part(search_text, E'\n', 1) collate "C", id collate "C")
          > (${a}::text collate "C", ${b}::text collate "C"))`
      }
  }
}

/** An empty page is one row that holds nothing but the count. */
type PageRow = (ListedRow | { readonly id: null }) & { readonly total: number }

const lower = (text: string | undefined): string | null => text?.toLowerCase() ?? null

/** A page of the leads that match. */
export const searchLeadsPg = (
  sql: PgClient,
  organizationId: string,
  filter: LeadFilter,
  sort: LeadSort,
  { after, limit }: PageRequest
): Effect.Effect<LeadPage, Failure> => {
  const { order, rest } = orderOf(sql, sort, after)
  const first = lower(filter.firstName)
  const last = lower(filter.lastName)
  const query = lower(filter.query)
  const jobTitle = lower(filter.jobTitle)
  const company = lower(filter.company)
  const { email = null, hasConversation = null, hasEmail = null, importId = null, isFlagged = null } = filter
  const { createdAfter = null, mission = null, needsAction = null, relation = null, updatedAfter = null } = filter
  const statuses = filter.statuses === undefined ? null : [...filter.statuses]
  return sql<PageRow>`
    with matching as not materialized (
      select l.*, n.action, case n.action when 'reply_waiting' then 0 when 'ambiguous_send' then 1
        when 'draft_to_review' then 2 when 'draft_missing' then 3 else 4 end as rank
      from leads l
      cross join lateral (
        select case
          when l.status = 'DoNotContact' then null
          when l.status <> 'NotInterested' and l.last_inbound_at > coalesce(l.last_outbound_at, '-infinity')
            then 'reply_waiting'
          when exists (
            select 1 from linkedin_queue q
            where q.organization_id = ${organizationId} and q.lead_id = l.id and q.state = 'ambiguous')
            then 'ambiguous_send'
          else case (
            select d.status from linkedin_drafts d
            where d.organization_id = ${organizationId} and d.lead_id = l.id
              and d.status in ('PENDING_REVIEW', 'READY_TO_SEND')
            order by d.created_at desc, d.id collate "C" desc limit 1)
            when 'PENDING_REVIEW' then 'draft_to_review'
            when 'READY_TO_SEND' then null
            else case when l.status = 'New' and exists (
              select 1 from lead_missions k where k.organization_id = ${organizationId} and k.lead_id = l.id)
              then 'draft_missing' end
          end
        end as action
      ) n
      where l.organization_id = ${organizationId} and l.merged_into is null
        and (${query}::text is null or strpos(l.search_text, ${query}::text) > 0)
        and (${first}::text is null or starts_with(split_part(l.search_text, E'\n', 1), ${first}::text))
        and (${last}::text is null or right(split_part(l.search_text, E'\n', 1), length(${last}::text)) = ${last}::text)
        and (${jobTitle}::text is null or strpos(split_part(l.search_text, E'\n', 3), ${jobTitle}::text) > 0)
        and (${company}::text is null or strpos(split_part(l.search_text, E'\n', 4), ${company}::text) > 0)
        and (${statuses}::text[] is null or l.status = any (${statuses}::text[]))
        and l.score >= ${filter.scoreMin ?? 0}::double precision
        and (${isFlagged}::boolean is null or l.is_flagged = ${isFlagged}::boolean)
        and (${hasEmail}::boolean is null or (l.email <> '') = ${hasEmail}::boolean)
        and (${hasConversation}::boolean is null
          or (l.last_inbound_at is not null or l.last_outbound_at is not null) = ${hasConversation}::boolean)
        and (${createdAfter}::timestamptz is null or l.created_at > ${createdAfter}::timestamptz)
        and (${updatedAfter}::timestamptz is null or l.updated_at > ${updatedAfter}::timestamptz)
        and (${email}::text is null or l.id = (
          select i.lead_id from lead_identities i
          where i.organization_id = ${organizationId} and i.kind = 'email' and i.value = ${email}::text))
        and (${mission}::text is null or exists (
          select 1 from lead_missions k join missions m on m.organization_id = ${organizationId} and m.id = k.mission_id
          where k.organization_id = ${organizationId} and k.lead_id = l.id
            and (m.id = ${mission}::text or m.handle = ${mission}::text)))
        and (${importId}::text is null or exists (
          select 1 from import_rows r
          where r.organization_id = ${organizationId} and r.import_id = ${importId}::text and r.lead_id = l.id))
        and (${relation}::text is null or coalesce((
          select case when r.connected then 'connected' when r.invited_at is not null then 'invited' else 'none' end
          from lead_relations r where r.organization_id = ${organizationId} and r.lead_id = l.id
          order by r.checked_at desc, r.account_id collate "C" limit 1), 'none') = ${relation}::text)
        and (${needsAction}::boolean is null or (n.action is not null) = ${needsAction}::boolean)
    )
    select counted.total, page.*
    from (select count(*)::integer as total from (select 1 from matching limit ${largestTotal}) capped) counted
    left join (
      select id, name, headline, job_title, company, email, linkedin_url, avatar_url, status, score, is_flagged,
        search_text, last_inbound_at, last_outbound_at, created_at, updated_at, action, rank
      from matching where ${rest} order by ${order} limit ${limit + 1}
    ) page on true
    order by ${order}
  `.pipe(
    orUnavailable,
    Effect.map((rows) => {
      const items = rows.flatMap((row) => (row.id === null ? [] : [listedOf(row)]))
      return { ...cutPage(items, limit, (lead) => positionOf(sort, lead)), total: rows[0]?.total ?? 0 }
    })
  )
}
