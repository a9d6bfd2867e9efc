/** A client of the service on connections that a pool lends. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import type * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"

const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("commit", []), (result) =>
    // PostgreSQL's answer to the commit of an aborted transaction.
    Object(result).command === "ROLLBACK" ? Effect.die(new Error("The transaction was aborted.")) : Effect.void
  )

/** How transactions begin; `prepares` says whether that may be prepared, `transactionService` in whose they are nested. */
interface Transactions extends Pick<SqlClient.SqlClient.MakeOptions, "transactionService"> {
  readonly begin: string
  readonly prepares: boolean
}

export const pooledClient = Effect.fnUntraced(function* (
  acquirer: Effect.Effect<Connection, SqlError, Scope.Scope>,
  { begin, prepares, ...nesting }: Transactions
): Effect.fn.Return<PgClient.PgClient, never, Reactivity.Reactivity> {
  const client = yield* SqlClient.make({
    ...nesting,
    acquirer,
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    beginTransaction: begin,
    prepareTransactionControls: prepares,
    commit,
    releaseSavepoint: (name) => `release savepoint ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  const unsupported = Effect.die(new Error("A pool neither listens nor notifies."))
  return Object.assign(client, {
    [PgClient.TypeId]: PgClient.TypeId,
    config: {},
    json: (value: unknown) => client`${PgTypes.jsonb(value)}`,
    listen: () => unsupported,
    notify: () => unsupported
  })
})
