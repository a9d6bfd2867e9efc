/**
 * A whole column of rows as one parameter, for `unnest`: an array with an explicit element type.
 *
 * The type of a plain JavaScript array is inferred from its values, so an array of only nulls is rejected, and numbers must
 * be all integers or none. These accept every array, and are much cheaper for thousands of values.
 */
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Result from "effect/Result"

const columnOf =
  <A>(elementOid: number) =>
  (values: ReadonlyArray<A | null>): PgTypes.Parameter =>
    Result.getOrThrow(PgTypes.array(values, elementOid))

/** `text[]` */
export const texts = columnOf<string>(PgTypes.OID.text)

/** `integer[]` */
export const integers = columnOf<number>(PgTypes.OID.int4)
