import { countDatabaseFailure, isoFromMillis } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { sqlStateOf } from "./sqlState.ts"

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
  "55P03": "lock timeout",
  "57014": "statement timeout",
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

const outages = new Map<string, Outage>()

/** What made the database unavailable in the last minute, for this process. */
export const recentOutages: Effect.Effect<
  ReadonlyArray<{ readonly sqlstate: string; readonly reason: string; readonly at: string }>
> = Effect.map(Clock.currentTimeMillis, (now) =>
  [...outages]
    .filter(([, { at }]) => now - at < recentTime)
    .map(([sqlstate, { at }]) => ({ sqlstate, reason: reasonOf(sqlstate), at: isoFromMillis(at) }))
)

/**
 * Counts an error that makes the database unavailable (disk full, too many connections, a timeout, no response), and logs
 * its SQLSTATE. Callers only get UNAVAILABLE.
 */
export const reportOutage = Effect.fnUntraced(function* (error: SqlError) {
  const sqlState = sqlStateOf(error) ?? "none"
  yield* countDatabaseFailure(sqlState)
  const at = yield* Clock.currentTimeMillis
  const loggedAt = outages.get(sqlState)?.loggedAt ?? Number.NEGATIVE_INFINITY
  const isNew = at - loggedAt >= logInterval
  outages.set(sqlState, { at, loggedAt: isNew ? at : loggedAt })
  if (isNew) yield* Effect.logError("The database is unavailable", { sqlState, reason: reasonOf(sqlState) })
})
