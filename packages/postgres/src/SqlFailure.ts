/**
 * The only place that looks inside a SQL error.
 *
 * A repository says which unique constraints it expects with {@link catchUnique} and ends with {@link orUnavailable};
 * whoever opens the transaction wraps it in {@link retrySerialization}. Everything unexpected is a defect, made opaque
 * once, by whoever answers the caller.
 *
 * | SQLSTATE | becomes |
 * |---|---|
 * | 40001, 40P01 | {@link SerializationConflict}: the whole transaction runs again, 503 when that does not help |
 * | 23503 | the same, since what is referred to was there when it was looked up: the next run finds it gone; a defect when that does not help |
 * | 08*, 28*, 3D000 while connecting, 53*, 57P0*, 25006, 25P03, 55P03, 57014, a lost connection | UNAVAILABLE |
 * | 23505 | its constraint, for {@link catchUnique}; a defect when nobody expects it |
 * | everything else | a defect: the schemas at the edge should have refused the value, or the SQL is wrong |
 *
 * Source: reliability 16–18 and its SQLSTATE table; architecture, Errors.
 */

import { type Failure, fail } from "@svc/core/Failure"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/**
 * The transaction lost against another one and nothing of it was kept. Travels as a defect through repositories, so
 * that no rule can mistake it for an answer, up to {@link retrySerialization}.
 */
export class SerializationConflict extends Data.TaggedError("SerializationConflict")<{
  readonly cause: SqlError | undefined
}> {}

/** What a SQL error means to the rest of the program. */
export type SqlFailure =
  | { readonly _tag: "Retry"; readonly conflict: SerializationConflict }
  | { readonly _tag: "Unavailable"; readonly failure: Failure }
  | { readonly _tag: "Unique"; readonly constraint: string }
  | { readonly _tag: "Defect"; readonly error: SqlError }

const unreachable = (seconds: number): Failure =>
  fail(
    "UNAVAILABLE",
    "The database cannot answer right now, and a change may or may not have been saved. Repeat the request in a few " +
      "seconds, with the same Idempotency-Key.",
    { retryAfterSeconds: seconds }
  )

const busy = (): Failure =>
  fail("UNAVAILABLE", "The database is too busy; nothing was changed. Repeat the request in a moment.", {
    retryAfterSeconds: 1
  })

/** The SQLSTATE of an error, or undefined when PostgreSQL did not answer at all. */
export const sqlStateOf = (error: SqlError): string | undefined => {
  const cause = error.reason.cause
  return Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : undefined
}

const foreignKey = "23503"

const outages = ["08", "53", "57P", "25006", "25P03"]

/** Reads a SQL error. Total: an error that is not known here is a defect. */
export const fromSqlError = (error: SqlError): SqlFailure => {
  const { reason } = error
  switch (reason._tag) {
    case "SerializationError":
    case "DeadlockError":
      return { _tag: "Retry", conflict: new SerializationConflict({ cause: error }) }
    case "LockTimeoutError":
    case "StatementTimeoutError":
      return { _tag: "Unavailable", failure: busy() }
    case "UniqueViolation":
      return { _tag: "Unique", constraint: reason.constraint }
    case "ConnectionError":
      return { _tag: "Unavailable", failure: unreachable(2) }
    default: {
      const state = sqlStateOf(error)
      if (state === foreignKey) return { _tag: "Retry", conflict: new SerializationConflict({ cause: error }) }
      if (reason.operation === "connect") return { _tag: "Unavailable", failure: unreachable(5) }
      return state !== undefined && outages.some((prefix) => state.startsWith(prefix))
        ? { _tag: "Unavailable", failure: unreachable(5) }
        : { _tag: "Defect", error }
    }
  }
}

type WithoutSql<E> = Exclude<E, SqlError>

const isSql = <E>(error: E): error is Extract<E, SqlError> => isSqlError(error)
const isNotSql = <E>(error: E): error is WithoutSql<E> => !isSqlError(error)

/** Turns a SQL error into UNAVAILABLE where waiting can help, and into a defect otherwise. Other failures pass. */
export const orUnavailable = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, WithoutSql<E> | Failure, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, WithoutSql<E> | Failure> => {
    if (!isSqlError(error)) return isNotSql(error) ? Effect.fail(error) : Effect.die(error)
    const meaning = fromSqlError(error)
    if (meaning._tag === "Unavailable") return Effect.fail(meaning.failure)
    return Effect.die(meaning._tag === "Retry" ? meaning.conflict : error)
  })

/**
 * For a transaction that finds, without an error of the database, that others changed what it goes by: it runs again
 * from its start, as if the database had asked for it.
 */
export const runAgain: Effect.Effect<never> = Effect.suspend(() =>
  Effect.die(new SerializationConflict({ cause: undefined }))
)

/**
 * Answers a violation of one unique constraint with a failure of its own; every other error passes.
 *
 * The transaction around the statement is already lost on PostgreSQL, so this is for refusing, not for carrying on: use
 * `on conflict` to carry on.
 */
export const catchUnique =
  (constraint: string, onViolation: () => Failure) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Failure, R> =>
    Effect.mapError(effect, (error) => {
      if (!isSql(error)) return error
      const meaning = fromSqlError(error)
      return meaning._tag === "Unique" && meaning.constraint === constraint ? onViolation() : error
    })

const runAgainIf =
  (isReason: (error: SqlError) => boolean) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.catch(
      effect,
      (error): Effect.Effect<never, E> => (isSqlError(error) && isReason(error) ? runAgain : Effect.fail(error))
    )

/** As {@link catchUnique}, where a violation means that others changed what the transaction goes by: see {@link runAgain}. */
export const runAgainOnUnique = (constraint: string) =>
  runAgainIf((error) => {
    const meaning = fromSqlError(error)
    return meaning._tag === "Unique" && meaning.constraint === constraint
  })

/**
 * For work of many rows, which may well wait longer for a lock than a single request: it runs again and waits anew, up to
 * the end of its attempts.
 */
export const runAgainOnLock = runAgainIf(({ reason }) => reason._tag === "LockTimeoutError")

const attempts = 5

/** Real time, whatever clock the domain runs on: it is another connection's locks that are waited for. */
const pause = (attempt: number): Effect.Effect<void> =>
  Random.nextIntBetween(5, 10 * 2 ** attempt).pipe(
    Effect.flatMap((millis) => Effect.sleep(millis)),
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )

/**
 * Runs a whole transaction, again from its start (at most {@link attempts} times, with growing random pauses) while it
 * loses against others, and translates its SQL errors as {@link orUnavailable} does. Fails with UNAVAILABLE when it
 * keeps losing. Wrap `sql.withTransaction(…)`, never a part of a transaction; the effect must have no effect elsewhere.
 */
export const retrySerialization = <A, E, R>(
  transaction: Effect.Effect<A, E, R>
): Effect.Effect<A, WithoutSql<E> | Failure, R> => {
  const run = (attempt: number): Effect.Effect<A, WithoutSql<E> | Failure, R> =>
    Effect.catchCause(orUnavailable(transaction), (cause) => {
      const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
      // A connection lost inside a transaction cannot roll back either, and the client reports both as defects.
      for (const defect of defects) {
        const meaning = isSqlError(defect) ? fromSqlError(defect) : undefined
        if (meaning?._tag === "Unavailable") return Effect.fail(meaning.failure)
      }
      const conflict = defects.find((defect) => defect instanceof SerializationConflict)
      if (conflict === undefined) return Effect.failCause(cause)
      if (attempt < attempts) return Effect.andThen(pause(attempt), run(attempt + 1))
      // Nobody else's doing: the statement refers to what it never looked up.
      const isOurs = conflict.cause !== undefined && sqlStateOf(conflict.cause) === foreignKey
      return isOurs ? Effect.die(conflict.cause) : Effect.fail(busy())
    })
  return run(1)
}
