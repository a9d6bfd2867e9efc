/**
 * How long statements and waits for a connection may take, how many connections an organization has, and which of them a pool may
 * use again: none whose network is silent, that broke, or that leads to a server which takes no writes.
 */

import { countDatabaseWait, Tenant } from "@svc/core/internal"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { ConnectionError, SqlError, StatementTimeoutError } from "effect/sql/SqlError"
import { FairQueue, systemTenant } from "./FairQueue.ts"
import { sqlStateOf } from "./SqlFailure.ts"
import { defaultStatementSeconds } from "./sessionSettings.ts"

const RunsLong = Context.Reference<boolean>("@svc/postgres/RunsLong", { defaultValue: () => false })

/** Runs statements that may take longer than any of a request, such as migrations, without a deadline. */
export const withoutDeadline = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, RunsLong, true)

const IsSearch = Context.Reference<boolean>("@svc/postgres/IsSearch", { defaultValue: () => false })

/** Runs statements that search, which have a shorter limit than others. */
export const searching = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, IsSearch, true)

const readOnly = "25006"

/** Errors after which a session is of no use, beside those of the connection itself: it was ended, or cannot write. */
const ending = [readOnly, "25P03", "57P0"]

/** In milliseconds. While every connection is read-only, the others are not replaced more often than that. */
const renewInterval = 1_000

/** In seconds. The server ends a statement before that, so whatever takes longer has got no response. */
const grace = 2

/** Real time even under a test clock, since it is the network or the database that is waited for. */
const failAfter = (millis: number, Reason: typeof ConnectionError | typeof StatementTimeoutError, what: string) =>
  Effect.callback<never, SqlError>((resume) => {
    const cause = new Error(`No ${what} within ${millis} ms.`)
    const fail = () => resume(Effect.fail(new SqlError({ reason: new Reason({ cause, message: cause.message }) })))
    const timer = setTimeout(fail, millis)
    return Effect.sync(() => clearTimeout(timer))
  })

/** How a pool is used. */
export interface PoolOptions {
  /** The longest statement, in seconds (`SVC_STATEMENT_TIMEOUT_SECONDS`); infinity is no limit. */
  readonly statementSeconds?: number | undefined
  /** The longest statement of a search, in seconds (`SVC_SEARCH_TIMEOUT_SECONDS`); none where statements have none. */
  readonly searchSeconds?: number | undefined
  /** Percent of the connections that one organization has while others need some (`SVC_DB_SHARE`). */
  readonly share?: number | undefined
}

/** The limits of one pool. */
export class PoolLimits {
  /** In milliseconds; infinity means none. */
  readonly deadline: number
  readonly #longestSearch: number
  readonly #queue: FairQueue
  readonly #openedAt = new WeakMap<object, number>()
  #renewedAt = Number.NEGATIVE_INFINITY

  constructor(size: number, options: PoolOptions = {}) {
    const { searchSeconds = 5, share = 25, statementSeconds = defaultStatementSeconds } = options
    this.deadline = (statementSeconds + grace) * 1_000
    this.#longestSearch = statementSeconds === Number.POSITIVE_INFINITY ? statementSeconds : searchSeconds * 1_000
    this.#queue = new FairQueue(size, share)
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

  /** Takes a connection when it is the turn of its organization. Fails when there is none before the deadline. */
  wait<A>(acquire: Effect.Effect<A, SqlError, Scope.Scope>): Effect.Effect<A, SqlError, Scope.Scope> {
    const turn = Effect.acquireRelease(
      Effect.map(Tenant, (tenant = systemTenant) => this.#queue.ask(tenant)),
      (turn) => Effect.sync(() => this.#queue.end(turn))
    )
    const inTurn = Effect.flatMap(turn, (turn) => {
      if (turn.state === "lent") return acquire
      const waiting = Effect.callback<void>((resume) => {
        turn.onLent = () => resume(Effect.void)
        if (turn.state === "lent") turn.onLent()
      })
      return Effect.andThen(countDatabaseWait(this.#queue.free > 0 ? "share" : "pool", waiting), acquire)
    })
    if (this.deadline === Number.POSITIVE_INFINITY) return inTurn
    const late = failAfter(this.deadline, ConnectionError, "connection")
    return Effect.flatMap(RunsLong, (isLong) => (isLong ? inTurn : Effect.raceFirst(inTurn, late)))
  }

  /** Cancels a statement of a search that takes too long. */
  limitSearch<A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    if (this.#longestSearch === Number.POSITIVE_INFINITY) return statement
    return Effect.raceFirst(statement, failAfter(this.#longestSearch, StatementTimeoutError, "result of a search"))
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
    return Effect.contextWith((context: Context.Context<never>) => {
      const giveUp = () => {
        this.isBroken = true
        this.#close()
      }
      // Real time even under a test clock, since it is the network that is waited for.
      const isTimed = !Context.get(context, RunsLong) && this.#limits.deadline < Number.POSITIVE_INFINITY
      const timer = isTimed ? setTimeout(giveUp, this.#limits.deadline) : undefined
      const limited = Context.get(context, IsSearch) ? this.#limits.limitSearch(statement) : statement
      return Effect.onExit(limited, (exit) =>
        Effect.sync(() => {
          clearTimeout(timer)
          if (Exit.isFailure(exit)) this.#note(exit)
        })
      )
    })
  }
}
