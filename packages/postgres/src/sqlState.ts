import * as Predicate from "effect/Predicate"
import type { SqlError } from "effect/sql/SqlError"

/** The SQLSTATE of an error, or undefined when PostgreSQL did not respond. */
export const sqlStateOf = (error: SqlError): string | undefined => {
  const cause = error.reason.cause
  return Predicate.hasProperty(cause, "code") &&
    typeof cause.code === "string" &&
    /^(?=.*\d)[0-9A-Z]{5}$/.test(cause.code)
    ? cause.code
    : undefined
}
