/**
 * The filters of lead.search: each as a condition on the lead `l`, and most also as the ids of the leads that may meet it, off
 * an index. Only filters that are given, since a condition such as "the filter is null or …" prevents the use of any index.
 *
 * The rule is that of `searchLeads.ts` in the in-memory store; the contract suite compares both.
 */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import { searchedFields, snakeCase } from "@svc/core/internal"
import type { LeadFilter, LeadLabel } from "@svc/core/leads"
import type { Fragment } from "effect/sql/Statement"

/** A line of the searchable text of a lead `l`, in lower case. */
export const foldedLine = (field: (typeof searchedFields)[number]): string =>
  `coalesce(split_part(l.search_text, E'\\n', ${searchedFields.indexOf(field) + 1}), lower(l.${snakeCase(field)} collate "C")) collate "C"`

const searchedColumns = searchedFields.map((field) => `l.${snakeCase(field)}`).join(` || E'\\n' || `)

/** Everything that a query searches, one text per line, in the order of {@link searchedFields}. */
const foldedText = `coalesce(l.search_text, lower((${searchedColumns}) collate "C")) collate "C"`

/** A filter. */
export interface Condition {
  /** On the lead `l`, whose next action is `n`. */
  readonly where: Fragment
  /** A query of the ids of all leads that meet it; undefined where no index has them. */
  readonly ids?: Fragment
  /** Whether some of those ids are of leads that do not meet it. */
  readonly isRough?: boolean
  /** Whether the ids are read off an index here; by default they are. */
  readonly isIndexed?: Fragment
  /** Of a label: what its rows `l` of `lead_labels` meet, which are in the order of lists. */
  readonly label?: Fragment
}

/** A label: of a lead by the lead where it is known already. */
const labelled = (sql: PgClient, organizationId: OrganizationId, { name, value }: LeadLabel): Condition => {
  const rows = sql`from svc.lead_labels k
    where k.organization_id = ${organizationId} and k.name = ${name}::text and k.value = ${value}::text`
  return {
    where: sql`(select true ${rows} and k.lead_id = l.id limit 1)`,
    // In order, so that no more are read than are counted: those that changed last.
    ids: sql`select k.lead_id collate "default" as id ${rows} order by k.updated_at desc, k.lead_id desc`,
    label: sql`l.name = ${name}::text and l.value = ${value}::text`
  }
}

/** Leads of an organization from which on its texts are searched with the index of pieces of texts. */
const large = 20_000

/** Whether an index of pieces of three characters helps to find a text; the border of a word counts as one. */
const hasPieces = (text: string): boolean =>
  /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]{2}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(text)

/** A text as a part of a pattern of `like`. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, "\\$&")

/** The filters of texts; `known` is a condition with the ids of the leads that meet it. */
const textConditions = (
  sql: PgClient,
  organizationId: OrganizationId,
  { company, firstName, jobTitle, lastName, query }: LeadFilter,
  known: (where: Fragment) => Condition
): ReadonlyArray<Condition> => {
  const isSmall = sql`(select count(*) from (
    select 1 from svc.leads where organization_id = ${organizationId} limit ${large}) f) < ${large}`
  /** Every part of a lead's texts is a part of them all, which an index may know. */
  const contains = (part: string, exactly: Fragment = sql`true`): Condition => ({
    ...known(sql`${sql.literal(foldedText)} like ${`%${escaped(part.toLowerCase())}%`}::text and ${exactly}`),
    isIndexed: hasPieces(part) ? sql`(to_regclass('svc.leads_text') is not null or ${isSmall})` : isSmall
  })
  const inLine = (field: "company" | "jobTitle", part: string) =>
    contains(part, sql`strpos(${sql.literal(foldedLine(field))}, ${part.toLowerCase()}::text) > 0`)
  const name = sql.literal(foldedLine("name"))
  const start = firstName?.toLowerCase()
  const end = lastName?.toLowerCase()
  return [
    ...(query ? [contains(query)] : []),
    ...(start ? [known(sql`starts_with(${name}, ${start}::text)`)] : []),
    ...(end ? [contains(`${end}\n`, sql`right(${name}, length(${end}::text)) = ${end}::text`)] : []),
    ...(jobTitle ? [inLine("jobTitle", jobTitle)] : []),
    ...(company ? [inLine("company", company)] : [])
  ]
}

/** The latest relation of the lead `l`, as the filter has it. */
const latestRelation = (sql: PgClient, organizationId: OrganizationId): Fragment => sql`coalesce((
  select case when r.connected then 'connected' when r.invited_at is not null then 'invited' else 'none' end
  from svc.lead_relations r where r.organization_id = ${organizationId} and r.lead_id = l.id
  order by r.checked_at desc, r.account_id collate "C" limit 1), 'none')`

/** The given filters, but for whether the lead is merged. */
export const leadConditions = (
  sql: PgClient,
  organizationId: OrganizationId,
  filter: LeadFilter,
  at: string
): ReadonlyArray<Condition> => {
  const { createdAfter, email, hasConversation, hasEmail, importId, isFlagged, mission, needsAction } = filter
  const { relation, scoreMin, statuses, updatedAfter } = filter
  const known = (where: Fragment): Condition => ({
    where,
    ids: sql`select l.id from svc.leads l
      where l.organization_id = ${organizationId} and l.merged_into is null and ${where}`
  })
  /** Leads that a table names, which is looked up by the lead where it is known already. */
  const named = (rows: Fragment, order = sql``): Condition => ({
    where: sql`(select true ${rows} and k.lead_id = l.id limit 1)`,
    ids: sql`select k.lead_id as id ${rows} ${order}`
  })
  const changedSince = (where: Fragment, instant: string): Condition => ({
    where,
    ids: sql`select r.lead_id collate "default" as id from svc.lead_recency r
      where r.organization_id = ${organizationId} and r.updated_at > ${instant}::timestamptz`,
    isRough: true
  })
  const conditions = [
    ...textConditions(sql, organizationId, filter, known),
    ...(filter.labels ?? []).map((label) => labelled(sql, organizationId, label))
  ]
  if (statuses !== undefined) conditions.push(known(sql`l.status = any (${[...statuses]}::text[])`))
  if (scoreMin !== undefined && scoreMin > 0) conditions.push(known(sql`- l.score <= - ${scoreMin}::double precision`))
  if (isFlagged !== undefined) conditions.push(isFlagged ? known(sql`l.is_flagged`) : { where: sql`not l.is_flagged` })
  if (hasEmail !== undefined) conditions.push(hasEmail ? { where: sql`l.email <> ''` } : known(sql`l.email = ''`))
  if (hasConversation !== undefined) {
    conditions.push(hasConversation ? known(sql`l.turn is not null`) : { where: sql`l.turn is null` })
  }
  if (email !== undefined) {
    const holder = sql`select i.lead_id as id from svc.lead_identities i
      where i.organization_id = ${organizationId} and i.kind = 'email' and i.value = ${email}::text`
    conditions.push({ where: sql`l.id = (${holder})`, ids: holder })
  }
  if (mission !== undefined) {
    conditions.push(
      // In order, so that no more of a large mission are read than are counted.
      named(
        sql`from svc.lead_missions k where k.organization_id = ${organizationId} and k.mission_id = (
        select m.id from svc.missions m
        where m.organization_id = ${organizationId} and (m.id = ${mission} or m.handle = ${mission})
        order by m.id = ${mission} desc limit 1)`,
        sql`order by k.lead_id`
      )
    )
  }
  if (importId !== undefined) {
    conditions.push({
      ...named(
        sql`from svc.import_rows k where k.organization_id = ${organizationId} and k.import_id = ${importId}::text`
      ),
      isRough: true
    })
  }
  if (relation !== undefined) {
    const where = sql`${latestRelation(sql, organizationId)} = ${relation}::text`
    const ids = sql`select r.lead_id as id from svc.lead_relations r where r.organization_id = ${organizationId}
      and (r.connected or r.invited_at is not null) and r.connected = ${relation === "connected"}::boolean`
    conditions.push(relation === "none" ? { where } : { where, ids, isRough: true })
  }
  if (needsAction !== undefined) {
    const ids = sql`select a.lead_id as id from svc.lead_actions a
      where a.organization_id = ${organizationId} and a.rank is not null and a.from_at <= ${at}::timestamptz`
    conditions.push(needsAction ? { where: sql`n.rank is not null`, ids } : { where: sql`n.rank is null` })
  }
  if (createdAfter !== undefined) {
    conditions.push(changedSince(sql`l.created_at > ${createdAfter}::timestamptz`, createdAfter))
  }
  if (updatedAfter !== undefined) {
    conditions.push(changedSince(sql`l.updated_at > ${updatedAfter}::timestamptz`, updatedAfter))
  }
  return conditions
}
