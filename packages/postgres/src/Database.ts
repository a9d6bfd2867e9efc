/**
 * The layers that open PostgreSQL or PGlite, behind one client: the same SQL, parameters and rows for both.
 *
 * **Writing SQL for this client** (measured on both, `test/postgres/Database.test.ts`)
 *
 * *Round trips.* A statement is one round trip, parsed once for each connection. A transaction of n statements takes
 * n + 2, and the statements of a connection never overlap, so write what must be fast as one statement with CTEs. A
 * statement holds one command; only migrations hold several. Statement text must not vary with data (no spelled-out lists,
 * no `sql.in` of varying length): each text is prepared and kept, so pass arrays and use `= any(…)` or `unnest`.
 *
 * | in JavaScript | as a parameter | |
 * |---|---|---|
 * | string | untyped: takes the type of its context | without a context (`${x} is null`) add `::text` |
 * | number | int4, int8 or float8 by its value | `${n}::bigint` where one text must fit all sizes |
 * | boolean, Uint8Array | bool, bytea | |
 * | null, undefined | untyped null | the same |
 * | Date | timestamptz | an ISO string works too; never epoch numbers |
 * | array of one type | `text[]`, `int4[]`, `timestamptz[]`, … | cast it (`${ids}::text[]`): then empty and all-null work |
 * | anything as jsonb | `sql.json(value)` of `PgClient`, or `${JSON.stringify(value)}::jsonb` | a bare object is refused |
 *
 * `sql.json(null)` is SQL NULL; the JSON null is `'null'::jsonb`. Many rows go in as one parameter:
 * `select * from jsonb_to_recordset(${sql.json(rows)}) as r (id text, n int)`, or `unnest` of one array a column.
 *
 * | column | in a row | |
 * |---|---|---|
 * | text, uuid, int2, int4, float8, bool, bytea | string, number, boolean, Uint8Array | |
 * | int8, and `count(*)`, `sum(int)` | **bigint** | write `count(*)::int`, `big::float8` |
 * | numeric, and `extract`, `sum(bigint)` | **string** | `::float8` |
 * | timestamptz | Date, cut to milliseconds | inside jsonb it is a string in PostgreSQL's own spelling |
 * | date | `YYYY-MM-DD` | |
 * | json, jsonb | the parsed value; JSON null and SQL NULL are both `null` | object keys come back in another order |
 * | array | array | |
 *
 * Rows are plain objects with the column names unchanged (snake_case). No text holds a NUL, and a
 * lone surrogate would be stored as U+FFFD: schemas reject both first. Text sorts by the database's collation, so order
 * and compare ids, handles and cursors with `collate "C"`, which both backends and JavaScript's code units agree on for
 * ASCII. `now()` is the start of the transaction; `clock_timestamp()` is now.
 *
 * *Concurrency.* PGlite is one session: everything must work with a single connection. Inside `sql.withTransaction`
 * nothing may wait for a statement outside. No session state (`set` without `local`, `pg_advisory_lock`,
 * temporary tables); LISTEN is shared, one listener a channel. On PGlite the time limits below have no effect.
 *
 * PostgreSQL connections carry time limits: 10 s for a statement, 2 s for a lock, 10 s idle in a transaction. They are
 * startup parameters; through a pooler (`?pooler=transaction`) they are settings of the role, and no statement has a name.
 */

import * as PgClient from "@effect/sql-pg/PgClient"
import { type Failure, Unavailable } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { PgliteUrl, PostgresUrl } from "./DatabaseUrl.ts"
import * as FolderLock from "./FolderLock.ts"
import type { Migration } from "./Migration.ts"
import * as Migrator from "./Migrator.ts"
import { migrations as allMigrations } from "./migrations/index.ts"
import * as PgliteFolder from "./PgliteFolder.ts"
import { makePgliteStream } from "./PgliteStream.ts"
import { isOutage } from "./SqlFailure.ts"
import { requirePrivileges } from "./serviceRole.ts"
import { sessionSettings } from "./sessionSettings.ts"

/** The open database. `label` is safe to show; `directory` is the absolute PGlite folder, if there is one. */
export class Database extends Context.Service<
  Database,
  {
    readonly backend: "postgres" | "pglite"
    readonly label: string
    readonly directory?: string
    /**
     * Publishes the URL of this process, so that other processes become its clients. Does nothing on PostgreSQL, which
     * many processes share. Fails with UNAVAILABLE when the lock file cannot be written.
     */
    readonly publish: (address: {
      readonly url: string
      readonly token: Redacted.Redacted<string>
    }) => Effect.Effect<void, Failure>
  }
>()("@svc/postgres/Database") {}

export type DatabaseServices = SqlClient | PgClient.PgClient | Database

interface DatabaseOptions {
  /** Migrates the schema first; otherwise an outdated schema is left unchanged. */
  readonly migrate?: boolean
  /** PostgreSQL connections of this process (`SVC_DB_POOL`), 16 by default. */
  readonly maxConnections?: number
  /** How long to wait for a PostgreSQL that does not respond yet (`SVC_DATABASE_WAIT_SECONDS`), 0 by default. */
  readonly waitSeconds?: number
  /** Other migrations than those of this package, for tests. */
  readonly migrations?: ReadonlyArray<Migration>
  /** Another snapshot for a new PGlite than the one built with this package, for tests. */
  readonly snapshot?: Effect.Effect<Blob | undefined>
}

const session = (options: PgClient.PgPoolConfig) => PgClient.make({ applicationName: "svc", ...options })

const services = (client: PgClient.PgClient, database: Database["Service"]): Context.Context<DatabaseServices> =>
  Context.make(PgClient.PgClient, client).pipe(Context.add(SqlClient, client), Context.add(Database, database))

const prepare = (
  client: PgClient.PgClient,
  database: string,
  { migrate = false, migrations = allMigrations }: DatabaseOptions
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    if (!migrate) return
    yield* Effect.provideService(requirePrivileges, SqlClient, client)
    const applied = yield* Effect.provideService(Migrator.migrate(migrations), SqlClient, client)
    if (applied.length === 0) return
    yield* Effect.logInfo("Migrated the database", { database, migrations: applied.map(({ name }) => name) })
  })

const unreachable =
  (label: string) =>
  (error: SqlError): Failure => {
    const cause = error.reason.cause
    return new Unavailable({
      message:
        `Can't reach the database ${label}: ${cause instanceof Error ? cause.message : error.message}. Check ` +
        "SVC_DATABASE_URL and that the server is running.",
      retryAfterSeconds: 5
    })
  }

/** Retries while the server may still be starting: it does not respond, has no connection left, or says so itself. */
const waitFor = <A>(read: Effect.Effect<A, SqlError>, label: string, seconds: number): Effect.Effect<A, SqlError> =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    const waited = Effect.map(Clock.currentTimeMillis, (now) => (now - startedAt) / 1_000)
    let isWaiting = false
    const mayPass = (error: SqlError) =>
      Effect.gen(function* () {
        if (!isOutage(error) || (yield* waited) >= seconds) return false
        if (!isWaiting) yield* Effect.logWarning("Waiting for the database", { database: label, seconds })
        isWaiting = true
        return true
      })
    const found = yield* Effect.retry(read, { while: mayPass, schedule: Schedule.spaced("250 millis") })
    if (isWaiting) yield* Effect.logInfo("The database responds", { database: label, waited: yield* waited })
    return found
  })

/** Requires PostgreSQL 15 or newer and UTF-8. */
const checkServer = (client: PgClient.PgClient, label: string, waitSeconds: number): Effect.Effect<void, Failure> =>
  waitFor(
    client<{ version: number; encoding: string }>`
      select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding
    `,
    label,
    waitSeconds
  ).pipe(
    Effect.mapError(unreachable(label)),
    Effect.flatMap(([server]) => {
      if (server === undefined || server.version < 150000) {
        return Effect.fail(
          new Unavailable({ message: `The database ${label} is older than PostgreSQL 15. Use 15 or newer.` })
        )
      }
      return server.encoding === "UTF8"
        ? Effect.void
        : Effect.fail(
            new Unavailable({
              message: `The database ${label} stores ${server.encoding}. Create it with encoding UTF8.`
            })
          )
    })
  )

/** Warns where a pooler's sessions lack the settings that this process may not send. */
const checkSettings = (client: PgClient.PgClient, label: string): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    const [names, values] = [Object.keys(sessionSettings), Object.values(sessionSettings)]
    const missing = yield* client<{ readonly name: string }>`
      select name from unnest(${names}::text[], ${values}::text[]) r (name, value) where current_setting(name) <> value
    `
    if (missing.length === 0) return
    yield* Effect.logWarning("The role lacks session settings: time limits and plans. Run the SQL of svc db roles.", {
      database: label,
      settings: missing.map(({ name }) => name)
    })
  }).pipe(Effect.mapError(unreachable(label)))

const openPostgres = (url: PostgresUrl, options: DatabaseOptions) =>
  Effect.gen(function* () {
    const client = yield* session({
      url: url.url,
      maxConnections: options.maxConnections ?? 16,
      connectTimeout: "5 seconds",
      keepAlive: "30 seconds",
      ...(url.isPooled
        ? { prepare: false, startupParameters: { timezone: "UTC" } }
        : { startupParameters: { timezone: "UTC", ...sessionSettings } })
    }).pipe(Effect.mapError(unreachable(url.label)))
    yield* checkServer(client, url.label, options.waitSeconds ?? 0)
    if (url.isPooled) yield* checkSettings(client, url.label)
    yield* prepare(client, url.label, options)
    return services(client, { backend: "postgres", label: url.label, publish: () => Effect.void })
  })

/**
 * A client of an open PGlite, which nothing else may use. It has four connections, so that a listener or a stream does not
 * block statements; they share PGlite's one session.
 */
export const connectPglite = (
  pglite: PgliteFolder.Pglite
): Effect.Effect<PgClient.PgClient, never, Scope.Scope | Reactivity.Reactivity> =>
  Effect.gen(function* () {
    const stream = yield* Effect.acquireRelease(
      Effect.sync(() => makePgliteStream(pglite)),
      (wire) => Effect.promise(() => wire.close())
    )
    return yield* Effect.orDie(
      session({ stream: stream.connect, ssl: false, username: "postgres", database: "postgres", maxConnections: 4 })
    )
  })

const openFolder = (url: PgliteUrl, options: DatabaseOptions) =>
  Effect.gen(function* () {
    const lock = yield* FolderLock.acquire(url.directory)
    const client = yield* connectPglite(
      yield* PgliteFolder.open(lock.directory, options.migrations ?? allMigrations, options.snapshot)
    )
    yield* prepare(client, url.label, options)
    return services(client, {
      backend: "pglite",
      label: url.label,
      directory: lock.directory,
      publish: lock.publish
    })
  })

/**
 * Opens the database while the layer lives, and closes client, PGlite and folder lock in that order.
 *
 * Fails with UNAVAILABLE when it is unreachable or too old, or another process uses its folder (the message names it), and
 * with WRONG_STATE when its schema cannot be migrated by this code.
 */
export const layer = (
  url: PostgresUrl | PgliteUrl,
  options: DatabaseOptions = {}
): Layer.Layer<DatabaseServices, Failure> =>
  Layer.effectContext(url._tag === "Postgres" ? openPostgres(url, options) : openFolder(url, options)).pipe(
    Layer.provide(Reactivity.layer)
  )

/** A migrated PGlite in memory, for tests. */
export const layerPgliteInMemory = (
  options: Pick<DatabaseOptions, "migrations" | "snapshot"> = {}
): Layer.Layer<DatabaseServices, Failure> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const pglite = yield* PgliteFolder.openInMemory(options.migrations ?? allMigrations, options.snapshot)
      const client = yield* connectPglite(pglite)
      yield* prepare(client, "pglite in memory", { ...options, migrate: true })
      return services(client, { backend: "pglite", label: "pglite in memory", publish: () => Effect.void })
    })
  ).pipe(Layer.provide(Reactivity.layer))
