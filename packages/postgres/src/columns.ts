/**
 * Values of columns as parameters and as fields.
 *
 * A whole column of rows is one parameter, for `unnest`: an array with an explicit element type. The type of a plain
 * JavaScript array is inferred from its values, so an array of only nulls is rejected, and numbers must be all integers or
 * none. These accept every array, and are much cheaper for thousands of values.
 */
import * as PgTypes from "@effect/sql-pg/PgTypes"
import type { snakeKeys } from "@svc/core"
import * as Result from "effect/Result"
import { remembered } from "./remembered.ts"

const columnOf =
  <A>(elementOid: number) =>
  (values: ReadonlyArray<A | null>): PgTypes.Parameter =>
    Result.getOrThrow(PgTypes.array(values, elementOid))

/** `text[]` */
export const texts = columnOf<string>(PgTypes.OID.text)

/** `integer[]` */
export const integers = columnOf<number>(PgTypes.OID.int4)

/** `jsonb`, for records that `sql.insert` and `sql.update` take. Null is SQL NULL. */
export const jsonb = PgTypes.jsonb

/** A millisecond after the instant of a column: added in UTC, since no update of a distributed table may ask for the time zone. */
export const after = (column: string): string =>
  `((${column} at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')`

/** Names of instants, which are dates in rows. */
type InstantName = `${string}At` | `${string}_at` | `${string}since` | "until"

/** A record whose instants are dates. */
export type Dated<A extends object> = {
  readonly [K in keyof A]: K extends InstantName ? Date | (null extends A[K] ? null : never) : A[K]
}

/** The row of a record: its columns have the names of the fields in snake_case. */
export type RowOf<A extends object> = ReturnType<typeof snakeKeys<Dated<A>>>

const mapped = (row: object, nameOf: (column: string) => string) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [nameOf(column), value instanceof Date ? value.toISOString() : value])
  )

/** The record with its instants as texts. */
export const undated = <A extends object>(row: Dated<A>): A => mapped(row, (column) => column) as A

const fields = new Map<string, string>()

const fieldOf = (column: string): string =>
  remembered(fields, column, () => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))

/** The record of a row, with every column that the statement returned. */
export const recordOf = <A extends object>(row: RowOf<A>): A => mapped(row, fieldOf) as A
