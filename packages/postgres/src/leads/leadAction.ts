/** The next action of a lead in SQL. The rule is that of `NextAction.ts` in the core. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import { ActionKind, staleSince } from "@svc/core/internal"
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
 * Leads that surely have an action, which costs less to tell than the action itself: who waits for an answer, and who is new or
 * did not answer, has missions, none of them finished, no draft that keeps the lead waiting, and nothing that silences the lead.
 * Null says no. `isOfMany`: nearly all leads are asked, so that a hash table of those in missions pays.
 */
export const isBusy = (
  sql: PgClient,
  { at, isOfMission = false, organizationId }: ActionScope & { readonly isOfMission?: boolean },
  isOfMany = false
): Fragment => {
  const isLinked = isOfMany
    ? sql`l.id in (select k.lead_id from svc.lead_missions k where k.organization_id = ${organizationId})`
    : sql`(select true from (select * from svc.lead_missions where lead_id = l.id offset 0) k
        where k.organization_id = ${organizationId} limit 1)`
  return sql`((l.status not in ('DoNotContact', 'NotInterested') and ${sql.literal(wroteLast)}
    or (l.status = 'New' or (${sql.literal(isUnanswered)} and l.last_outbound_at <= ${staleSince(at)}::timestamptz))
      and l.id not in (
        select k.lead_id from svc.missions m
        join svc.lead_missions k on k.organization_id = ${organizationId} and k.mission_id = m.id
        where m.organization_id = ${organizationId} and m.status = any (${finishedStatuses}::text[]))
      and l.id not in (
        select d.lead_id from svc.linkedin_drafts d
        where d.organization_id = ${organizationId} and (d.status = 'READY_TO_SEND'
          or (d.status = 'PENDING_REVIEW' and d.snoozed_until is not null)))
      and ${isOfMission ? sql`true` : isLinked})
  and l.id not in (
    select s.value from svc.suppressions s
    where s.organization_id = ${organizationId} and s.kind = 'lead' and (s.until is not null or s.lead_id is null)
    union all
    select i.lead_id from svc.suppressions s
    cross join lateral (
      select h.lead_id from svc.lead_identities h
      where h.organization_id = ${organizationId} and h.kind = s.kind and h.value = s.value limit 1) i
    where s.organization_id = ${organizationId} and s.kind not in ('lead', 'domain')
      and (s.until is not null or s.lead_id is null))
  and not (
    exists (select 1 from svc.suppressions s where s.organization_id = ${organizationId} and s.kind = 'domain')
    and exists (
      select 1 from svc.lead_identities i
      cross join lateral svc.svc_domains_above(split_part(i.value, '@', 2)) as d (domain)
      join svc.suppressions s on s.organization_id = ${organizationId} and s.kind = 'domain' and s.value = d.domain
      where i.organization_id = ${organizationId} and i.lead_id = l.id and i.kind = 'email')))`
}

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
      return sql`${isBusy(sql, { at, isOfMission, organizationId }, true)} is not true`
  }
}
