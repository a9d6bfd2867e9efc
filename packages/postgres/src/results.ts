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

/** The last condition, order and limit of a list, newest first. `alias` is that of its table, with a dot. */
export const newestFirst = (sql: PgClient, { after, limit }: PageRequest, alias = ""): Fragment => {
  const [createdAt = null, id = null] = after ?? []
  const place = sql.literal(`(${alias}created_at, ${alias}id collate "C")`)
  return sql`(${createdAt}::timestamptz is null or ${place} < (${createdAt}::timestamptz, ${id}::text collate "C"))
    order by ${sql.literal(`${alias}created_at desc, ${alias}id collate "C" desc`)} limit ${limit + 1}`
}
