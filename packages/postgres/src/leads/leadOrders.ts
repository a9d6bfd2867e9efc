/** The orders of lists of leads in SQL, each as an index has it. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId, Position } from "@svc/core"
import { ActionKind } from "@svc/core/internal"
import type { LeadSort } from "@svc/core/leads"
import type { Fragment } from "effect/sql/Statement"
import { foldedLine } from "./leadConditions.ts"

/** Where leads without an action come in a list by action. */
export const idleRank = ActionKind.literals.length

const byScore = [`- l.score`, `l.id collate "C"`] as const

/** The keys of each order, of a lead `l` with its next action `n`. */
export const keysOf: Readonly<Record<LeadSort, ReadonlyArray<string>>> = {
  action: [`coalesce(n.rank, ${idleRank})`, ...byScore],
  score: byScore,
  recent: ["l.updated_at", `l.id collate "C"`],
  name: [foldedLine("name"), `l.id collate "C"`]
}

/** An index to read in its order. */
interface Walk {
  readonly from: string
  /** The keys, the last one of which is the id. */
  readonly keys: ReadonlyArray<string>
  readonly where: string
}

const live = "l.merged_into is null"

/** Leads in the order of each sort; `idle`: in a list by action, those without one. */
const walks: Readonly<Record<LeadSort | "idle", Walk>> = {
  action: {
    from: "svc.lead_actions l",
    keys: ["l.rank", "l.place", `l.lead_id collate "C"`],
    where: "l.rank is not null"
  },
  idle: { from: "svc.leads l", keys: byScore, where: live },
  score: { from: "svc.leads l", keys: byScore, where: live },
  recent: { from: "svc.lead_recency l", keys: ["l.updated_at", "l.lead_id"], where: "true" },
  name: { from: "svc.leads l", keys: [foldedLine("name"), `l.id collate "C"`], where: live }
}

const labels = { from: "svc.lead_labels l", where: "true" }

/** The same of leads with one label. */
const labelWalks: typeof walks = {
  action: { ...labels, keys: ["l.rank", "l.place", "l.lead_id"], where: "l.rank is not null" },
  idle: { ...labels, keys: ["l.place", "l.lead_id"] },
  score: { ...labels, keys: ["l.place", "l.lead_id"] },
  recent: { ...labels, keys: ["l.updated_at", "l.lead_id"] },
  name: { ...labels, keys: ["l.lead_name", "l.lead_id"] }
}

const types: Readonly<Record<LeadSort, ReadonlyArray<string>>> = {
  action: ["integer", "double precision", "text"],
  score: ["double precision", "text"],
  recent: ["timestamptz", "text"],
  name: ["text", "text"]
}

/** `k1, k2, …` of the keys of an order, each with a direction. */
export const placesOf = (sort: LeadSort, isReversed = false): string =>
  keysOf[sort].map((_, place) => `k${place + 1}${(sort === "recent") === isReversed ? "" : " desc"}`).join(", ")

/** The condition for what comes after a position, of an order with these keys. */
export const afterOf = (
  sql: PgClient,
  sort: LeadSort,
  keys: ReadonlyArray<string>,
  after: Position | undefined
): Fragment => {
  if (after === undefined) return sql`true`
  const given = types[sort].slice(-keys.length)
  const values = after.slice(-keys.length).map((value, place) => {
    const type = given[place] ?? "text"
    return sql`${value}::${sql.literal(type === "text" ? `text collate "C"` : type)}`
  })
  return sql`(${sql.literal(keys.join(", "))}) ${sql.literal(sort === "recent" ? "<" : ">")} (${sql.join(", ", false)(values)})`
}

/** The next leads in order: `id`, and the keys of the order as `k1, k2, …`. */
export const walkOf = (
  sql: PgClient,
  organizationId: OrganizationId,
  sort: LeadSort,
  {
    after,
    changedAfter = [],
    isIdle = false,
    label,
    most,
    scoreMin
  }: {
    readonly after: Position | undefined
    readonly changedAfter?: ReadonlyArray<string>
    readonly isIdle?: boolean
    /** Only leads with this label. */
    readonly label?: Fragment | undefined
    readonly most: number
    readonly scoreMin?: number | undefined
  }
): Fragment => {
  const ofLabel = label && labelWalks[isIdle ? "idle" : sort]
  const { from, keys, where } = ofLabel ?? walks[isIdle ? "idle" : sort]
  const id = keys.at(-1) ?? ""
  const columns = [...(isIdle ? [`${idleRank}`] : []), ...keys].map((key, place) => `${key} as k${place + 1}`)
  const direction = sort === "recent" ? " desc" : ""
  const range: Array<Fragment> =
    sort === "recent" ? changedAfter.map((instant) => sql`l.updated_at > ${instant}::timestamptz`) : []
  if (ofLabel !== undefined) range.push(label ?? sql`true`)
  if (sort === "score" && scoreMin !== undefined) {
    range.push(sql`${sql.literal(keys[0] ?? "")} <= - ${scoreMin}::double precision`)
  }
  return sql`
    select ${sql.literal(`${id.replace(` collate "C"`, "")} collate "default"`)} as id, ${sql.literal(columns.join(", "))}
    from ${sql.literal(from)}
    where l.organization_id = ${organizationId} and ${sql.literal(where)} and ${sql.and([...range, afterOf(sql, sort, keys, after)])}
    order by ${sql.literal(keys.map((key) => `${key}${direction}`).join(", "))} limit ${most}`
}
