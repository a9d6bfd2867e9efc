/**
 * Searching leads in PostgreSQL. The rule is that of the in-memory store.
 *
 * A page is read from an index in its order and starts where the previous one ended, so every page costs the same. Lists by
 * next action combine the few candidates of each action. Statements vary with the given filters, so they are planned with
 * their values and not kept.
 *
 * Searching inside texts has no index: all leads are scanned once, and if only a few match, only those are ordered and
 * counted.
 */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type OrganizationId, type PageRequest, type Position, type StoreFailure } from "@svc/core"
import { type LeadFilter, type LeadPage, type LeadSort, type ListedLead, maxTotal, positionOf } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { texts } from "../columnParameter.ts"
import { orUnavailable } from "../SqlFailure.ts"
import {
  type ActionScope,
  actionRanks,
  actionSource,
  hasRank,
  hintEarlyStop,
  idleRank,
  leadAction
} from "./leadAction.ts"
import { leadConditions, type ResolvedFilter } from "./leadConditions.ts"
import { type ListedRow, listedOf } from "./leadRows.ts"
import { namedMission } from "./namedMission.ts"

type After = Position | undefined

/** The order of a sort, as in its index; for `action` the order within one action. */
const orders = {
  action: `- l.score, l.id collate "C"`,
  score: `- l.score, l.id collate "C"`,
  recent: `l.updated_at desc, l.id collate "C" desc`,
  name: `split_part(l.search_text, E'\\n', 1) collate "C", l.id collate "C"`
} as const satisfies Record<LeadSort, string>

/** The condition for the rows after a position. */
const restOf = (sql: PgClient, sort: LeadSort, after: After): ReadonlyArray<Fragment> => {
  if (after === undefined) return []
  const [a = null, b = null] = after
  switch (sort) {
    case "action":
    case "score":
      return [sql`(- l.score, l.id collate "C") > (${a}::double precision, ${b}::text collate "C")`]
    case "recent":
      return [sql`(l.updated_at, l.id collate "C") < (${a}::timestamptz, ${b}::text collate "C")`]
    case "name":
      return [
        sql`(split_part(l.search_text, E'\n', 1) collate "C", l.id collate "C")
          > (${a}::text collate "C", ${b}::text collate "C")`
      ]
  }
}

/** The two columns of an order under aliases, for subqueries in that order. */
const keysOf = (sort: LeadSort): { readonly columns: string; readonly order: string } => {
  const [first = "", second = ""] = orders[sort].replaceAll(" desc", "").split(/, (?=l\.id)/)
  const direction = sort === "recent" ? " desc" : ""
  return { columns: `${first} as k1, ${second} as k2`, order: `k1${direction}, k2${direction}` }
}

/** A search. */
interface Search extends ActionScope {
  readonly filter: ResolvedFilter
  /** The ids of all leads that match everything but `needsAction`, if known; then no other lead is read. */
  readonly candidates?: ReadonlyArray<string> | undefined
  /** How many leads in order are scanned for leads of the mission. */
  readonly near?: number | undefined
  readonly sort: LeadSort
  readonly after: After
  readonly limit: number
}

/** One list in order, or one for each action. */
type Part = { readonly rank: number | undefined; readonly after: After }

/** The lists that make up a page, without the actions before its start. */
const partsOf = ({ after, filter, sort }: Search, ranks: ReadonlyArray<number>): ReadonlyArray<Part> => {
  if (sort !== "action") {
    return filter.needsAction === true ? ranks.map((rank) => ({ rank, after })) : [{ rank: undefined, after }]
  }
  const [at, ...rest] = after ?? [-1]
  return ranks
    .filter((rank) => rank >= Number(at))
    .map((rank) => ({ rank, after: rank === Number(at) && after !== undefined ? rest : undefined }))
}

/** The leads `l` to read, and their remaining conditions. */
const leadsOf = (sql: PgClient, { candidates, filter, organizationId }: Search) =>
  candidates === undefined
    ? { from: sql`svc.leads l`, conditions: leadConditions(sql, organizationId, filter) }
    : {
        from: sql`unnest(${texts(candidates)}) as g (id) cross join lateral (
          select * from svc.leads where organization_id = ${organizationId} and id = g.id limit 1) l`,
        conditions: []
      }

/** The ids of the leads of a mission, in order, among the next leads that match everything else. */
const nearInOrder = (
  sql: PgClient,
  { filter: { mission, ...filter }, near, organizationId, sort }: Search & { readonly near: number },
  rest: ReadonlyArray<Fragment>
): Fragment => {
  const { columns, order } = keysOf(sort)
  const conditions = [...leadConditions(sql, organizationId, { ...filter, mission: undefined }), ...rest]
  return sql`
    select c.id from (
      select l.id, ${sql.literal(columns)} from svc.leads l
      where l.organization_id = ${organizationId} and ${sql.and(conditions)}
      order by ${sql.literal(orders[sort])} limit ${near}
    ) c
    where (
      select true from svc.lead_missions k
      where k.organization_id = ${organizationId} and k.mission_id = ${mission?.id ?? null}::text and k.lead_id = c.id
      limit 1)
    order by ${sql.literal(order)}`
}

/**
 * The ids of matching leads in order, of one action if a rank is given. Candidates are ordered first, so that actions are
 * computed for no more leads than needed.
 */
const inOrder = (sql: PgClient, search: Search, part: number | undefined, rest: ReadonlyArray<Fragment>): Fragment => {
  const { filter, near, organizationId, sort } = search
  if (near !== undefined) return nearInOrder(sql, { ...search, near }, rest)
  const leads = leadsOf(sql, search)
  const conditions = [...leads.conditions, ...rest]
  const rank = part ?? (filter.needsAction === false ? idleRank : undefined)
  if (rank === undefined) {
    return sql`
      select l.id from ${leads.from} where l.organization_id = ${organizationId} and ${sql.and(conditions)}
      order by ${sql.literal(orders[sort])}`
  }
  const { columns, order } = keysOf(sort)
  return sql`
    select c.id from (
      select l.id, ${sql.literal(columns)} from ${leads.from}
      where l.organization_id = ${organizationId} and ${sql.and([...conditions, actionSource(sql, { ...search, isOfMission: filter.mission !== undefined }, rank)])}
      order by ${sql.literal(order)} ${hintEarlyStop(sql)}
    ) c
    cross join lateral (
      select * from svc.leads l where l.organization_id = ${organizationId} and l.id = c.id offset 0) l
    cross join lateral ${leadAction(sql, search)} n
    where ${hasRank(sql, rank)} order by ${sql.literal(order)}`
}

const joined = (sql: PgClient, parts: ReadonlyArray<Fragment>): Fragment =>
  sql.join(" union all ", false, "select null where false")(parts)

/** An empty page is one row with only the count. */
type PageRow = (ListedRow | { readonly id: null }) & { readonly total: number }

/** Scanning this many leads is faster than reading a large mission. */
export const near = 2_000

/** Whether the next leads in order are probably in the mission: it is large, and all other filters have an index. */
const mayBeNear = ({ candidates, filter: { mission, needsAction } }: Search): boolean =>
  mission?.isLarge === true && candidates === undefined && needsAction === undefined

/** How many leads match, up to the maximum total. */
const totalOf = (sql: PgClient, search: Search): Fragment => {
  const { filter, organizationId } = search
  const { mission, needsAction } = filter
  const counted = (some: Fragment): Fragment =>
    sql`(select count(*)::int as n from (select 1 from (${some}) each limit ${maxTotal}) c)`
  const conditions = leadConditions(sql, organizationId, { ...filter, mission: undefined })
  if (mission !== undefined && needsAction === undefined && conditions.length === 1) {
    return counted(sql`
      select lead_id from svc.lead_missions where organization_id = ${organizationId} and mission_id = ${mission.id}::text
      order by lead_id`)
  }
  // In index order. All matching leads are read, so joining the whole mission is fine.
  const all: Search = {
    ...search,
    near: undefined,
    sort: needsAction === true ? "action" : "recent",
    filter: { ...filter, mission: needsAction === undefined ? mission && { ...mission, isLarge: false } : mission }
  }
  const parts = (needsAction === true ? actionRanks : [undefined]).map(
    (rank) => sql`(${inOrder(sql, all, rank, [])} limit ${maxTotal})`
  )
  const total = counted(joined(sql, parts))
  if (!mayBeNear(search)) return total
  const near = nearInOrder(sql, { ...all, near: 2 * maxTotal }, [])
  return sql`coalesce((select n from ${counted(near)} f where n = ${maxTotal}), ${total})`
}

/** The statement that reads a page and its count. */
export const searchStatement = (sql: PgClient, search: Search, ranks: ReadonlyArray<number>) => {
  const { limit, organizationId, sort } = search
  const order = sql.literal(orders[sort])
  const byRank = sort === "action" ? sql`n.rank, ` : sql``
  const pages = partsOf(search, ranks).map(
    ({ after, rank }) => sql`(${inOrder(sql, search, rank, restOf(sql, sort, after))} limit ${limit + 1})`
  )
  return sql<PageRow>`
    select ${totalOf(sql, search)} as total, page.*
    from (values (1)) as one (row)
    left join lateral (
      select l.id, l.name, l.headline, l.job_title, l.company, l.email, l.linkedin_url, l.avatar_url, l.status, l.score,
        l.is_flagged, l.last_inbound_at, l.last_outbound_at, l.created_at, l.updated_at, n.action,
        row_number() over (order by ${byRank}${order}) as place
      from (${joined(sql, pages)}) listed (id)
      join svc.leads l on l.organization_id = ${organizationId} and l.id = listed.id
      cross join lateral ${leadAction(sql, search)} n
      order by place limit ${limit + 1}
    ) page on true
    order by page.place
  `
}

/** Whether a filter searches inside texts. */
const isWithoutIndex = ({ company, jobTitle, query }: Omit<LeadFilter, "mission">): boolean =>
  [company, jobTitle, query].some((text) => text !== undefined && text !== "")

/** Sorting this many leads is faster than reading all leads in order. */
const maxCandidates = 1_000

/** The ids of the leads that match everything but `needsAction`; undefined when there are too many. */
const candidatesOf = (sql: PgClient, search: Search) =>
  Effect.map(
    sql<{ readonly id: string }>`
      select l.id from svc.leads l
      where l.organization_id = ${search.organizationId} and ${sql.and(leadsOf(sql, search).conditions)}
      limit ${maxCandidates + 1}
    `.unprepared,
    (found) => (found.length > maxCandidates ? undefined : found.map(({ id }) => id))
  )

/** A page of the leads that match. */
export const searchLeadsPg = (
  sql: PgClient,
  organizationId: OrganizationId,
  { mission: wanted, ...filter }: LeadFilter,
  sort: LeadSort,
  { after, limit }: PageRequest,
  at: string
): Effect.Effect<LeadPage, StoreFailure> =>
  Effect.gen(function* () {
    const mission = wanted === undefined ? undefined : yield* namedMission(sql, organizationId, wanted)
    if (wanted !== undefined && mission === undefined) return { items: [], next: undefined, total: 0 }
    const base = { organizationId, at, filter: { ...filter, mission }, sort, after, limit }
    const search: Search = { ...base, candidates: isWithoutIndex(filter) ? yield* candidatesOf(sql, base) : undefined }
    const read = (ranks: ReadonlyArray<number>, within: Search = search) =>
      searchStatement(sql, within, ranks).unprepared
    const listed = (page: ReadonlyArray<PageRow>) => page.flatMap((row) => (row.id === null ? [] : [listedOf(row)]))
    const pageOf = (items: ReadonlyArray<ListedLead>, total: number): LeadPage => ({
      ...cutPage(items.slice(0, limit + 1), limit, (lead) => positionOf(sort, lead)),
      total
    })
    if (mayBeNear(search) && sort !== "action") {
      const found = yield* read([], { ...search, near })
      if (found.length > limit) return pageOf(listed(found), found[0]?.total ?? 0)
    }
    const isIdle = filter.needsAction === false
    const rows = yield* read(sort === "action" && isIdle ? [idleRank] : actionRanks)
    const items = listed(rows)
    if (sort === "action" && filter.needsAction === undefined && items.length <= limit) {
      items.push(...listed(yield* read([idleRank])))
    }
    return pageOf(items, rows[0]?.total ?? 0)
  }).pipe(orUnavailable)
