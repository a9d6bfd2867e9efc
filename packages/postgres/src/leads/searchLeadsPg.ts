/**
 * Searching leads in PostgreSQL. The rule is that of the in-memory store.
 *
 * A filter that few leads meet is read off its own index, and those leads are sorted. Otherwise leads are read in the order of
 * the list, each with its filters, until the page is full; so every page costs the same. Which of the two is decided by counting
 * what the index of each filter has. No page looks at more than {@link maxRead} leads: one that finds fewer than it may hold
 * ends there, and the next page continues. Leads with a label are read in the order of those with it, and a search by labels reads
 * a bounded number of rows for each lead that a page may hold, however many have them. Statements vary with the given filters, so
 * they are planned with their values and not kept.
 */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type OrganizationId, type Page, type PageRequest, type Position, type StoreFailure } from "@svc/core"
import { ActionKind } from "@svc/core/internal"
import { type LeadFilter, type LeadSort, type ListedLead, maxLabelTotal, maxTotal, positionOf } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { type RowOf, recordOf } from "../columns.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { type Condition, leadConditions } from "./leadConditions.ts"
import { afterOf, idleRank, keysOf, placesOf, walkOf } from "./leadOrders.ts"
import { contentColumns } from "./leadRows.ts"

/** Leads that a page looks at, and that its count looks at, where no index has few that match. */
const maxRead = 20_000

/** Sorting this many is as fast as finding a page of them among a million. */
const few = 5_000

/**
 * Of a search by labels: leads that a page looks at, or sorts, for each that it may hold, shared by the filters that each lead is
 * looked up for.
 */
const labelledEach = 10

/** Leads that tell of two labels which has fewer leads around a page. */
const probed = 20

/** Leads of a work list that are looked at before a mission's are sorted. */
const near = 1_000

/** A search. */
interface Search {
  readonly organizationId: OrganizationId
  readonly at: string
  readonly filter: LeadFilter
  readonly sort: LeadSort
  readonly after: Position | undefined
  readonly limit: number
  readonly conditions: ReadonlyArray<Condition>
  /** The filter that few leads meet, if any. */
  readonly rarest?: Condition | undefined
  /** Labels that are wanted, first the one in whose order leads are read. */
  readonly labels: ReadonlyArray<Condition>
  /** How many leads match, if known. */
  readonly known?: number | undefined
  /** Leads that the page looks at, and that its count does. */
  readonly most: number
  readonly counted: number
  /** Upper bound of the total. */
  readonly maxTotal: number
  /** More columns of the lead `l`. */
  readonly more?: Fragment | undefined
}

/** The lead `l` of an id. */
const leadOf = (sql: PgClient, { organizationId }: Search): Fragment => sql`
  cross join lateral (select * from svc.leads where organization_id = ${organizationId} and id = w.id limit 1) l`

/** The action `n` of the lead `l`; `n.rank` is null where it has none at the instant. */
const actionOf = (sql: PgClient, { at, organizationId }: Search): Fragment => sql`
  left join lateral (
    select a.rank from svc.lead_actions a
    where a.organization_id = ${organizationId} and a.lead_id = l.id and a.from_at <= ${at}::timestamptz
    limit 1) n on true`

/** The leads that match of some leads `l`. */
const matching = (sql: PgClient, search: Search, columns: string, from: Fragment): Fragment => {
  const { conditions, filter, sort } = search
  const needsRank = filter.needsAction !== undefined || (sort === "action" && columns !== "")
  return sql`
    select ${sql.literal(columns)} from ${from} ${needsRank ? actionOf(sql, search) : sql``}
    where l.merged_into is null and ${sql.and(conditions.map(({ where }) => where))}`
}

/** Whether the list is all of an index in its order. */
const isWhole = ({ conditions, filter, sort }: Pick<Search, "conditions" | "filter" | "sort">): boolean =>
  conditions.length === 0 || (conditions.length === 1 && sort === "action" && filter.needsAction === true)

/** An empty page is one row without an id. */
type PageRow = (RowOf<ListedLead> | { readonly id: null }) & {
  readonly total: number
  readonly place: bigint
  /** The keys of the last lead that was looked at, where the page ended early. */
  readonly stopped: Position | null
}

/** The statement that reads a page and its count; `isIdle`: of a list by action, leads without one. */
const searchStatement = (sql: PgClient, search: Search, isIdle = false) => {
  const { after, conditions, counted: mostCounted, filter, known, labels, limit, more = sql``, most } = search
  const { maxTotal, organizationId, rarest, sort } = search
  const changedAfter = [filter.createdAfter, filter.updatedAfter].filter((instant) => instant !== undefined)
  /** The search of leads that are known to meet a filter, where that is exact. */
  const knowing = (known: Condition | undefined): Search =>
    known?.label === undefined ? search : { ...search, conditions: conditions.filter((one) => one !== known) }
  const [driver] = labels
  const walk = (from: Position | undefined) =>
    walkOf(sql, organizationId, sort, {
      after: from,
      changedAfter,
      isIdle,
      label: driver?.label,
      most,
      scoreMin: filter.scoreMin
    })
  const places = placesOf(sort)
  const keys = keysOf[sort].map((_, place) => `k${place + 1}`).join(", ")
  const found =
    rarest?.ids === undefined
      ? sql`select null::text as id where false`
      : matching(
          sql,
          knowing(rarest),
          ["l.id", ...keysOf[sort].map((key, place) => `${key} as k${place + 1}`)].join(", "),
          sql`(select distinct s.id from (${rarest.ids}) s) w ${leadOf(sql, search)}`
        )
  const page =
    rarest === undefined
      ? sql`${matching(sql, knowing(driver), `w.id, ${keys}`, sql`(${walk(after)}) w ${leadOf(sql, search)}`)}
          and ${sql.literal(sort === "action" ? `n.rank is ${isIdle ? "" : "not "}null` : "true")}
          order by ${sql.literal(places)} limit ${limit + 1}`
      : sql`select * from found where ${afterOf(sql, sort, keys.split(", "), after)}
          order by ${sql.literal(places)} limit ${limit + 1}`
  const all =
    labels[0]?.ids === undefined
      ? sql`select * from svc.leads l where l.organization_id = ${organizationId} and l.merged_into is null`
      : sql`select l.* from (${labels[0].ids} limit ${mostCounted}) w ${leadOf(sql, search)}`
  const [only = { ids: all }] = conditions
  const counted =
    rarest !== undefined
      ? sql`found`
      : sql`(${
          only.ids !== undefined && isWhole(search)
            ? only.ids
            : matching(sql, knowing(labels[0]), "", sql`(${all} limit ${mostCounted}) l`)
        } limit ${maxTotal})`
  const total = known !== undefined ? sql`${known}::int` : sql`(select count(*)::int from ${counted} c)`
  const stopped = sql`case when (select count(*) from listed) <= ${limit} then (
    select json_build_array(${sql.literal(keys)}) from (${walk(after)}) w
    order by ${sql.literal(places)} offset ${most - 1}) end`
  return sql<PageRow>`
    with found as materialized (${found}), listed as materialized (${page})
    select counted.total, counted.stopped, page.* from (
      select least(greatest(${total}, (select count(*) from listed)), ${maxTotal})::int as total, ${rarest === undefined ? stopped : sql`null::json`} as stopped
    ) counted
    left join (
      select l.id, ${sql.literal(contentColumns)}, coalesce(l.profile -> 'tags', '[]') as tags,
        coalesce(l.profile -> 'ownFields', '{}') as own_fields, l.status, l.last_inbound_at, l.last_outbound_at, l.created_at,
        l.updated_at, (${[...ActionKind.literals]}::text[])[n.rank + 1] as action,
        row_number() over (order by ${sql.literal(places)}) as place ${more}
      from listed w ${leadOf(sql, search)} ${actionOf(sql, search)}
    ) page on true
    order by page.place
  `
}

/** How many leads meet each filter that an index knows, up to a bound or more; null where none does. */
const countsOf = (sql: PgClient, conditions: ReadonlyArray<Condition>, mostOf: (condition: Condition) => number) =>
  Effect.map(
    sql<Record<string, number | null>>`select ${sql.csv(
      conditions.map((condition, place) => {
        const { ids, isIndexed = sql`true` } = condition
        return ids === undefined
          ? sql`null::int as ${sql.literal(`c${place}`)}`
          : sql`case when ${isIndexed} then (select count(*)::int from (${ids} limit ${mostOf(condition) + 1}) s) end
              as ${sql.literal(`c${place}`)}`
      })
    )}`.unprepared,
    ([row]) => conditions.map((_, place) => row?.[`c${place}`] ?? null)
  )

/** Labels that many leads have, first the one whose next leads reach furthest in the order: there the fewest have it. */
const sparsestFirst = Effect.fnUntraced(function* (sql: PgClient, search: Search, isIdle: boolean) {
  const { after, labels, organizationId, sort } = search
  if (labels.length < 2) return labels
  const rows = yield* sql<{ readonly label: number }>`
    select g.label from (${sql.join(
      " union all ",
      false
    )(
      labels.map(
        ({ label }, place) => sql`
          (select ${place}::int as label, w.* from (${walkOf(sql, organizationId, sort, { after, isIdle, label, most: probed })}) w
          order by ${sql.literal(placesOf(sort))} offset ${probed - 1})`
      )
    )}) g order by ${sql.literal(placesOf(sort, true))}
  `.unprepared
  const full = rows.map(({ label }) => label)
  const first = labels.findIndex((_, place) => !full.includes(place))
  const sparsest = labels[first < 0 ? (full[0] ?? 0) : first]
  return [...labels].sort((a, b) => Number(b === sparsest) - Number(a === sparsest))
})

/**
 * A page of the leads that match. For a work list, `more` are further columns of the lead `l`, each after a comma; it has no total.
 */
export const searchLeadsPg = Effect.fnUntraced(function* <More = unknown>(
  sql: PgClient,
  organizationId: OrganizationId,
  filter: LeadFilter,
  sort: LeadSort,
  { after, limit }: PageRequest,
  at: string,
  more?: Fragment
): Effect.fn.Return<Page<ListedLead & More> & { readonly total: number }, StoreFailure | SqlError> {
  const conditions = leadConditions(sql, organizationId, filter, at)
  const labels = conditions.filter(({ label }) => label !== undefined)
  const isLabelled = labels.length > 0
  const share = Math.max(50, Math.ceil((labelledEach * limit) / conditions.length))
  const base = {
    ...{ organizationId, at, filter, sort, after, limit, conditions, labels, more },
    most: isLabelled ? share : maxRead,
    counted: isLabelled ? share : maxRead,
    maxTotal: isLabelled ? maxLabelTotal : maxTotal
  }
  const isIndexed = conditions.some(({ ids }) => ids !== undefined) && !isWhole(base)
  // A mission's leads may come after all others in the order of actions.
  const unlabelled = sort === "action" && filter.mission !== undefined ? maxRead : few
  const boundOf = ({ isIndexed: isText }: Condition) => (isLabelled ? (isText ? 4 : 1) * share : unlabelled)
  const isAlone = conditions.length === 1
  const counts = isIndexed
    ? yield* countsOf(sql, conditions, (one) =>
        isLabelled && !isAlone ? boundOf(one) : Math.max(boundOf(one), base.maxTotal)
      )
    : []
  const isFew = conditions.map((one, place) => (counts[place] ?? boundOf(one)) < boundOf(one))
  const least = Math.min(...counts.filter((_, place) => isFew[place]).map(Number))
  const isCounted = isAlone && conditions[0]?.isRough !== true
  const search: Search = {
    ...base,
    rarest: conditions.find((_, place) => isFew[place] && counts[place] === least),
    known: more !== undefined ? 0 : isCounted ? (counts[0] ?? undefined) : undefined
  }
  const read = Effect.fnUntraced(function* (one: Search, isIdle: boolean) {
    const labels = one.rarest === undefined ? yield* sparsestFirst(sql, one, isIdle) : one.labels
    const rows = yield* searchStatement(sql, { ...one, labels }, isIdle).unprepared
    return {
      items: rows.flatMap(({ place: _, stopped: __, total: ___, ...row }) =>
        row.id === null ? [] : [recordOf<ListedLead>(row) as ListedLead & More]
      ),
      total: rows[0]?.total ?? 0,
      stopped: rows[0]?.stopped ?? undefined
    }
  })
  const isByAction = sort === "action" && search.rarest === undefined
  const startsIdle = isByAction && (filter.needsAction === false || Number(after?.[0]) === idleRank)
  // The first leads to act on are often the mission's.
  const first =
    more !== undefined && !isWhole(base) && least > near
      ? yield* read({ ...search, rarest: undefined, most: near }, false)
      : undefined
  const page = first !== undefined && first.items.length > limit ? first : yield* read(search, startsIdle)
  let { items, stopped } = page
  if (isByAction && !startsIdle && filter.needsAction === undefined && items.length <= limit && stopped === undefined) {
    const idle = yield* read({ ...search, after: undefined, limit: limit - items.length }, true)
    items = [...items, ...idle.items]
    stopped = idle.stopped
  }
  const cut = cutPage(items, limit, (lead) => positionOf(sort, lead))
  const [instant, id = ""] = stopped ?? []
  const stop = stopped && sort === "recent" ? [new Date(instant ?? 0).toISOString(), id] : stopped
  return { ...cut, next: cut.next ?? stop, total: page.total }
}, orUnavailable)
