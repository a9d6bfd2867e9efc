/** What to do next about a lead, in SQL. The rule is that of `NextAction.ts` in the core. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import { ActionKind, staleSince } from "@svc/core/leads/NextAction"
import type { Fragment } from "effect/sql/Statement"

/** Ranks of the actions, most urgent first, and of nothing to do. */
export const actionRanks = [0, 1, 2, 3, 4, 5, 6] as const
export const idleRank = 7

const actionNames = [...ActionKind.literals]

/** Whose leads, and at which instant. */
export interface ActionScope {
  readonly organizationId: string
  readonly at: string
}

/** `action` and `rank` of the lead `l`, to be joined laterally: a function of the database, so that statements stay small. */
export const leadAction = (sql: PgClient, { at }: ActionScope): Fragment => sql`(
  select r.rank, (${actionNames}::text[])[r.rank + 1] as action
  from (select svc_action_rank(l, ${at}::timestamptz, ${staleSince(at)}::timestamptz) as rank offset 0) r
)`

/** Ends a list in order that is read from its beginning: what looks like a limit lets the planner think of stopping early. */
export const readInTurn = (sql: PgClient): Fragment => sql`limit 2000000000`

/** That the action is of a rank, of those that its source gives. The planner takes it that half of them are, not a few. */
export const hasRank = (sql: PgClient, rank: number): Fragment => sql`coalesce(n.rank = ${rank}::integer, false)`

// These conditions are written as the indexes have them that are made for them.
const wroteLast = `l.last_inbound_at > coalesce(l.last_outbound_at, '-infinity')`
const isDraftable = `(l.linkedin_url <> '' or (l.email <> ''
  and (l.headline <> '' or l.job_title <> '' or l.company <> '')))`
const isBlank = `(l.linkedin_url = '' and (l.email = ''
  or (l.headline = '' and l.job_title = '' and l.company = '')))`
const isUnanswered = `l.status in ('Contacted', 'Replied', 'Interested')
  and l.last_outbound_at >= coalesce(l.last_inbound_at, '-infinity')`

/**
 * Whom there may be nothing to do about: of new leads only those whose draft is approved, who are in no mission, or who
 * may be suppressed for a time or by their domain.
 */
const idleSource = (sql: PgClient, organizationId: string, isOfMission: boolean): Fragment => sql`(l.status <> 'New'
  or l.id in (
    select d.lead_id from linkedin_drafts d
    where d.organization_id = ${organizationId} and d.status = 'READY_TO_SEND')
  or ${
    isOfMission
      ? sql`false`
      : sql`not exists (select 1 from lead_missions k where k.organization_id = ${organizationId} and k.lead_id = l.id)`
  }
  or exists (
    select 1 from suppressions s
    where s.organization_id = ${organizationId} and (s.until is not null or s.kind = 'domain' or s.lead_id is null)))`

/**
 * What every lead of a rank has, as an index or a short list knows it: by this the leads of the rank are found without
 * looking at all the others. `isOfMission` says that only leads of a mission are meant.
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
        select q.lead_id from linkedin_queue q where q.organization_id = ${organizationId} and q.state = 'ambiguous')`
    case 2:
      return sql`l.id in (
        select d.lead_id from linkedin_drafts d
        where d.organization_id = ${organizationId} and d.status = 'PENDING_REVIEW')`
    case 3:
      return sql`l.status in ('New', 'Waiting', 'Contacted') and l.id in (
        select r.lead_id from lead_relations r
        join leads w on w.organization_id = ${organizationId} and w.id = r.lead_id
        where r.organization_id = ${organizationId} and r.connected and r.invited_at is not null
          and (w.last_outbound_at is null or w.last_outbound_at < r.invited_at))`
    case 4:
      return sql`l.status = 'New' and ${sql.literal(isDraftable)}`
    case 5:
      return sql`l.status = 'New' and ${sql.literal(isBlank)}`
    case 6:
      return sql`${sql.literal(isUnanswered)} and l.last_outbound_at <= ${staleSince(at)}::timestamptz`
    default:
      return idleSource(sql, organizationId, isOfMission)
  }
}
