/** A client of the service on a host's pool of `pg`. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import type * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import { HostConnection, hostError } from "./HostConnection.ts"
import type { HostPool } from "./host/index.ts"
import { sessionSettings } from "./sessionSettings.ts"

/** Settings of the service's transactions: a host's sessions have their own. One message, so they cost no round trip. */
const begin = [
  "begin",
  ...Object.entries(sessionSettings).map(([name, value]) => `set local ${name} = '${value}'`)
].join("; ")

const commit = (connection: HostConnection) =>
  Effect.flatMap(connection.executeRaw("commit", []), ({ command }) =>
    // PostgreSQL's answer to the commit of an aborted transaction.
    command === "ROLLBACK" ? Effect.fail(hostError(new Error("The transaction was aborted."))) : Effect.void
  )

/** Takes connections out of a pool, which stays the host's: it is not closed. */
export const makeHostPool = Effect.fnUntraced(function* (
  pool: HostPool
): Effect.fn.Return<PgClient.PgClient, never, Reactivity.Reactivity> {
  const acquirer = Effect.map(
    Effect.acquireRelease(
      Effect.map(Effect.tryPromise({ try: async () => pool.connect(), catch: hostError }), (client) => {
        const connection = new HostConnection(client)
        // An error event without a listener would end the process; the next statement fails anyway.
        const broken = () => {
          connection.isBroken = true
        }
        client.on("error", broken)
        return { client, connection, broken }
      }),
      ({ broken, client, connection }) =>
        Effect.sync(() => {
          client.off("error", broken)
          client.release(connection.isBroken)
        })
    ),
    ({ connection }) => connection
  )
  const client = yield* SqlClient.make({
    acquirer,
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    beginTransaction: begin,
    commit: (connection) => commit(connection as HostConnection),
    releaseSavepoint: (name) => `release savepoint ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  const unsupported = Effect.die(new Error("A host's pool neither listens nor notifies."))
  return Object.assign(client, {
    [PgClient.TypeId]: PgClient.TypeId,
    config: {},
    json: (value: unknown) => client`${PgTypes.jsonb(value)}`,
    listen: () => unsupported,
    notify: () => unsupported
  })
})
