/**
 * The filters of lead.search as conditions on `leads l`: only those that are given, since a condition such as "the filter
 * is null or …" prevents the use of any index.
 *
 * The rule is that of `searchLeads.ts` in the in-memory store; the contract suite compares both.
 */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import { searchedFields, snakeCase } from "@svc/core/internal"
import type { LeadFilter, RelationFilter } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"

/** A line of the searchable text of a lead `l`, in lower case. */
export const foldedLine = (field: (typeof searchedFields)[number]): string =>
  `coalesce(split_part(l.search_text, E'\\n', ${searchedFields.indexOf(field) + 1}), lower(l.${snakeCase(field)} collate "C")) collate "C"`

const searchedColumns = searchedFields.map((field) => `l.${snakeCase(field)}`).join(` || E'\\n' || `)

/** Everything that a query searches, one text per line, in the order of {@link searchedFields}. */
const foldedText = `coalesce(l.search_text, lower((${searchedColumns}) collate "C")) collate "C"`

/** A mission and whether it has many leads. */
export interface NamedMission {
  readonly id: string
  readonly isLarge: boolean
}

/** From this many leads on, scanning leads in order is faster than reading the mission. */
export const large = 5_000

/** The mission of an id or a handle; or undefined. */
export const namedMission = (sql: PgClient, organizationId: OrganizationId, idOrHandle: string) =>
  Effect.map(
    sql<NamedMission>`
      select m.id, (
        select count(*) from (
          select 1 from svc.lead_missions k
          where k.organization_id = ${organizationId} and k.mission_id = m.id limit ${large}
        ) few
      ) = ${large} as "isLarge"
      from svc.missions m
      where m.organization_id = ${organizationId} and (m.id = ${idOrHandle} or m.handle = ${idOrHandle})
    `,
    ([row]) => row
  )

/**
 * Whether the lead `l` is in the mission. In a large one each lead is looked up, so that a list in order stops early and reads
 * no more members than leads.
 */
export const inMission = (sql: PgClient, organizationId: OrganizationId, { id, isLarge }: NamedMission): Fragment => {
  const members = sql`from svc.lead_missions k
    where k.organization_id = ${organizationId} and k.mission_id = ${id}::text`
  return isLarge
    ? sql`(select true ${members} and k.lead_id = l.id limit 1)`
    : sql`l.id in (select k.lead_id ${members})`
}

/** A filter whose mission was looked up. */
export type ResolvedFilter = Omit<LeadFilter, "mission"> & { readonly mission: NamedMission | undefined }

/** A text as a part of a pattern of `like`. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, "\\$&")

const textConditions = (
  sql: PgClient,
  { company, firstName, jobTitle, lastName, query }: ResolvedFilter
): ReadonlyArray<Fragment> => {
  const conditions: Array<Fragment> = []
  /** Every part of a lead's texts is a part of them all, which an index may know. */
  const contains = (part: string) => sql`${sql.literal(foldedText)} like ${`%${escaped(part.toLowerCase())}%`}::text`
  const lineContains = (line: string, part: string) =>
    sql`${contains(part)} and strpos(${sql.literal(line)}, ${part.toLowerCase()}::text) > 0`
  const name = sql.literal(foldedLine("name"))
  if (query) conditions.push(contains(query))
  if (firstName) conditions.push(sql`starts_with(${name}, ${firstName.toLowerCase()}::text)`)
  if (lastName) {
    const ends = `${lastName}\n`
    conditions.push(
      contains(ends),
      sql`right(${name}, length(${lastName.toLowerCase()}::text)) = ${lastName.toLowerCase()}::text`
    )
  }
  if (jobTitle) conditions.push(lineContains(foldedLine("jobTitle"), jobTitle))
  if (company) conditions.push(lineContains(foldedLine("company"), company))
  return conditions
}

const factConditions = (sql: PgClient, filter: ResolvedFilter): ReadonlyArray<Fragment> => {
  const { createdAfter, hasConversation, hasEmail, isFlagged, scoreMin, statuses } = filter
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
    conditions.push(hasConversation ? sql`l.turn is not null` : sql`l.turn is null`)
  }
  if (createdAfter !== undefined) conditions.push(sql`l.created_at > ${createdAfter}::timestamptz`)
  return conditions
}

const relationCondition = (
  sql: PgClient,
  organizationId: OrganizationId,
  relation: RelationFilter,
  isWalk: boolean
): ReadonlyArray<Fragment> => {
  const latest = sql`coalesce((
    select case when r.connected then 'connected' when r.invited_at is not null then 'invited' else 'none' end
    from svc.lead_relations r where r.organization_id = ${organizationId} and r.lead_id = l.id
    order by r.checked_at desc, r.account_id collate "C" limit 1), 'none') = ${relation}::text`
  // Only leads with a relation can match. On a walk each lead is looked up anyway.
  const known = sql`l.id in (select r.lead_id from svc.lead_relations r where r.organization_id = ${organizationId})`
  return relation === "none" || isWalk ? [latest] : [known, latest]
}

const placeConditions = (
  sql: PgClient,
  organizationId: OrganizationId,
  { email, importId, mission, relation }: ResolvedFilter,
  isWalk: boolean
): ReadonlyArray<Fragment> => {
  const conditions: Array<Fragment> = []
  if (email !== undefined) {
    conditions.push(sql`l.id = (
      select i.lead_id from svc.lead_identities i
      where i.organization_id = ${organizationId} and i.kind = 'email' and i.value = ${email}::text)`)
  }
  if (mission !== undefined) {
    conditions.push(inMission(sql, organizationId, { ...mission, isLarge: mission.isLarge || isWalk }))
  }
  if (importId !== undefined) {
    const rows = sql`from svc.import_rows r where r.organization_id = ${organizationId} and r.import_id = ${importId}::text`
    conditions.push(
      isWalk ? sql`(select true ${rows} and r.lead_id = l.id limit 1)` : sql`l.id in (select r.lead_id ${rows})`
    )
  }
  return relation === undefined
    ? conditions
    : [...conditions, ...relationCondition(sql, organizationId, relation, isWalk)]
}

/** Since when a lead must have changed: one that was created after an instant has also changed after it. */
export const changedAfter = ({ createdAfter, updatedAfter }: ResolvedFilter): ReadonlyArray<string> =>
  [createdAfter, updatedAfter].filter((instant) => instant !== undefined)

/**
 * The conditions of a filter except `needsAction` and the organization, including that the lead is not merged.
 * `isWalk`: leads are read in the order of their last changes, of which the reader ends the range itself.
 */
export const leadConditions = (
  sql: PgClient,
  organizationId: OrganizationId,
  filter: ResolvedFilter,
  isWalk = false
): Array<Fragment> => [
  sql`l.merged_into is null`,
  ...textConditions(sql, filter),
  ...factConditions(sql, filter),
  ...placeConditions(sql, organizationId, filter, isWalk),
  ...(isWalk ? [] : changedAfter(filter)).map(
    (instant) => sql`l.id in (
      select c.lead_id collate "default" from svc.lead_recency c
      where c.organization_id = ${organizationId} and c.updated_at > ${instant}::timestamptz)`
  )
]

/** Whether the filter may leave only few leads: then they are sorted rather than found on a walk through all. */
export const mayBeSelective = (filter: ResolvedFilter): boolean => {
  const { createdAfter: _c, hasEmail, isFlagged, needsAction: _n, relation, updatedAfter: _u, ...others } = filter
  return (
    isFlagged === true ||
    hasEmail === false ||
    (relation ?? "none") !== "none" ||
    Object.values(others).some((value) => value !== undefined)
  )
}
