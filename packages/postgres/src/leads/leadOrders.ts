/** The orders of lists of leads in SQL, as their indexes have them. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { Position } from "@svc/core"
import type { LeadSort } from "@svc/core/leads"
import type { Fragment } from "effect/sql/Statement"
import { foldedLine } from "./leadConditions.ts"

/** The position after which a list continues. */
export type After = Position | undefined

/** The order of a list; `any` for counting. */
export type Order = LeadSort | "any"

/** The order of a sort, as in its index; for `action` the order within one action. */
export const orders = {
  action: `- l.score, l.id collate "C"`,
  score: `- l.score, l.id collate "C"`,
  recent: `l.updated_at desc, l.id collate "C" desc`,
  name: `${foldedLine("name")}, l.id collate "C"`,
  any: "1 = 1"
} as const satisfies Record<Order, string>

/** The order of `recent` on a walk through `lead_recency`. */
const walkOrder = "r.updated_at desc, r.lead_id desc"

/** The condition for the rows after a position. */
export const restOf = (sql: PgClient, sort: Order, after: After, isWalk: boolean): ReadonlyArray<Fragment> => {
  if (after === undefined) return []
  const [a = null, b = null] = after
  switch (sort) {
    case "action":
    case "score":
      return [sql`(- l.score, l.id collate "C") > (${a}::double precision, ${b}::text collate "C")`]
    case "recent":
      return [
        sql`${sql.literal(isWalk ? "(r.updated_at, r.lead_id)" : `(l.updated_at, l.id collate "C")`)}
          < (${a}::timestamptz, ${b}::text collate "C")`
      ]
    case "name":
      return [
        sql`(${sql.literal(foldedLine("name"))}, l.id collate "C") > (${a}::text collate "C", ${b}::text collate "C")`
      ]
    case "any":
      return []
  }
}

export const orderOf = (sort: Order, isWalk: boolean): string => (isWalk ? walkOrder : orders[sort])

/** The two columns of an order under aliases, for subqueries in that order. */
export const keysOf = (sort: Order, isWalk: boolean): { readonly columns: string; readonly order: string } => {
  const [first = "", second = "null"] = orderOf(sort, isWalk)
    .replaceAll(" desc", "")
    .split(/, (?=l\.id|r\.lead_id)/)
  const direction = sort === "recent" ? " desc" : ""
  return { columns: `${first} as k1, ${second} as k2`, order: `k1${direction}, k2${direction}` }
}
