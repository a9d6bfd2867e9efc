/**
 * Searching leads in PostgreSQL. The rule is that of the in-memory store.
 *
 * A page is read off an index in the order of its sort and begins where the one before ended, so every page costs the
 * same. What waits to be done is put together of the few leads that each kind of action can be about, kind by kind.
 * Statements vary with the filters that are given, so they are planned with their values and not kept.
 *
 * What is looked for in the middle of texts has no index: then all leads are looked at once, and where only a few match,
 * these are all that is put in order and counted.
 */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { Failure } from "@svc/core/Failure"
import { type LeadFilter, type LeadPage, type LeadSort, largestTotal, positionOf } from "@svc/core/leads/LeadSearch"
import { cutPage, type PageRequest, type Position } from "@svc/core/Page"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { texts } from "../columnParameter.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { type ActionScope, actionRanks, actionSource, hasRank, idleRank, leadAction, readInTurn } from "./leadAction.ts"
import { leadConditions, type ResolvedFilter } from "./leadConditions.ts"
import { type ListedRow, listedOf } from "./leadRows.ts"
import { namedMission } from "./namedMission.ts"

type After = Position | undefined

/** The order of a sort, as its index has it. Of sort `action` it is that within one action. */
const orders = {
  action: `- l.score, l.id collate "C"`,
  score: `- l.score, l.id collate "C"`,
  recent: `l.updated_at desc, l.id collate "C" desc`,
  name: `split_part(l.search_text, E'\\n', 1) collate "C", l.id collate "C"`
} as const satisfies Record<LeadSort, string>

/** What comes after a place within an order. */
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

/** The two columns of an order under names of their own, for what is read in that order before it is looked at closely. */
const keysOf = (sort: LeadSort): { readonly columns: string; readonly order: string } => {
  const [first = "", second = ""] = orders[sort].replaceAll(" desc", "").split(/, (?=l\.id)/)
  const direction = sort === "recent" ? " desc" : ""
  return { columns: `${first} as k1, ${second} as k2`, order: `k1${direction}, k2${direction}` }
}

/** What a statement of a search is about. */
interface Search extends ActionScope {
  readonly filter: ResolvedFilter
  /** The leads that match all but `needsAction`, when they are known already: then no other lead is looked at. */
  readonly among?: ReadonlyArray<string> | undefined
  readonly sort: LeadSort
  readonly after: After
  readonly limit: number
}

/** One list in order, or one for each action. */
type Part = { readonly rank: number | undefined; readonly after: After }

/** The parts that a page is put together of; none of an action that the page is past. */
const partsOf = ({ after, filter, sort }: Search, ranks: ReadonlyArray<number>): ReadonlyArray<Part> => {
  if (sort !== "action") {
    return filter.needsAction === true ? ranks.map((rank) => ({ rank, after })) : [{ rank: undefined, after }]
  }
  const [at, ...rest] = after ?? [-1]
  return ranks
    .filter((rank) => rank >= Number(at))
    .map((rank) => ({ rank, after: rank === Number(at) && after !== undefined ? rest : undefined }))
}

/** The leads of the organization, or those among which is searched, as `l`; and the conditions that are left to hold. */
const leadsOf = (sql: PgClient, { among, filter, organizationId }: Search) =>
  among === undefined
    ? { from: sql`leads l`, conditions: leadConditions(sql, organizationId, filter) }
    : {
        from: sql`unnest(${texts(among)}) as g (id) cross join lateral (
          select * from leads where organization_id = ${organizationId} and id = g.id limit 1) l`,
        conditions: []
      }

/**
 * The ids of the leads that match, in order, of one action if a rank is given. Whom an action is asked of is first put in
 * order, so that it is worked out of no more leads than are asked for.
 */
const inOrder = (sql: PgClient, search: Search, part: number | undefined, rest: ReadonlyArray<Fragment>): Fragment => {
  const { filter, organizationId, sort } = search
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
      where l.organization_id = ${organizationId} and ${sql.and([...conditions, actionSource(sql, search, rank)])}
      order by ${sql.literal(order)} ${readInTurn(sql)}
    ) c
    cross join lateral (
      select * from leads l where l.organization_id = ${organizationId} and l.id = c.id offset 0) l
    cross join lateral ${leadAction(sql, search)} n
    where ${hasRank(sql, rank)} order by ${sql.literal(order)}`
}

const joined = (sql: PgClient, parts: ReadonlyArray<Fragment>): Fragment =>
  sql.join(" union all ", false, "select null where false")(parts)

/** An empty page is one row that holds nothing but the count. */
type PageRow = (ListedRow | { readonly id: null }) & { readonly total: number }

/** The statement that reads a page and its count. */
export const searchStatement = (sql: PgClient, search: Search, ranks: ReadonlyArray<number>) => {
  const { limit, organizationId, sort } = search
  const order = sql.literal(orders[sort])
  const byRank = sort === "action" ? sql`n.rank, ` : sql``
  const pages = partsOf(search, ranks).map(
    ({ after, rank }) => sql`(${inOrder(sql, search, rank, restOf(sql, sort, after))} limit ${limit + 1})`
  )
  // All that match are counted, so a join over the whole mission is as good.
  const { mission, needsAction } = search.filter
  const all = { ...search, filter: { ...search.filter, mission: mission && { ...mission, isLarge: false } } }
  // In an order that an index has: that of actions, or the usual one.
  const sorted = { ...all, sort: needsAction === true ? ("action" as const) : ("recent" as const) }
  const counted = (needsAction === true ? actionRanks : [undefined]).map(
    (rank) => sql`(${inOrder(sql, sorted, rank, [])} limit ${largestTotal})`
  )
  return sql<PageRow>`
    select (select count(*)::int from (select 1 from (${joined(sql, counted)}) each limit ${largestTotal}) c) as total,
      page.*
    from (values (1)) as one (row)
    left join lateral (
      select l.id, l.name, l.headline, l.job_title, l.company, l.email, l.linkedin_url, l.avatar_url, l.status, l.score,
        l.is_flagged, l.last_inbound_at, l.last_outbound_at, l.created_at, l.updated_at, n.action,
        row_number() over (order by ${byRank}${order}) as place
      from (${joined(sql, pages)}) listed (id)
      join leads l on l.organization_id = ${organizationId} and l.id = listed.id
      cross join lateral ${leadAction(sql, search)} n
      order by place limit ${limit + 1}
    ) page on true
    order by page.place
  `
}

/** Whether a filter looks into the middle of texts. */
const isWithoutIndex = ({ company, jobTitle, query }: Omit<LeadFilter, "mission">): boolean =>
  [company, jobTitle, query].some((text) => text !== undefined && text !== "")

/** So many leads are put in order sooner than all leads are read in it. */
const few = 1_000

/** The leads that match all but `needsAction`; undefined when there are more than a few. */
const fewOf = (sql: PgClient, search: Search) =>
  Effect.map(
    sql<{ readonly id: string }>`
      select l.id from leads l
      where l.organization_id = ${search.organizationId} and ${sql.and(leadsOf(sql, search).conditions)}
      limit ${few + 1}
    `.unprepared,
    (found) => (found.length > few ? undefined : found.map(({ id }) => id))
  )

/** A page of the leads that match. */
export const searchLeadsPg = (
  sql: PgClient,
  organizationId: string,
  { mission: wanted, ...filter }: LeadFilter,
  sort: LeadSort,
  { after, limit }: PageRequest,
  at: string
): Effect.Effect<LeadPage, Failure> =>
  Effect.gen(function* () {
    const mission = wanted === undefined ? undefined : yield* namedMission(sql, organizationId, wanted)
    if (wanted !== undefined && mission === undefined) return { items: [], next: undefined, total: 0 }
    const meant = { organizationId, at, filter: { ...filter, mission }, sort, after, limit }
    const search: Search = { ...meant, among: isWithoutIndex(filter) ? yield* fewOf(sql, meant) : undefined }
    const read = (ranks: ReadonlyArray<number>) => searchStatement(sql, search, ranks).unprepared
    const isIdle = filter.needsAction === false
    const rows = yield* read(sort === "action" && isIdle ? [idleRank] : actionRanks)
    const listed = (page: ReadonlyArray<PageRow>) => page.flatMap((row) => (row.id === null ? [] : [listedOf(row)]))
    const items = listed(rows)
    if (sort === "action" && filter.needsAction === undefined && items.length <= limit) {
      items.push(...listed(yield* read([idleRank])))
    }
    return {
      ...cutPage(items.slice(0, limit + 1), limit, (lead) => positionOf(sort, lead)),
      total: rows[0]?.total ?? 0
    }
  }).pipe(orUnavailable)
