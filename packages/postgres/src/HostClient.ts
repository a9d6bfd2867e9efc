/** A client of the service on a host's client of `@effect/sql-pg`, whose transactions it joins. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionGuard, PoolLimits, type PoolOptions } from "./PoolLimits.ts"
import { pooledClient } from "./pooledClient.ts"

const guarded = (connection: Connection, guard: ConnectionGuard): Connection => ({
  execute: (text, params, transform) => guard.run(connection.execute(text, params, transform)),
  executeUnprepared: (text, params, transform) => guard.run(connection.executeUnprepared(text, params, transform)),
  executeRaw: (text, params) => guard.run(connection.executeRaw(text, params)),
  executeValues: (text, params) => guard.run(connection.executeValues(text, params)),
  executeValuesUnprepared: (text, params) => guard.run(connection.executeValuesUnprepared(text, params)),
  executeStream: (text, params, transform) => connection.executeStream(text, params, transform)
})

/** Lends connections of the host's client, which stay the host's. */
export const makeHostClient = (client: PgClient.PgClient, options?: PoolOptions) => {
  const { maxConnections = 10 } = client.config as PgClient.PgPoolConfig
  const limits = new PoolLimits(maxConnections, options)
  const acquirer = Effect.gen(function* () {
    const lease = yield* Effect.acquireRelease(Scope.make(), Scope.close)
    const connection = yield* Scope.provide(client.reserve, lease)
    // A connection that goes back while a statement runs is closed.
    const guard = new ConnectionGuard(limits, () => Effect.runFork(Scope.close(lease, Exit.void)))
    const lent = guarded(connection, guard)
    // Only the session itself can end a connection that would go back to the host's pool, as one to a read-only server.
    const end = Effect.ignore(lent.executeRaw("select pg_terminate_backend(pg_backend_pid())", []))
    yield* Effect.addFinalizer(() => (guard.isBroken ? end : Effect.void))
    return lent
  })
  const { transactionService } = client
  return pooledClient(limits.wait(acquirer), { begin: "begin", prepares: true, transactionService })
}
