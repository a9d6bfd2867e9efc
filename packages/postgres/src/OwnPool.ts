/** A client of the service on a pool of its own. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import type { PgConnection } from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Reactivity from "effect/reactivity/Reactivity"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import { ConnectionGuard, PoolLimits, type PoolOptions } from "./PoolLimits.ts"
import { pooledClient } from "./pooledClient.ts"

/** A session as a connection of SQL. */
interface Guarded extends Connection {
  readonly guard: ConnectionGuard
}

const guarded = (session: PgConnection, guard: ConnectionGuard): Guarded => {
  const rows =
    (prepare: boolean): Connection["execute"] =>
    (text, params, transform) =>
      Effect.map(guard.run(session.query(text, params, prepare)), (found) => transform?.(found.rows) ?? found.rows)
  const values =
    (prepare: boolean): Connection["executeValues"] =>
    (text, params) =>
      guard.run(session.queryValues(text, params, prepare))
  return {
    guard,
    execute: rows(true),
    executeUnprepared: rows(false),
    executeRaw: (text, params) => guard.run(session.query(text, params)),
    executeValues: values(true),
    executeValuesUnprepared: values(false),
    executeStream: () => Stream.die(new Error("A pool's connection streams no rows."))
  }
}

/** Opens a pool, which is closed with the scope. */
export const makeOwnPool = Effect.fnUntraced(function* (
  config: PgPool.Config & { readonly maxConnections: number },
  options: PoolOptions
): Effect.fn.Return<PgClient.PgClient, SqlError, Scope.Scope | Reactivity.Reactivity> {
  const pool = yield* PgPool.make(config)
  const limits = new PoolLimits(config.maxConnections, options)
  const connections = new WeakMap<PgConnection, Guarded>()

  const connectionOf = Effect.fnUntraced(function* (session: PgConnection): Effect.fn.Return<Guarded> {
    const known = connections.get(session)
    if (known !== undefined) return known
    // Pinned for its whole life: a pin that is released while a statement runs closes the session, and the statement fails.
    const pin = yield* Scope.make()
    const guard = new ConnectionGuard(limits, () => Effect.runFork(Scope.close(pin, Exit.void)))
    const made = guarded(yield* Scope.provide(session.pin, pin), guard)
    connections.set(session, made)
    return made
  })

  const acquirer = Effect.gen(function* (): Effect.fn.Return<Guarded, SqlError, Scope.Scope> {
    const lease = yield* Effect.acquireRelease(Scope.make(), Scope.close)
    const session = yield* Scope.provide(pool.get, lease)
    const connection = yield* connectionOf(session)
    if (!connection.guard.isBroken && !limits.isStale(session)) return connection
    yield* pool.invalidate(session)
    yield* Scope.close(lease, Exit.void)
    return yield* acquirer
  })
  return yield* pooledClient(limits.wait(acquirer), { begin: "begin", prepares: true })
})
