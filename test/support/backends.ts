/**
 * The SQL backends of the contract suites: which are selected, and a layer for each.
 *
 * A layer gives each test file that builds it a database of its own, migrated, with a {@link StatementCounter} in front.
 */
import { createHash, randomUUID } from "node:crypto"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { Failure } from "@svc/core/Failure"
import * as Database from "@svc/postgres/Database"
import { type PostgresUrl, parseDatabaseUrl } from "@svc/postgres/DatabaseUrl"
import { checksumOf } from "@svc/postgres/Migrator"
import { makeSnapshot } from "@svc/postgres/makeSnapshot"
import { migrations } from "@svc/postgres/migrations/index"
import { findSnapshot } from "@svc/postgres/PgliteSnapshot"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import { inject } from "vitest"
import { selectedBackends } from "./backendSelection.ts"
import * as StatementCounter from "./StatementCounter.ts"

export { type BackendName, backendNames, selectedBackends } from "./backendSelection.ts"

/** What a SQL backend provides. */
export type SqlServices = SqlClient | PgClient | Database.Database | StatementCounter.StatementCounter

const schemaId = createHash("sha256").update(migrations.map(checksumOf).join()).digest("hex").slice(0, 12)

const withCounter = (layer: Layer.Layer<Database.DatabaseServices, Failure>): Layer.Layer<SqlServices, Failure> =>
  Layer.provideMerge(StatementCounter.layer, layer)

/** The built snapshot if it is of today's migrations, else one made once and kept in the system's temporary folder. */
const snapshot = Effect.gen(function* () {
  const cache = join(tmpdir(), `svc-test-snapshot-${schemaId}`)
  const found = yield* findSnapshot(migrations)
  if (found !== undefined) return found
  yield* Effect.orDie(makeSnapshot(cache))
  return yield* findSnapshot(migrations, [cache])
})

/** A PGlite in memory. */
export const pgliteLayer: Layer.Layer<SqlServices, Failure> = withCounter(Database.layerPgliteInMemory({ snapshot }))

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

/** The URL of another database on the same server. */
const inDatabase = (url: string, name: string): PostgresUrl => {
  const other = new URL(url)
  other.pathname = `/${name}`
  const parsed = Result.getOrThrow(parseDatabaseUrl(other.href))
  if (parsed._tag !== "Postgres") throw new Error("SVC_TEST_DATABASE_URL must be a postgres:// URL.")
  return parsed
}

const asAdmin = <A, E>(url: string, effect: Effect.Effect<A, E, SqlClient>): Effect.Effect<A, E | Failure> =>
  Effect.provide(effect, Database.layer(inDatabase(url, new URL(url).pathname.slice(1)), { maxConnections: 1 }))

/** A migrated database that others are copied from. Made once for each schema, whoever comes first. */
const ensureTemplate = (url: string, template: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const exists = Effect.map(sql`select 1 from pg_database where datname = ${template}`, (rows) => rows.length > 0)
    if (yield* exists) return
    const draft = `${template}_draft`
    yield* sql`set lock_timeout = 0`
    yield* sql`set statement_timeout = 0`
    yield* sql`select pg_advisory_lock(hashtext(${template}))`
    if (!(yield* exists)) {
      yield* sql.unsafe(`drop database if exists ${draft}`)
      yield* sql.unsafe(`create database ${draft} template template0 encoding 'UTF8'`)
      yield* Effect.scoped(Layer.build(Database.layer(inDatabase(url, draft), { migrate: true })))
      // The server takes a moment to notice that the last connection to the draft is closed.
      yield* Effect.retry(sql.unsafe(`alter database ${draft} rename to ${template}`), {
        schedule: Schedule.spaced("50 millis"),
        times: 100
      })
    }
    yield* sql`select pg_advisory_unlock(hashtext(${template}))`
  })

/** A new database, dropped when the scope closes. `migrated: false` gives an empty one. */
export const freshPostgres = (options: { readonly migrated: boolean } = { migrated: true }) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const url = yield* serverUrl
      const template = options.migrated ? `svc_template_${schemaId}` : "template0"
      const name = `svc_test_${randomUUID().replaceAll("-", "")}`
      yield* asAdmin(
        url,
        Effect.gen(function* () {
          const sql = yield* SqlClient
          if (options.migrated) yield* ensureTemplate(url, template)
          yield* sql.unsafe(`create database ${name} template ${template}`)
        })
      )
      return { server: url, name, url: inDatabase(url, name) }
    }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()), Effect.orDie),
    ({ server, name }) =>
      asAdmin(
        server,
        Effect.flatMap(SqlClient, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`))
      ).pipe(Effect.ignore)
  )

/** A database of its own on the PostgreSQL of this run. */
export const postgresLayer: Layer.Layer<SqlServices, Failure> = withCounter(
  Layer.unwrap(Effect.map(freshPostgres(), ({ url }) => Database.layer(url, { migrate: true, maxConnections: 16 })))
)

/** The URL, in the clear, for tests that hand it to another process. */
export const clearUrl = (url: PostgresUrl): string => Redacted.value(url.url)
