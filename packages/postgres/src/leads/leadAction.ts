/** What to do next about a lead, in SQL. The rule is that of `NextAction.ts` in the core. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { Fragment } from "effect/sql/Statement"

/** Ranks of the actions, most urgent first, and of nothing to do. */
export const actionRanks = [0, 1, 2, 3] as const
export const idleRank = 4

/** `action` and `rank` of the lead `l`, to be joined laterally. */
export const leadAction = (sql: PgClient, organizationId: string): Fragment => sql`(
  select a.action, case a.action when 'reply_waiting' then 0 when 'ambiguous_send' then 1 when 'draft_to_review' then 2
    when 'draft_missing' then 3 else 4 end as rank
  from (
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
  ) a
)`

/**
 * What every lead of a rank has, as an index or a short list knows it: by this the leads of the rank are found without
 * looking at all the others.
 */
export const actionSource = (sql: PgClient, organizationId: string, rank: number): Fragment => {
  switch (rank) {
    case 0:
      return sql`l.status not in ('DoNotContact', 'NotInterested')
        and l.last_inbound_at > coalesce(l.last_outbound_at, '-infinity')`
    case 1:
      return sql`l.id in (
        select q.lead_id from linkedin_queue q where q.organization_id = ${organizationId} and q.state = 'ambiguous')`
    case 2:
      return sql`l.id in (
        select d.lead_id from linkedin_drafts d
        where d.organization_id = ${organizationId} and d.status = 'PENDING_REVIEW')`
    case 3:
      return sql`l.status = 'New'`
    default:
      return sql`true`
  }
}
