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
import {
  type LeadFilter,
  type LeadPage,
  type LeadSort,
  type ListedLead,
  largestTotal,
  positionOf
} from "@svc/core/leads/LeadSearch"
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
  /** Looks only at the next so many leads in the order for those that are in the mission. */
  readonly near?: number | undefined
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

/** The ids of the leads of a mission among the next leads that match everything else, in order. */
const nearInOrder = (
  sql: PgClient,
  { filter: { mission, ...filter }, near, organizationId, sort }: Search & { readonly near: number },
  rest: ReadonlyArray<Fragment>
): Fragment => {
  const { columns, order } = keysOf(sort)
  const conditions = [...leadConditions(sql, organizationId, { ...filter, mission: undefined }), ...rest]
  return sql`
    select c.id from (
      select l.id, ${sql.literal(columns)} from leads l
      where l.organization_id = ${organizationId} and ${sql.and(conditions)}
      order by ${sql.literal(orders[sort])} limit ${near}
    ) c
    where (
      select true from lead_missions k
      where k.organization_id = ${organizationId} and k.mission_id = ${mission?.id ?? null}::text and k.lead_id = c.id
      limit 1)
    order by ${sql.literal(order)}`
}

/**
 * The ids of the leads that match, in order, of one action if a rank is given. Whom an action is asked of is first put in
 * order, so that it is worked out of no more leads than are asked for.
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

/** So many leads are looked at one by one sooner than all of a large mission. */
export const near = 2_000

/** Whether the next leads in order may well be in the mission: it is large, and nothing else is asked that has no index. */
const mayBeNear = ({ among, filter: { mission, needsAction } }: Search): boolean =>
  mission?.isLarge === true && among === undefined && needsAction === undefined

/** How many match, up to what is counted. */
const totalOf = (sql: PgClient, search: Search): Fragment => {
  const { filter, organizationId } = search
  const { mission, needsAction } = filter
  const counted = (some: Fragment): Fragment =>
    sql`(select count(*)::int as n from (select 1 from (${some}) each limit ${largestTotal}) c)`
  const conditions = leadConditions(sql, organizationId, { ...filter, mission: undefined })
  if (mission !== undefined && needsAction === undefined && conditions.length === 1) {
    return counted(sql`
      select lead_id from lead_missions where organization_id = ${organizationId} and mission_id = ${mission.id}::text
      order by lead_id`)
  }
  // In an order that an index has. All that match are looked at, so a join over the whole mission is as good.
  const all: Search = {
    ...search,
    near: undefined,
    sort: needsAction === true ? "action" : "recent",
    filter: { ...filter, mission: needsAction === undefined ? mission && { ...mission, isLarge: false } : mission }
  }
  const parts = (needsAction === true ? actionRanks : [undefined]).map(
    (rank) => sql`(${inOrder(sql, all, rank, [])} limit ${largestTotal})`
  )
  const total = counted(joined(sql, parts))
  if (!mayBeNear(search)) return total
  const near = nearInOrder(sql, { ...all, near: 2 * largestTotal }, [])
  return sql`coalesce((select n from ${counted(near)} f where n = ${largestTotal}), ${total})`
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
