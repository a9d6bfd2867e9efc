/**
 * How long statements and waits for a connection may take, and which connections a pool may use again: none whose network is
 * silent, that broke, or that leads to a server which takes no writes.
 */

import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { sqlStateOf } from "./SqlFailure.ts"

const RunsLong = Context.Reference<boolean>("@svc/postgres/RunsLong", { defaultValue: () => false })

/** Runs statements that may take longer than any of a request, such as migrations, without a deadline. */
export const withoutDeadline = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, RunsLong, true)

const readOnly = "25006"

/** Errors after which a session is of no use, beside those of the connection itself: it was ended, or cannot write. */
const ending = [readOnly, "25P03", "57P0"]

/** In milliseconds. While every connection is read-only, the others are not replaced more often than that. */
const renewInterval = 1_000

/** In seconds. The server ends a statement before that, so whatever takes longer has got no response. */
const grace = 2

/** The limits of one pool. */
export class PoolLimits {
  /** In milliseconds; infinity means none. */
  readonly deadline: number
  readonly #openedAt = new WeakMap<object, number>()
  #renewedAt = Number.NEGATIVE_INFINITY

  constructor(statementSeconds: number) {
    this.deadline = (statementSeconds + grace) * 1_000
  }

  /** Whether a connection is older than the moment when another one was found to be read-only: both lead to the same server. */
  isStale(connection: object): boolean {
    const openedAt = this.#openedAt.get(connection) ?? performance.now()
    this.#openedAt.set(connection, openedAt)
    return openedAt <= this.#renewedAt
  }

  /** Makes every connection stale that is open now. */
  renew(): void {
    const now = performance.now()
    if (now - this.#renewedAt > renewInterval) this.#renewedAt = now
  }

  /** Fails when there is no connection before the deadline. */
  wait<A, R>(acquire: Effect.Effect<A, SqlError, R>): Effect.Effect<A, SqlError, R> {
    if (this.deadline === Number.POSITIVE_INFINITY) return acquire
    const late = Effect.callback<never, SqlError>((resume) => {
      const timer = setTimeout(() => {
        const cause = new Error(`No connection within ${this.deadline} ms.`)
        resume(Effect.fail(new SqlError({ reason: new ConnectionError({ cause, message: cause.message }) })))
      }, this.deadline)
      return Effect.sync(() => clearTimeout(timer))
    })
    return Effect.flatMap(RunsLong, (isLong) => (isLong ? acquire : Effect.raceFirst(acquire, late)))
  }
}

/** Guards a connection of a pool, which `close` closes at once while a statement runs on it. */
export class ConnectionGuard {
  /** Whether the connection must be closed instead of used again. */
  isBroken = false
  readonly #limits: PoolLimits
  readonly #close: () => void

  constructor(limits: PoolLimits, close: () => void) {
    this.#limits = limits
    this.#close = close
  }

  #note({ cause }: Exit.Failure<unknown, SqlError>): void {
    for (const reason of cause.reasons) {
      if (!Cause.isFailReason(reason)) continue
      const state = sqlStateOf(reason.error) ?? ""
      this.isBroken ||=
        reason.error.reason._tag === "ConnectionError" || ending.some((prefix) => state.startsWith(prefix))
      if (state === readOnly) this.#limits.renew()
    }
  }

  /** Runs a statement. When its deadline passes, the connection is closed, and so the statement fails. */
  run<A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return Effect.flatMap(RunsLong, (isLong) => {
      const giveUp = () => {
        this.isBroken = true
        this.#close()
      }
      // Real time even under a test clock, since it is the network that is waited for.
      const isTimed = !isLong && this.#limits.deadline < Number.POSITIVE_INFINITY
      const timer = isTimed ? setTimeout(giveUp, this.#limits.deadline) : undefined
      return Effect.onExit(statement, (exit) =>
        Effect.sync(() => {
          clearTimeout(timer)
          if (Exit.isFailure(exit)) this.#note(exit)
        })
      )
    })
  }
}
