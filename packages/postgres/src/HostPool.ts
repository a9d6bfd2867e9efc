/** A client of the service on a host's pool of `pg`. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import { HostConnection, hostError } from "./HostConnection.ts"
import type { HostPool, PooledClient } from "./host/index.ts"
import { ConnectionGuard, PoolLimits, type PoolOptions } from "./PoolLimits.ts"
import { pooledClient } from "./pooledClient.ts"
import { sessionSettings } from "./sessionSettings.ts"

/** With settings of the service: a host's sessions have their own. One message, so they cost no round trip. */
const beginWith = (statementSeconds: number | undefined) =>
  [
    "begin",
    ...Object.entries(sessionSettings(statementSeconds)).map(([name, value]) => `set local ${name} = '${value}'`)
  ].join("; ")

/** A client, which goes back to the pool if it comes after nobody waits for it any more. */
const connect = (pool: HostPool): Effect.Effect<PooledClient, SqlError> =>
  Effect.callback((resume) => {
    let isWanted = true
    const connecting = async () => {
      const client = await pool.connect()
      if (isWanted) resume(Effect.succeed(client))
      else client.release()
    }
    connecting().catch((cause: unknown) => resume(Effect.fail(hostError(cause))))
    return Effect.sync(() => {
      isWanted = false
    })
  })

const lend = (client: PooledClient, limits: PoolLimits) => {
  let isLent = true
  const giveBack = () => {
    if (!isLent) return
    isLent = false
    client.off("error", onError)
    client.release(guard.isBroken)
  }
  const guard = new ConnectionGuard(limits, giveBack)
  // An error event without a listener would end the process; the next statement fails anyway.
  const onError = () => {
    guard.isBroken = true
  }
  client.on("error", onError)
  return { client, connection: new HostConnection(client, guard), giveBack, guard }
}

/** Takes connections out of a pool, which stays the host's: it is not closed. No search is cancelled, as `pg` cannot. */
export const makeHostPool = (pool: HostPool, options: PoolOptions = {}) => {
  const limits = new PoolLimits(pool.options?.max ?? 10, { ...options, searchSeconds: Number.POSITIVE_INFINITY })
  const lent = Effect.acquireRelease(
    Effect.map(connect(pool), (client) => lend(client, limits)),
    ({ giveBack }) => Effect.sync(giveBack),
    { interruptible: true }
  )
  const acquirer: Effect.Effect<Connection, SqlError, Scope.Scope> = Effect.flatMap(
    lent,
    ({ client, connection, giveBack, guard }) => {
      if (!limits.isStale(client)) return Effect.succeed(connection)
      guard.isBroken = true
      giveBack()
      return acquirer
    }
  )
  return pooledClient(limits.wait(acquirer), { begin: beginWith(options.statementSeconds), prepares: false })
}
