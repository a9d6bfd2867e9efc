/**
 * The filters of lead.search as conditions on `leads l`: only those that are given, since a condition such as "the filter
 * is null or …" prevents the use of any index.
 *
 * The rule is that of `searchLeads.ts` in the in-memory store; the contract suite compares both.
 */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import type { LeadFilter, RelationFilter } from "@svc/core/leads"
import type { Fragment } from "effect/sql/Statement"
import { inMission, type NamedMission } from "./namedMission.ts"

/** A filter whose mission was looked up. */
export type ResolvedFilter = Omit<LeadFilter, "mission"> & { readonly mission: NamedMission | undefined }

const textConditions = (
  sql: PgClient,
  { company, firstName, jobTitle, lastName, query }: ResolvedFilter
): ReadonlyArray<Fragment> => {
  const conditions: Array<Fragment> = []
  if (query) conditions.push(sql`strpos(l.search_text, ${query.toLowerCase()}::text) > 0`)
  if (firstName) {
    const begins = firstName.toLowerCase()
    conditions.push(sql`starts_with(split_part(l.search_text, E'\n', 1) collate "C", ${begins}::text)`)
  }
  if (lastName) {
    const ends = lastName.toLowerCase()
    conditions.push(sql`starts_with(reverse(split_part(l.search_text, E'\n', 1)) collate "C", reverse(${ends}::text))`)
  }
  if (jobTitle) conditions.push(sql`strpos(split_part(l.search_text, E'\n', 3), ${jobTitle.toLowerCase()}::text) > 0`)
  if (company) conditions.push(sql`strpos(split_part(l.search_text, E'\n', 4), ${company.toLowerCase()}::text) > 0`)
  return conditions
}

const factConditions = (sql: PgClient, filter: ResolvedFilter): ReadonlyArray<Fragment> => {
  const { createdAfter, hasConversation, hasEmail, isFlagged, scoreMin, statuses, updatedAfter } = filter
  const conditions: Array<Fragment> = []
  const [status, ...others] = statuses ?? []
  if (others.length > 0) conditions.push(sql`l.status = any (${[...(statuses ?? [])]}::text[])`)
  else if (status !== undefined) conditions.push(sql`l.status = ${status}::text`)
  if (scoreMin !== undefined && scoreMin > 0) {
    // The first condition matches the index, the second the planner's statistics.
    const lowest = sql`${scoreMin}::double precision`
    conditions.push(sql`- l.score <= - ${lowest}`, sql`l.score >= ${lowest}`)
  }
  if (isFlagged !== undefined) conditions.push(isFlagged ? sql`l.is_flagged` : sql`not l.is_flagged`)
  if (hasEmail !== undefined) conditions.push(hasEmail ? sql`l.email <> ''` : sql`l.email = ''`)
  if (hasConversation !== undefined) {
    conditions.push(
      hasConversation
        ? sql`(l.last_inbound_at is not null or l.last_outbound_at is not null)`
        : sql`l.last_inbound_at is null and l.last_outbound_at is null`
    )
  }
  if (createdAfter !== undefined) {
    // A lead created after an instant was also updated after it, and the index has that order.
    conditions.push(sql`l.created_at > ${createdAfter}::timestamptz`, sql`l.updated_at > ${createdAfter}::timestamptz`)
  }
  if (updatedAfter !== undefined) conditions.push(sql`l.updated_at > ${updatedAfter}::timestamptz`)
  return conditions
}

const relationCondition = (
  sql: PgClient,
  organizationId: OrganizationId,
  relation: RelationFilter
): ReadonlyArray<Fragment> => {
  const latest = sql`coalesce((
    select case when r.connected then 'connected' when r.invited_at is not null then 'invited' else 'none' end
    from svc.lead_relations r where r.organization_id = ${organizationId} and r.lead_id = l.id
    order by r.checked_at desc, r.account_id collate "C" limit 1), 'none') = ${relation}::text`
  // Only leads with a relation can match.
  const known = sql`l.id in (select r.lead_id from svc.lead_relations r where r.organization_id = ${organizationId})`
  return relation === "none" ? [latest] : [known, latest]
}

const placeConditions = (
  sql: PgClient,
  organizationId: OrganizationId,
  { email, importId, mission, relation }: ResolvedFilter
): ReadonlyArray<Fragment> => {
  const conditions: Array<Fragment> = []
  if (email !== undefined) {
    conditions.push(sql`l.id = (
      select i.lead_id from svc.lead_identities i
      where i.organization_id = ${organizationId} and i.kind = 'email' and i.value = ${email}::text)`)
  }
  if (mission !== undefined) conditions.push(inMission(sql, organizationId, mission))
  if (importId !== undefined) {
    conditions.push(sql`l.id in (
      select r.lead_id from svc.import_rows r
      where r.organization_id = ${organizationId} and r.import_id = ${importId}::text)`)
  }
  return relation === undefined ? conditions : [...conditions, ...relationCondition(sql, organizationId, relation)]
}

/** The conditions of a filter except `needsAction` and the organization, including that the lead is not merged. */
export const leadConditions = (
  sql: PgClient,
  organizationId: OrganizationId,
  filter: ResolvedFilter
): Array<Fragment> => [
  sql`l.merged_into is null`,
  ...textConditions(sql, filter),
  ...factConditions(sql, filter),
  ...placeConditions(sql, organizationId, filter)
]
