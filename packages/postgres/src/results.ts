/** Repositories, and how their statements end: SQL errors become UNAVAILABLE or a defect, and rows become results. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type PageRequest, type Position } from "@svc/core"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fragment } from "effect/sql/Statement"
import { orUnavailable } from "./SqlFailure.ts"

/** A repository on the client of the database. */
export const repository = <I, S>(
  port: Context.Key<I, S>,
  make: (sql: PgClient) => NoInfer<S>
): Layer.Layer<I, never, PgClient> => Layer.effect(port, Effect.map(PgClient, make))

/** The first row, or undefined. */
export const first =
  <Row, A>(map: (row: Row) => A) =>
  <E, R>(statement: Effect.Effect<ReadonlyArray<Row>, E, R>) =>
    Effect.map(orUnavailable(statement), ([row]) => (row === undefined ? undefined : map(row)))

/** The row of a statement that always returns one. */
export const only =
  <Row, A>(map: (row: Row) => A) =>
  <E, R>(statement: Effect.Effect<ReadonlyArray<Row>, E, R>) =>
    Effect.flatMap(orUnavailable(statement), ([row]) =>
      row === undefined ? Effect.die(new Error("The statement returned no row.")) : Effect.succeed(map(row))
    )

/** Every row. */
export const each =
  <Row, A>(map: (row: Row) => A) =>
  <E, R>(statement: Effect.Effect<ReadonlyArray<Row>, E, R>) =>
    Effect.map(orUnavailable(statement), (rows) => rows.map((row) => map(row)))

/** Whether there is a row. */
export const hasRows = <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
  Effect.map(orUnavailable(statement), (rows) => rows.length > 0)

/** A page, of a statement that reads one row more than the limit. */
export const page =
  <Row, A>(map: (row: Row) => A, limit: number, positionOf: (item: A) => Position) =>
  <E, R>(statement: Effect.Effect<ReadonlyArray<Row>, E, R>) =>
    Effect.map(orUnavailable(statement), (rows) =>
      cutPage(
        rows.map((row) => map(row)),
        limit,
        positionOf
      )
    )

/** The last condition, order and limit of a list by an instant and an id. */
const inOrder = (
  sql: PgClient,
  { after, limit }: PageRequest,
  [at, id]: readonly [at: string, id: string],
  [isNext, direction]: readonly [isNext: string, direction: string]
): Fragment => {
  const [lastAt = null, lastId = null] = after ?? []
  return sql`(${lastAt}::timestamptz is null
      or ${sql.literal(`(${at}, ${id} collate "C") ${isNext}`)} (${lastAt}::timestamptz, ${lastId}::text collate "C"))
    order by ${sql.literal(`${at} ${direction}, ${id} collate "C" ${direction}`)} limit ${limit + 1}`
}

/** Of a list with the latest first, by default the latest created. `alias` is that of its table, with a dot. */
export const newestFirst = (sql: PgClient, request: PageRequest, alias = "", at = "created_at"): Fragment =>
  inOrder(sql, request, [`${alias}${at}`, `${alias}id`], ["<", "desc"])

/** Of a list with the earliest first. `alias` is that of its table, with a dot. */
export const oldestFirst = (sql: PgClient, request: PageRequest, alias: string, at: string): Fragment =>
  inOrder(sql, request, [`${alias}${at}`, `${alias}id`], [">", "asc"])
