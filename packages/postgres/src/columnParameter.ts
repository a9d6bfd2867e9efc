/**
 * A whole column of rows as one parameter, for `unnest`: an array whose type is said and not guessed.
 *
 * A plain JavaScript array as a parameter must hold a value that tells its type, so one of nothing but nulls is refused,
 * and numbers must be all whole or none. These take every array, and cost a fraction for thousands of values.
 */
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Result from "effect/Result"

const columnOf =
  <A>(elementOid: number) =>
  (values: ReadonlyArray<A | null>): PgTypes.Parameter =>
    Result.getOrThrow(PgTypes.array(values, elementOid))

/** `text[]` */
export const texts = columnOf<string>(PgTypes.OID.text)

/** `boolean[]` */
export const booleans = columnOf<boolean>(PgTypes.OID.bool)

/** `integer[]` */
export const integers = columnOf<number>(PgTypes.OID.int4)

/** `double precision[]` */
export const doubles = columnOf<number>(PgTypes.OID.float8)
