/** The next action of a lead in SQL. The rule is that of `NextAction.ts` in the core. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import { ActionKind, staleSince } from "@svc/core/leads"
import { finishedStatuses } from "@svc/core/missions"
import type { Fragment } from "effect/sql/Statement"

/** Ranks of the actions, most urgent first, and the rank of no action. */
export const actionRanks = [0, 1, 2, 3, 4, 5, 6, 7] as const
export const idleRank = 8

const actionNames = [...ActionKind.literals]

/** The organization and the instant. */
export interface ActionScope {
  readonly organizationId: OrganizationId
  readonly at: string
}

/** `action` and `rank` of the lead `l`, for a lateral join. A database function keeps statements small. */
export const leadAction = (sql: PgClient, { at }: ActionScope): Fragment => sql`(
  select r.rank, (${actionNames}::text[])[r.rank + 1] as action
  from (select svc.svc_action_rank(l, ${at}::timestamptz, ${staleSince(at)}::timestamptz) as rank offset 0) r
)`

/** A limit that never applies, so that the planner considers stopping early. */
export const hintEarlyStop = (sql: PgClient): Fragment => sql`limit 2000000000`

/** Whether the action has a rank. Written so that the planner expects half of the rows, not a few. */
export const hasRank = (sql: PgClient, rank: number): Fragment => sql`coalesce(n.rank = ${rank}::integer, false)`

// These conditions match the predicates of their indexes.
const wroteLast = `l.turn = 1`
const isDraftable = `(l.linkedin_url <> '' or (l.email <> ''
  and (l.headline <> '' or l.job_title <> '' or l.company <> '')))`
const isBlank = `(l.linkedin_url = '' and (l.email = ''
  or (l.headline = '' and l.job_title = '' and l.company = '')))`
const isUnanswered = `l.status in ('Contacted', 'Replied', 'Interested') and l.turn = 2`

/**
 * Leads that may have no action. Of new leads only those with an approved draft, without a mission or in a finished one, or
 * possibly suppressed for a time or by domain.
 */
const idleSource = (
  sql: PgClient,
  organizationId: OrganizationId,
  isOfMission: boolean
): Fragment => sql`(l.status <> 'New'
  or l.id in (
    select k.lead_id from svc.missions m
    join svc.lead_missions k on k.organization_id = ${organizationId} and k.mission_id = m.id
    where m.organization_id = ${organizationId} and m.status = any (${finishedStatuses}::text[]))
  or l.id in (
    select d.lead_id from svc.linkedin_drafts d
    where d.organization_id = ${organizationId} and (d.status = 'READY_TO_SEND'
      or (d.status = 'PENDING_REVIEW' and d.snoozed_until is not null)))
  or ${
    isOfMission
      ? sql`false`
      : sql`not exists (select 1 from svc.lead_missions k where k.organization_id = ${organizationId} and k.lead_id = l.id)`
  }
  or exists (
    select 1 from svc.suppressions s
    where s.organization_id = ${organizationId} and (s.until is not null or s.kind = 'domain' or s.lead_id is null)))`

/**
 * A condition that every lead of a rank meets and that an index or a short list answers, so that other leads are not read.
 * `isOfMission`: only leads of a mission are searched.
 */
export const actionSource = (
  sql: PgClient,
  { at, isOfMission = false, organizationId }: ActionScope & { readonly isOfMission?: boolean },
  rank: number
): Fragment => {
  switch (rank) {
    case 0:
      return sql`l.status not in ('DoNotContact', 'NotInterested') and ${sql.literal(wroteLast)}`
    case 1:
      return sql`l.id in (
        select q.lead_id from svc.transmissions q
        where q.organization_id = ${organizationId} and q.kind = 'message' and q.state = 'ambiguous')`
    case 2:
      return sql`l.id in (
        select d.lead_id from svc.linkedin_drafts d
        where d.organization_id = ${organizationId} and d.status = 'PENDING_REVIEW' and d.rewrite is not null)`
    case 3:
      return sql`l.id in (
        select d.lead_id from svc.linkedin_drafts d
        where d.organization_id = ${organizationId} and d.status = 'PENDING_REVIEW')`
    case 4:
      return sql`l.status in ('New', 'Waiting', 'Contacted') and l.id in (
        select r.lead_id from svc.lead_relations r
        join svc.leads w on w.organization_id = ${organizationId} and w.id = r.lead_id
        where r.organization_id = ${organizationId} and r.connected and r.invited_at is not null
          and (w.last_outbound_at is null or w.last_outbound_at < r.invited_at))`
    case 5:
      return sql`l.status = 'New' and ${sql.literal(isDraftable)}`
    case 6:
      return sql`l.status = 'New' and ${sql.literal(isBlank)}`
    case 7:
      return sql`${sql.literal(isUnanswered)} and l.last_outbound_at <= ${staleSince(at)}::timestamptz`
    default:
      return idleSource(sql, organizationId, isOfMission)
  }
}
