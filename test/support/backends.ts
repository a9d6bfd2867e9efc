/**
 * The SQL backends of the contract suites: which are selected, and a layer for each.
 *
 * A layer gives whoever builds it an empty, migrated database, with a {@link StatementCounter} in front.
 */
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import type { PgClient } from "@effect/sql-pg/PgClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import { Pool } from "pg"
import { inject } from "vitest"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import * as Database from "#postgres/Database.ts"
import type { PostgresUrl } from "#postgres/DatabaseUrl.ts"
import { makeSnapshot } from "#postgres/makeSnapshot.ts"
import { migrations } from "#postgres/migrations/index.ts"
import { findSnapshot } from "#postgres/PgliteSnapshot.ts"
import { selectedBackends } from "./backendSelection.ts"
import { lending } from "./databasePool.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as StatementCounter from "./StatementCounter.ts"

export { type BackendName, backendNames, selectedBackends } from "./backendSelection.ts"

/** What a SQL backend provides. */
export type SqlServices = SqlClient | PgClient | Database.Database | StatementCounter.StatementCounter

const withCounter = (layer: Layer.Layer<Database.DatabaseServices, Failure>): Layer.Layer<SqlServices, Failure> =>
  Layer.provideMerge(StatementCounter.layer, layer)

/** The built snapshot if it is of today's migrations, else one made once and kept in the system's temporary folder. */
const snapshot = Effect.gen(function* () {
  const cache = join(tmpdir(), `svc-test-snapshot-${PostgresServer.schemaId}`)
  const found = yield* findSnapshot(migrations)
  if (found !== undefined) return found
  yield* Effect.orDie(makeSnapshot(cache))
  return yield* findSnapshot(migrations, [cache])
})

/** A PGlite in memory. */
export const pgliteLayer: Layer.Layer<SqlServices, Failure> = withCounter(
  lending(Database.layerPgliteInMemory({ snapshot }))
)

/** Whether there is a PostgreSQL to test on: selected and found. The run has said so in one line if it is not found. */
export const hasPostgres = (): boolean => selectedBackends().has("postgres") && inject("svcPostgres")._tag !== "Absent"

const serverUrl: Effect.Effect<string> = Effect.promise(async () => {
  const provided = inject("svcPostgres")
  if (provided._tag === "Given") return provided.url
  if (provided._tag === "Absent") throw new Error("There is no PostgreSQL; ask hasPostgres() first.")
  const answer: unknown = JSON.parse(await text(connect(provided.starter, "127.0.0.1")))
  if (typeof answer === "object" && answer !== null && "url" in answer) return String(answer.url)
  throw new Error(`PostgreSQL could not be started: ${JSON.stringify(answer)}`)
})

const poolerPort = process.env["SVC_TEST_POOLER_PORT"]

/** Whether tests use PostgreSQL through a pooler, on the port of `SVC_TEST_POOLER_PORT`. */
export const isPooled = poolerPort !== undefined

const pooled = (database: PostgresServer.TestDatabase): PostgresServer.TestDatabase => {
  if (poolerPort === undefined) return database
  const url = new URL(Redacted.value(database.url.url))
  url.host = `127.0.0.1:${poolerPort}`
  url.searchParams.set("pooler", "transaction")
  return { ...database, url: PostgresServer.postgresUrl(url.href) }
}

/**
 * A new database, dropped when the scope closes: with today's schema, as another template has it, or empty. It is made and
 * dropped directly, and used through the pooler if there is one.
 */
export const freshPostgres = (template: PostgresServer.Template | "empty" = PostgresServer.migrated) =>
  Effect.acquireRelease(
    Effect.flatMap(serverUrl, (url) => PostgresServer.createDatabase(url, process.ppid, template)).pipe(
      Effect.map(pooled),
      Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
    ),
    PostgresServer.dropDatabase
  )

/** The time zone of the host over whose pool of `pg` tests use PostgreSQL, if they do. */
const hostTimezone = process.env["SVC_TEST_HOST_TIMEZONE"]

/** Whether tests use PostgreSQL over connections that are not the service's own. */
export const isHosted = hostTimezone !== undefined

/** Whether statements are planned for their parameters each time. */
export const isUnprepared = isPooled || isHosted

const hostPool = (url: PostgresUrl, timezone: string) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      // Databases of tests are dropped while ended clients still say goodbye.
      new Pool({ connectionString: clearUrl(url), max: 16, options: `-c timezone=${timezone}` }).on("error", () => {})
    ),
    (pool) => Effect.promise(() => pool.end())
  )

const newPostgres = (template?: PostgresServer.Template) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { url } = yield* freshPostgres(template)
      if (hostTimezone === undefined) return Database.layer(url, { maxConnections: 16 })
      const host = { _tag: "Host", client: yield* hostPool(url, hostTimezone), label: "of a host" } as const
      return Database.layer(host, { schema: url.schema })
    })
  )

/** A database on the PostgreSQL of this run. */
export const postgresLayer: Layer.Layer<SqlServices, Failure> = withCounter(lending(newPostgres()))

/** The same with the tables in another schema than `svc`. */
export const postgresElsewhereLayer: Layer.Layer<SqlServices, Failure> = withCounter(
  lending(newPostgres(PostgresServer.migratedElsewhere))
)

/** A copy of a template that nobody had before nor gets afterwards: for tests of many rows, or of what is known of them. */
export const copiedPostgresLayer = (template?: PostgresServer.Template): Layer.Layer<SqlServices, Failure> =>
  withCounter(newPostgres(template))

/** The URL, in the clear, for tests that hand it to another process. */
export const clearUrl = (url: PostgresUrl): string => Redacted.value(url.url)
