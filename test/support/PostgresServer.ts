/** Databases on a PostgreSQL server. */
import { createHash, randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import * as Database from "#postgres/Database.ts"
import { type PostgresUrl, parseDatabaseUrl } from "#postgres/DatabaseUrl.ts"
import { distributeDatabase } from "#postgres/distributeDatabase.ts"
import { checksumOf } from "#postgres/Migrator.ts"
import { migrations } from "#postgres/migrations/index.ts"
import { withoutDeadline } from "#postgres/PoolLimits.ts"

/** Names today's schema. */
export const schemaId = createHash("sha256").update(migrations.map(checksumOf).join()).digest("hex").slice(0, 12)

/** A database that was made for a test. */
export interface TestDatabase {
  readonly server: string
  readonly name: string
  readonly url: PostgresUrl
}

/** A URL of PostgreSQL as a value. */
export const postgresUrl = (url: string): PostgresUrl => {
  const parsed = Result.getOrThrow(parseDatabaseUrl(url))
  if (parsed._tag !== "Postgres") throw new Error("SVC_TEST_DATABASE_URL must be a postgres:// URL.")
  return parsed
}

/** The URL of another database on the same server; of a schema in it, if one is named. */
export const inDatabase = (url: string, name: string, schema?: string): PostgresUrl => {
  const other = new URL(url)
  other.pathname = `/${name}`
  if (schema !== undefined) other.searchParams.set("schema", schema)
  return postgresUrl(other.href)
}

const asAdmin = <A, E>(url: string, effect: Effect.Effect<A, E, SqlClient>): Effect.Effect<A, E | Failure> =>
  withoutDeadline(
    Effect.provide(effect, Database.layer(inDatabase(url, new URL(url).pathname.slice(1)), { maxConnections: 1 }))
  )

/** What new databases are copied from: made of another template by what is then done in it. */
export interface Template {
  readonly name: string
  readonly from: Template | "empty"
  /** The schema that URLs of its databases name, unless it is the usual one. */
  readonly schema?: string
  readonly fill: (url: PostgresUrl) => Effect.Effect<unknown, unknown>
}

const migratedIn = (schema: string): Template => ({
  name: `svc_template_${schema}_${schemaId}`,
  from: "empty",
  fill: (url) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // Migrations create them in `public` only.
      yield* Effect.ignore(sql`create extension if not exists pg_trgm`)
      yield* Effect.ignore(sql`create extension if not exists btree_gin`)
      yield* Layer.build(Database.layer(url, { migrate: true, schema }))
    }).pipe(Effect.provide(Database.layer(url, { maxConnections: 1 })), Effect.scoped, Effect.provide(Logger.layer([])))
})

/** Today's tables, in the schema `svc`, which no search path finds. */
export const migrated: Template = migratedIn("svc")

/** Today's tables in another schema, which the URL names. */
export const migratedElsewhere: Template = { ...migratedIn("other"), schema: "other" }

/** Makes a template where it lacks, whoever comes first, and answers its name. */
const ensureTemplate = (url: string, template: Template | "empty"): Effect.Effect<string, unknown, SqlClient> =>
  Effect.gen(function* () {
    if (template === "empty") return "template0"
    const { fill, from, name } = template
    const sql = yield* SqlClient
    const exists = Effect.map(sql`select 1 from pg_database where datname = ${name}`, (rows) => rows.length > 0)
    if (yield* exists) return name
    const source = yield* ensureTemplate(url, from)
    const draft = `${name}_draft`
    yield* sql`set lock_timeout = 0`
    yield* sql`set statement_timeout = 0`
    yield* sql`select pg_advisory_lock(hashtext(${name}))`
    if (!(yield* exists)) {
      yield* sql.unsafe(`drop database if exists ${draft}`)
      yield* sql.unsafe(`create database ${draft} template ${source} encoding 'UTF8'`)
      yield* fill(inDatabase(url, draft))
      // The server takes a moment to notice that the last connection to the draft is closed.
      yield* Effect.retry(sql.unsafe(`alter database ${draft} rename to ${name}`), {
        schedule: Schedule.spaced("50 millis"),
        times: 100
      })
    }
    yield* sql`select pg_advisory_unlock(hashtext(${name}))`
    return name
  })

/** Whether databases of tests are schemas of one database of a Citus cluster, distributed. */
export const isDistributed = process.env["SVC_TEST_DISTRIBUTED"] !== undefined

const prefixOf = (run: number): string => `svc_test_${run}_`

/** A new database for the run of vitest whose process id is given. */
export const createDatabase = (
  server: string,
  run: number,
  template: Template | "empty"
): Effect.Effect<TestDatabase> =>
  Effect.gen(function* () {
    if (isDistributed) {
      const name = prefixOf(run) + randomUUID().slice(0, 8)
      const url = inDatabase(server, new URL(server).pathname.slice(1), name)
      const database = Database.layer(url, { migrate: template !== "empty", maxConnections: 2 })
      if (template !== "empty") yield* Effect.provide(Effect.flatMap(SqlClient, distributeDatabase), database)
      return { server, name, url }
    }
    const sql = yield* SqlClient
    const name = prefixOf(run) + randomUUID().replaceAll("-", "")
    // To copy files takes a third of what it takes to log every page.
    yield* sql.unsafe(`create database ${name} template ${yield* ensureTemplate(server, template)} strategy file_copy`)
    return { server, name, url: inDatabase(server, name, template === "empty" ? undefined : template.schema) }
  }).pipe((made) => asAdmin(server, made), Effect.orDie)

/** Takes a database away, whoever is connected to it. */
export const dropDatabase = ({ name, server }: Pick<TestDatabase, "name" | "server">): Effect.Effect<void> =>
  asAdmin(
    server,
    Effect.flatMap(SqlClient, (sql) =>
      sql.unsafe(
        isDistributed ? `drop schema if exists ${name} cascade` : `drop database if exists ${name} with (force)`
      )
    )
  ).pipe(Effect.ignore)

/** Takes away what a run left on a server that goes on. */
export const dropDatabases = (server: string, run: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ name: string }>`
      select datname as name from pg_database where starts_with(datname, ${prefixOf(run)})`
    yield* Effect.forEach(rows, ({ name }) => sql.unsafe(`drop database if exists ${name} with (force)`))
  }).pipe((dropped) => asAdmin(server, dropped), Effect.ignore)
