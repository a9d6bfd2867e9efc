/**
 * The only place that interprets SQL errors.
 *
 * A repository says which unique constraints it expects with {@link catchUnique} and ends with {@link orUnavailable};
 * whoever opens the transaction wraps it in {@link retrySerialization}. Everything unexpected is a defect.
 *
 * | SQLSTATE | becomes |
 * |---|---|
 * | 40001, 40P01 | {@link SerializationConflict}: the whole transaction is retried, 503 when that does not help |
 * | 23503 | the same: the referenced row was just deleted, so the retry finds it gone; a defect when that does not help |
 * | 08*, 28*, 3D000 while connecting, 53*, 57P0*, 25006, 25P03, a lost connection | UNAVAILABLE |
 * | 57014, 55P03 | STATEMENT_TIMEOUT: a statement, or its wait for a lock, took too long |
 * | XX000 of a node of a cluster that was lost | UNAVAILABLE |
 * | 25P01, 25P02 | UNAVAILABLE: a transaction of the host that has ended or was aborted |
 * | 23505 | its constraint, for {@link catchUnique}; a defect when unexpected |
 * | everything else | a defect: a schema should have rejected the value, or the SQL is wrong |
 */

import {
  type Failure,
  isoFromMillis,
  StatementTimeout,
  type StoreFailure,
  Unavailable,
  VersionConflict
} from "@svc/core"
import { countDatabaseFailure } from "@svc/core/internal"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** The same error is logged once within this time, in milliseconds, since an outage fails every request. */
const logInterval = 10_000

/** How long an error counts as recent, in milliseconds. Every process writes its heartbeat more often. */
const recentTime = 60_000

const reasons: Readonly<Record<string, string>> = {
  none: "no response",
  "25006": "read-only",
  "25P03": "idle in a transaction for too long",
  "53100": "disk full",
  "53200": "out of memory",
  "53300": "too many connections",
  "57P01": "shut down",
  "57P03": "starting or stopping"
}

const reasonOf = (sqlState: string): string =>
  reasons[sqlState] ?? (sqlState.startsWith("08") ? "connection lost" : "unavailable")

/** An error that makes the database unavailable. `at` and `loggedAt` are in milliseconds. */
interface Outage {
  readonly at: number
  readonly loggedAt: number
}

const lastOutages = new Map<string, Outage>()

/** What made the database unavailable in the last minute, for this process. */
export const recentOutages: Effect.Effect<
  ReadonlyArray<{ readonly sqlstate: string; readonly reason: string; readonly at: string }>
> = Effect.map(Clock.currentTimeMillis, (now) =>
  [...lastOutages]
    .filter(([, { at }]) => now - at < recentTime)
    .map(([sqlstate, { at }]) => ({ sqlstate, reason: reasonOf(sqlstate), at: isoFromMillis(at) }))
)

/**
 * Counts an error that fails its request, and logs the SQLSTATE of one that makes the database unavailable (disk full, too many
 * connections, no response). Callers only get UNAVAILABLE. A slow statement concerns its own request, which logs it.
 */
const reportOutage = Effect.fnUntraced(function* (error: SqlError, failure: StoreFailure) {
  const sqlState = sqlStateOf(error) ?? "none"
  yield* countDatabaseFailure(sqlState)
  if (failure instanceof StatementTimeout) return
  const at = yield* Clock.currentTimeMillis
  const loggedAt = lastOutages.get(sqlState)?.loggedAt ?? Number.NEGATIVE_INFINITY
  const isNew = at - loggedAt >= logInterval
  lastOutages.set(sqlState, { at, loggedAt: isNew ? at : loggedAt })
  if (isNew) yield* Effect.logError("The database is unavailable", { sqlState, reason: reasonOf(sqlState) })
})

/** The SQLSTATE of an error, or undefined when PostgreSQL did not respond. */
export const sqlStateOf = (error: SqlError): string | undefined => {
  const cause = error.reason.cause
  return Predicate.hasProperty(cause, "code") &&
    typeof cause.code === "string" &&
    /^(?=.*\d)[0-9A-Z]{5}$/.test(cause.code)
    ? cause.code
    : undefined
}

/**
 * The transaction lost against another one and was rolled back. Passes through repositories as a defect, so that no rule
 * can handle it, up to {@link retrySerialization}.
 */
export class SerializationConflict extends Data.TaggedError("SerializationConflict")<{
  readonly cause: SqlError | undefined
}> {}

/** What a SQL error means. */
type SqlFailure =
  | { readonly _tag: "Retry"; readonly conflict: SerializationConflict }
  | { readonly _tag: "Unavailable"; readonly failure: StoreFailure }
  | { readonly _tag: "Defect"; readonly error: SqlError }

const unreachable = (retryAfterSeconds: number): StoreFailure =>
  new Unavailable({
    message:
      "The database is unreachable, and a change may or may not have been saved. Retry in a few seconds with the same " +
      "Idempotency-Key.",
    retryAfterSeconds
  })

const busy = (): StoreFailure =>
  new Unavailable({
    message: "The database is too busy. Nothing was changed. Retry in a moment.",
    retryAfterSeconds: 1
  })

const readOnly = (): StoreFailure =>
  new Unavailable({
    message: "The database is read-only. Nothing was changed. Retry in a few seconds.",
    retryAfterSeconds: 5
  })

/** Of a host's transaction: none of ours continues after a failed statement. */
const unusable: Readonly<Record<string, string>> = {
  "25P01": "The client is in no transaction. Run begin on it first.",
  "25P02": "The transaction was aborted by an earlier error. Roll it back and begin another one."
}

/** What the role may not do, which the administrator of the database changes; undefined for any other error. */
export const deniedMessage = (error: SqlError): string | undefined => {
  const { cause } = error.reason
  if (sqlStateOf(error) !== "42501") return undefined
  return `The role of the service lacks a privilege in the database: ${cause instanceof Error ? cause.message : error.message}. Grant it.`
}

const foreignKey = "23503"

const outages = ["08", "53", "57P", "25006", "25P03"]

/** Whether a Citus coordinator lost the node of a statement, which has no SQLSTATE of its own. */
const isNodeLost = (state: string | undefined, cause: unknown): boolean =>
  state === "XX000" && /^while executing command on /m.test(String(Reflect.get(Object(cause), "where")))

/** Whether waiting may help: the server does not respond, or says that it cannot at the moment. */
export const isOutage = (error: SqlError): boolean => {
  const state = sqlStateOf(error)
  const { _tag, cause } = error.reason
  return _tag === "ConnectionError" || outages.some((prefix) => state?.startsWith(prefix)) || isNodeLost(state, cause)
}

/** Interprets a SQL error. An unknown one is a defect. */
export const fromSqlError = (error: SqlError): SqlFailure => {
  const { reason } = error
  switch (reason._tag) {
    case "SerializationError":
    case "DeadlockError":
      return { _tag: "Retry", conflict: new SerializationConflict({ cause: error }) }
    case "LockTimeoutError":
    case "StatementTimeoutError":
      return { _tag: "Unavailable", failure: new StatementTimeout({ retryAfterSeconds: 1 }) }
    case "ConnectionError":
      return { _tag: "Unavailable", failure: unreachable(2) }
    default: {
      const state = sqlStateOf(error)
      const message = unusable[state ?? ""] ?? deniedMessage(error)
      if (message !== undefined) return { _tag: "Unavailable", failure: new Unavailable({ message }) }
      if (state === "25006") return { _tag: "Unavailable", failure: readOnly() }
      if (state === foreignKey) return { _tag: "Retry", conflict: new SerializationConflict({ cause: error }) }
      const isLost = reason.operation === "connect" || isOutage(error)
      return isLost ? { _tag: "Unavailable", failure: unreachable(5) } : { _tag: "Defect", error }
    }
  }
}

const failWith = (error: SqlError, failure: StoreFailure) =>
  Effect.andThen(reportOutage(error, failure), Effect.fail(failure))

type WithoutSql<E> = Exclude<E, SqlError>

const isNotSql = <E>(error: E): error is WithoutSql<E> => !isSqlError(error)

/** Turns a SQL error into UNAVAILABLE when waiting can help, and into a defect otherwise. Other failures pass. */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, WithoutSql<E> | StoreFailure, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, WithoutSql<E> | StoreFailure> => {
    if (!isSqlError(error)) return isNotSql(error) ? Effect.fail(error) : Effect.die(error)
    const meaning = fromSqlError(error)
    if (meaning._tag === "Unavailable") return failWith(error, meaning.failure)
    return Effect.die(meaning._tag === "Retry" ? meaning.conflict : error)
  })

/**
 * Retries the transaction from its start, as after a serialization error: for a transaction that finds its data changed by
 * others.
 */
export const retryTransaction: Effect.Effect<never> = Effect.suspend(() =>
  Effect.die(new SerializationConflict({ cause: undefined }))
)

const violates =
  (constraint: string) =>
  ({ reason }: SqlError): boolean =>
    reason._tag === "UniqueViolation" && reason.constraint === constraint

/**
 * Turns a violation of one unique constraint into a failure; every other error passes.
 *
 * PostgreSQL has already aborted the transaction, so this can only fail. Use `on conflict` to continue.
 */
export const catchUnique =
  <F extends Failure>(constraint: string, onViolation: () => F) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | F, R> =>
    Effect.mapError(effect, (error) => (isSqlError(error) && violates(constraint)(error) ? onViolation() : error))

const retryIf =
  (isReason: (error: SqlError) => boolean) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.catch(
      effect,
      (error): Effect.Effect<never, E> => (isSqlError(error) && isReason(error) ? retryTransaction : Effect.fail(error))
    )

/** Retries the transaction when a unique constraint is violated: others changed its data. */
export const retryOnUnique = (constraint: string) => retryIf(violates(constraint))

/**
 * Retries the transaction after a lock timeout: for work on many rows, which may wait longer than a single request.
 */
export const retryOnLockTimeout = retryIf(({ reason }) => reason._tag === "LockTimeoutError")

const usualAttempts = 8

/** Of many concurrent changes to a row one wins each time, so version conflicts get more attempts than other reasons. */
const conflictAttempts = 5

/** The longest pause between two attempts, in milliseconds. */
const maxPause = 160

/** Real time even under a test clock, since it waits for another connection's locks. */
const pause = (attempt: number): Effect.Effect<void> =>
  Random.nextIntBetween(5, Math.min(10 * 2 ** attempt, maxPause)).pipe(
    Effect.flatMap((millis) => Effect.sleep(millis)),
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )

/**
 * Runs a whole transaction and tries it again from its start (8 times unless told otherwise, with growing random pauses) on
 * a serialization error or a VERSION_CONFLICT. Translates SQL errors as {@link orUnavailable} does. Fails with UNAVAILABLE
 * or VERSION_CONFLICT when it keeps losing. Wrap `sql.withTransaction(…)`, never part of a transaction; it must have no
 * other side effects.
 */
export const retrySerialization = <A, E, R>(
  transaction: Effect.Effect<A, E, R>,
  maxAttempts = usualAttempts
): Effect.Effect<A, WithoutSql<E> | StoreFailure, R> => {
  const run = (attempt: number): Effect.Effect<A, WithoutSql<E> | StoreFailure, R> =>
    Effect.catchCause(orUnavailable(transaction), (cause) => {
      const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
      // When the connection is lost inside a transaction, the rollback fails too, and the client reports both as defects.
      for (const defect of defects) {
        if (!isSqlError(defect)) continue
        const meaning = fromSqlError(defect)
        if (meaning._tag === "Unavailable") return failWith(defect, meaning.failure)
      }
      const conflict = defects.find((defect) => defect instanceof SerializationConflict)
      const isOutdated = cause.reasons.some(
        (reason) => Cause.isFailReason(reason) && reason.error instanceof VersionConflict
      )
      if (conflict === undefined && !isOutdated) return Effect.failCause(cause)
      if (attempt < (conflict === undefined && maxAttempts > 1 ? maxAttempts * conflictAttempts : maxAttempts)) {
        return Effect.andThen(pause(attempt), run(attempt + 1))
      }
      if (conflict === undefined) return Effect.failCause(cause)
      // Not caused by others: the statement references a row that was never looked up.
      const isOurs = conflict.cause !== undefined && sqlStateOf(conflict.cause) === foreignKey
      return isOurs ? Effect.die(conflict.cause) : Effect.fail(busy())
    })
  return run(1)
}
