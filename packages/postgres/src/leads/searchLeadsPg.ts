/**
 * Searching leads in PostgreSQL. The rule is that of the in-memory store.
 *
 * A page is read from an index in its order and starts where the previous one ended, so every page costs the same. Lists by
 * next action combine the few candidates of each action. Statements vary with the given filters, so they are planned with
 * their values and not kept.
 *
 * The last changes of leads are a table of their own, `lead_recency`: no index of leads has them. So in that order leads are
 * either found on a walk through it, if many match, or sorted, if few do, which their count tells.
 *
 * What searches inside texts is looked for first, in the index of pieces of texts if there is one; if only some leads match,
 * only those are ordered and counted.
 */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type OrganizationId, type PageRequest, type StoreFailure } from "@svc/core"
import { type LeadFilter, type LeadPage, type LeadSort, type ListedLead, maxTotal, positionOf } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { type RowOf, recordOf, texts } from "../columns.ts"
import { orUnavailable } from "../SqlFailure.ts"
import {
  type ActionScope,
  actionRanks,
  actionSource,
  hasRank,
  hintEarlyStop,
  idleRank,
  isBusy,
  leadAction
} from "./leadAction.ts"
import { changedAfter, leadConditions, mayBeSelective, namedMission, type ResolvedFilter } from "./leadConditions.ts"
import { type After, keysOf, type Order, orderOf, orders, restOf } from "./leadOrders.ts"
import { contentColumns } from "./leadRows.ts"

/** A search. */
interface Search extends ActionScope {
  readonly filter: ResolvedFilter
  /** The ids of all leads that match everything but `needsAction`, if known; then no other lead is read. */
  readonly candidates?: ReadonlyArray<string> | undefined
  /** How many match everything but `needsAction`, up to the maximum total, if known. */
  readonly known?: number | undefined
  /** How many leads in order are scanned for leads of the mission. */
  readonly near?: number | undefined
  readonly sort: Order
  readonly after: After
  readonly limit: number
}

/** One list in order, or one for each action; `any`: all with an action. */
type Part = { readonly rank: number | "any" | undefined; readonly after: After }

/** How a list is read. */
type Way = "sorted" | "walk" | "sorted if few" | "walk if many"

/** Whether leads with an action are listed in an order that no index of actions has. If many, all leads are read in it. */
const isOfAnyAction = ({ candidates, filter, sort }: Search): boolean =>
  filter.needsAction === true && candidates === undefined && (sort === "recent" || sort === "name")

/** In the order of the last changes, leads with an action are sorted if they are few, and those without one found on a walk. */
const waysOf = (search: Search, { rank }: Part): ReadonlyArray<Way> => {
  const { candidates, filter, near, sort } = search
  if (isOfAnyAction(search)) return [rank === "any" ? "walk if many" : "sorted if few"]
  if (sort !== "recent" || candidates !== undefined || near !== undefined) return ["sorted"]
  if (rank !== undefined && rank !== idleRank) return ["sorted"]
  if (rank === idleRank || filter.needsAction === false) {
    return [mayBeSelective({ ...filter, statuses: undefined }) ? "sorted" : "walk"]
  }
  return mayBeSelective(filter) ? ["sorted if few", "walk if many"] : ["walk"]
}

/** The lists that make up a page, without the actions before its start. */
const partsOf = (search: Search, ranks: ReadonlyArray<number>): ReadonlyArray<Part> => {
  const { after, filter, sort } = search
  if (sort !== "action") {
    const all = isOfAnyAction(search) ? ([...ranks, "any"] as const) : ranks
    return (filter.needsAction === true ? all : [undefined]).map((rank) => ({ rank, after }))
  }
  const [at, ...rest] = after ?? [-1]
  return ranks
    .filter((rank) => rank >= Number(at))
    .map((rank) => ({ rank, after: rank === Number(at) && after !== undefined ? rest : undefined }))
}

/** The leads `l` to read, and their remaining conditions. */
const leadsOf = (sql: PgClient, { candidates, filter, organizationId }: Search, isWalk: boolean) => {
  if (candidates !== undefined) {
    return {
      from: sql`unnest(${texts(candidates)}) as g (id) cross join lateral (
        select * from svc.leads where organization_id = ${organizationId} and id = g.id limit 1) l`,
      conditions: []
    }
  }
  const conditions = leadConditions(sql, organizationId, filter, isWalk)
  if (!isWalk) return { from: sql`svc.leads l`, conditions }
  const range = changedAfter(filter).map((instant) => sql`r.updated_at > ${instant}::timestamptz`)
  return {
    from: sql`svc.lead_recency r cross join lateral (
      select * from svc.leads where organization_id = ${organizationId} and id = r.lead_id collate "default" offset 0) l`,
    conditions: [sql`r.organization_id = ${organizationId}`, ...range, ...conditions]
  }
}

/** The ids of the leads of a mission, in order, among the next leads that match everything else. */
const nearInOrder = (sql: PgClient, search: Search & { readonly near: number }, after: After): Fragment => {
  const { filter, near, organizationId, sort } = search
  const isWalk = sort === "recent"
  const { columns, order } = keysOf(sort, isWalk)
  const leads = leadsOf(sql, { ...search, filter: { ...filter, mission: undefined } }, isWalk)
  return sql`
    select c.id from (
      select l.id, ${sql.literal(columns)} from ${leads.from}
      where l.organization_id = ${organizationId} and ${sql.and([...leads.conditions, ...restOf(sql, sort, after, isWalk)])}
      order by ${sql.literal(orderOf(sort, isWalk))} limit ${near}
    ) c
    where (
      select true from svc.lead_missions k
      where k.organization_id = ${organizationId} and k.mission_id = ${filter.mission?.id ?? null}::text and k.lead_id = c.id
      limit 1)
    order by ${sql.literal(order)}`
}

/**
 * The ids of matching leads in order, of one action if a rank is given. Candidates are ordered first, so that actions are
 * computed for no more leads than needed.
 */
const inOrder = (sql: PgClient, search: Search, { after, rank: part }: Part, way: Way = "sorted"): Fragment => {
  const { filter, near, organizationId, sort } = search
  if (near !== undefined) return nearInOrder(sql, { ...search, near }, after)
  const isWalk = sort === "recent" && way !== "sorted" && way !== "sorted if few"
  const leads = leadsOf(sql, search, isWalk)
  const conditions = [...leads.conditions, ...restOf(sql, sort, after, isWalk)]
  if (way === "sorted if few") conditions.push(sql`(select total from matching) < ${maxTotal}`)
  if (way === "walk if many") conditions.push(sql`(select total from matching) >= ${maxTotal}`)
  const scope = { ...search, isOfMission: filter.mission !== undefined }
  if (part === "any") {
    conditions.push(sql`(${isBusy(sql, scope)} or (select n.rank from ${leadAction(sql, search)} n) <> ${idleRank})`)
  }
  const rank = part === "any" ? undefined : (part ?? (filter.needsAction === false ? idleRank : undefined))
  if (rank === undefined) {
    return sql`
      select l.id from ${leads.from} where l.organization_id = ${organizationId} and ${sql.and(conditions)}
      order by ${sql.literal(orderOf(sort, isWalk))}`
  }
  const { columns, order } = keysOf(sort, isWalk)
  return sql`
    select c.id from (
      select l.id, ${sql.literal(columns)} from ${leads.from}
      where l.organization_id = ${organizationId} and ${sql.and([...conditions, actionSource(sql, scope, rank)])}
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
type PageRow = (RowOf<ListedLead> | { readonly id: null }) & { readonly total: number; readonly place: bigint }

/** Scanning this many leads is faster than reading a large mission. */
export const near = 2_000

/** Whether the next leads in order are probably in the mission: it is large, and all other filters have an index. */
const mayBeNear = ({ candidates, filter: { mission, needsAction } }: Search): boolean =>
  mission?.isLarge === true && candidates === undefined && needsAction === undefined

/** How many leads match, up to the maximum total. */
const totalOf = (sql: PgClient, search: Search): Fragment => {
  const { filter, organizationId } = search
  const { mission, needsAction } = filter
  if (search.known !== undefined && needsAction === undefined) return sql`${search.known}::integer`
  const counted = (some: Fragment): Fragment =>
    sql`(select count(*)::int as n from (select 1 from (${some}) each limit ${maxTotal}) c)`
  const conditions = leadConditions(sql, organizationId, { ...filter, mission: undefined })
  const isWalk = needsAction === undefined && conditions.length > 1 && !mayBeSelective(filter)
  if (mission !== undefined && needsAction === undefined && conditions.length === 1) {
    return counted(sql`
      select lead_id from svc.lead_missions where organization_id = ${organizationId} and mission_id = ${mission.id}::text
      order by lead_id`)
  }
  // All matching leads are read, so joining the whole mission is fine.
  const all: Search = {
    ...search,
    near: undefined,
    sort: needsAction === true ? "action" : isWalk ? "recent" : "any",
    filter: { ...filter, mission: needsAction === undefined ? mission && { ...mission, isLarge: false } : mission }
  }
  const parts = (needsAction === true ? actionRanks : [undefined]).map(
    (rank) => sql`(${inOrder(sql, all, { rank, after: undefined }, isWalk ? "walk" : "sorted")} limit ${maxTotal})`
  )
  const total = counted(joined(sql, parts))
  if (needsAction === true) {
    const leads = leadsOf(sql, all, false)
    const busy = sql.and([...leads.conditions, isBusy(sql, { ...search, isOfMission: mission !== undefined })])
    const enough = counted(sql`select 1 from ${leads.from} where l.organization_id = ${organizationId} and ${busy}`)
    return sql`coalesce((select n from ${enough} f where n = ${maxTotal}), ${total})`
  }
  if (!mayBeNear(search)) return total
  const near = nearInOrder(sql, { ...all, near: 2 * maxTotal }, undefined)
  return sql`coalesce((select n from ${counted(near)} f where n = ${maxTotal}), ${total})`
}

/** The statement that reads a page and its count. */
export const searchStatement = (sql: PgClient, search: Search, ranks: ReadonlyArray<number>) => {
  const { limit, organizationId, sort } = search
  const order = sql.literal(orders[sort])
  const byRank = sort === "action" ? sql`n.rank, ` : sql``
  const pages = partsOf(search, ranks).flatMap((part) =>
    waysOf(search, part).map((way) => sql`(${inOrder(sql, search, part, way)} limit ${limit + 1})`)
  )
  return sql<PageRow>`
    with matching as materialized (select ${totalOf(sql, search)} as total)
    select matching.total, page.*
    from matching
    left join lateral (
      select l.id, ${sql.literal(contentColumns)}, l.status, l.last_inbound_at, l.last_outbound_at, l.created_at,
        l.updated_at, n.action,
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
const isOfTexts = ({ company, jobTitle, lastName, query }: Omit<LeadFilter, "mission">): boolean =>
  [company, jobTitle, lastName, query].some((text) => text !== undefined && text !== "")

/** Reading the texts of this many leads is as fast as the index of pieces of texts, which knows no organizations. */
const few = 20_000

/** The ids of the leads that match everything but `needsAction`, up to one more than the maximum total. */
const matchesOf = (sql: PgClient, search: Search) => {
  const { organizationId } = search
  const conditions = sql.and(leadsOf(sql, search, false).conditions)
  return Effect.map(
    sql<{ readonly id: string }>`
      with texts as materialized (
        select to_regclass('svc.leads_text') is not null and (
          select count(*) from (select 1 from svc.leads where organization_id = ${organizationId} limit ${few}) f
        ) = ${few} as have_index
      )
      select m.id from (
        select l.id from svc.leads l
        where l.organization_id = ${organizationId} and ${conditions} and not (select have_index from texts)
        union all
        -- Written so, the index of the organization is not read as well.
        select l.id from svc.leads l
        where (l.organization_id = ${organizationId}) is true and ${conditions} and (select have_index from texts)
      ) m
      limit ${maxTotal + 1}
    `.unprepared,
    (found) => found.map(({ id }) => id)
  )
}

/** A page of the leads that match. */
export const searchLeadsPg = Effect.fnUntraced(function* (
  sql: PgClient,
  organizationId: OrganizationId,
  { mission: wanted, ...filter }: LeadFilter,
  sort: LeadSort,
  { after, limit }: PageRequest,
  at: string
): Effect.fn.Return<LeadPage, StoreFailure | SqlError> {
  const mission = wanted === undefined ? undefined : yield* namedMission(sql, organizationId, wanted)
  if (wanted !== undefined && mission === undefined) return { items: [], next: undefined, total: 0 }
  const base = { organizationId, at, filter: { ...filter, mission }, sort, after, limit }
  const matches = isOfTexts(filter) ? yield* matchesOf(sql, base) : undefined
  const candidates = matches && matches.length <= maxTotal ? matches : undefined
  const search: Search = { ...base, candidates, known: matches && Math.min(matches.length, maxTotal) }
  const read = (ranks: ReadonlyArray<number>, within: Search = search) => searchStatement(sql, within, ranks).unprepared
  const listed = (page: ReadonlyArray<PageRow>) =>
    page.flatMap(({ place: _, total: __, ...row }) => (row.id === null ? [] : [recordOf<ListedLead>(row)]))
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
}, orUnavailable)
