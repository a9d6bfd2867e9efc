/**
 * The layers that open PostgreSQL or PGlite, behind one client: the same SQL, parameters and rows for both.
 *
 * **Writing SQL for this client** (measured on both, `test/postgres/Database.test.ts`)
 *
 * *Round trips.* A statement is one round trip, parsed once for each connection. A transaction of n statements takes
 * n + 2, and the statements of a connection never overlap: what must be fast is one statement with CTEs. A statement
 * holds one command; only migrations hold several. Statement text must not vary with data (no lists spelled out, no
 * `sql.in` of varying length): each text is prepared and kept, so pass arrays and use `= any(…)` or `unnest`.
 *
 * | in JavaScript | as a parameter | |
 * |---|---|---|
 * | string | untyped: takes the type of its context | where nothing gives one (`${x} is null`) add `::text` |
 * | number | int4, int8 or float8 by its value | `${n}::bigint` where one text must serve all sizes |
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
 * Rows are plain objects with the column names as they are (snake_case): nothing is renamed. No text holds a NUL, and a
 * lone surrogate would be stored as U+FFFD: schemas refuse both first. Text sorts by the database's language, so order
 * and compare ids, handles and cursors with `collate "C"`, which both backends and JavaScript's code units agree on for
 * ASCII. `now()` is the start of the transaction; `clock_timestamp()` is now.
 *
 * *Concurrency.* PGlite is one session: everything must work with a single connection. Inside `sql.withTransaction`
 * nothing may wait for a statement outside of it. No session state (`set` without `local`, `pg_advisory_lock`,
 * temporary tables); LISTEN is shared, one listener a channel. On PGlite the time limits below have no effect.
 *
 * PostgreSQL connections carry time limits: 10 s for a statement, 2 s for a lock, 10 s idle in a transaction. They are
 * startup parameters, which a pooler such as PgBouncer must be told to let through (`ignore_startup_parameters`).
 *
 * Source: contract 3 and 4; stack research, section 6; reliability research, threat 18.
 */

import * as PgClient from "@effect/sql-pg/PgClient"
import { type Failure, fail } from "@svc/core/Failure"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { PgliteUrl, PostgresUrl } from "./DatabaseUrl.ts"
import * as FolderLock from "./FolderLock.ts"
import * as Migrator from "./Migrator.ts"
import { migrations as allMigrations } from "./migrations/index.ts"
import * as PgliteFolder from "./PgliteFolder.ts"
import { makePgliteStream } from "./PgliteStream.ts"

/** What is open. `label` is safe to show; `directory` is the absolute PGlite folder, if there is one. */
export class Database extends Context.Service<
  Database,
  {
    readonly backend: "postgres" | "pglite"
    readonly label: string
    readonly directory?: string
    /**
     * Tells other processes where this one listens, so that they become its clients. Does nothing on PostgreSQL, which
     * many processes share. Fails with UNAVAILABLE when the lock file cannot be written.
     */
    readonly publish: (address: {
      readonly url: string
      readonly token: Redacted.Redacted<string>
    }) => Effect.Effect<void, Failure>
  }
>()("@svc/postgres/Database") {}

/** What the layers provide. */
export type DatabaseServices = SqlClient | PgClient.PgClient | Database

/** How to open a database. */
export interface DatabaseOptions {
  /** Brings the schema up to date before anything else; otherwise a database that is behind is left as it is. */
  readonly migrate?: boolean
  /** PostgreSQL connections of this process (`SVC_DB_POOL`), 16 if not given. */
  readonly maxConnections?: number
  /** The schema's history, if not this package's: for tests. */
  readonly migrations?: ReadonlyArray<Migrator.Migration>
  /** What a new PGlite starts from, if not the snapshot that was built with this package: for tests. */
  readonly snapshot?: Effect.Effect<Blob | undefined>
}

const session = (options: PgClient.PgPoolConfig) => PgClient.make({ applicationName: "svc", ...options })

const services = (client: PgClient.PgClient, database: Database["Service"]): Context.Context<DatabaseServices> =>
  Context.make(PgClient.PgClient, client).pipe(Context.add(SqlClient, client), Context.add(Database, database))

const prepare = (
  client: PgClient.PgClient,
  { migrate = false, migrations = allMigrations }: DatabaseOptions
): Effect.Effect<void, Failure> =>
  migrate ? Effect.asVoid(Effect.provideService(Migrator.migrate(migrations), SqlClient, client)) : Effect.void

const unreachable =
  (label: string) =>
  (error: SqlError): Failure => {
    const cause = error.reason.cause
    return fail(
      "UNAVAILABLE",
      `The database ${label} cannot be reached: ${cause instanceof Error ? cause.message : error.message}. Check ` +
        "SVC_DATABASE_URL and that the server is running.",
      { retryAfterSeconds: 5 }
    )
  }

/** PostgreSQL 15 or newer, storing UTF-8: what the SQL of this package is written for. */
const checkServer = (client: PgClient.PgClient, label: string): Effect.Effect<void, Failure> =>
  client<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding
  `.pipe(
    Effect.mapError(unreachable(label)),
    Effect.flatMap(([server]) => {
      if (server === undefined || server.version < 150000) {
        return Effect.fail(fail("UNAVAILABLE", `The database ${label} is older than PostgreSQL 15. Use 15 or newer.`))
      }
      return server.encoding === "UTF8"
        ? Effect.void
        : Effect.fail(
            fail("UNAVAILABLE", `The database ${label} stores ${server.encoding}. Create it with encoding UTF8.`)
          )
    })
  )

const openPostgres = (url: PostgresUrl, options: DatabaseOptions) =>
  Effect.gen(function* () {
    const client = yield* session({
      url: url.url,
      maxConnections: options.maxConnections ?? 16,
      connectTimeout: "5 seconds",
      keepAlive: "30 seconds",
      startupParameters: {
        timezone: "UTC",
        statement_timeout: "10s",
        lock_timeout: "2s",
        idle_in_transaction_session_timeout: "10s",
        // Every statement is short; compiling one takes a hundred times as long as running it.
        jit: "off",
        // What is read often is in memory: looking a row up by an index costs hardly more than reading on.
        random_page_cost: "1.1"
      }
    }).pipe(Effect.mapError(unreachable(url.label)))
    yield* checkServer(client, url.label)
    yield* prepare(client, options)
    return services(client, { backend: "postgres", label: url.label, publish: () => Effect.void })
  })

/**
 * A client of an open PGlite, which nothing else may use meanwhile. It has four connections, so that a listener or a
 * stream leaves room for statements; they share PGlite's one session.
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
    yield* prepare(client, options)
    return services(client, {
      backend: "pglite",
      label: url.label,
      directory: lock.directory,
      publish: lock.publish
    })
  })

/**
 * Opens the database for as long as the layer lives, and closes client, PGlite and folder lock in that order.
 *
 * Fails with UNAVAILABLE when it cannot be reached, is too old, or its folder belongs to a living process (the message
 * names it), and with WRONG_STATE when its schema is not one that this code can bring up to date.
 */
export const layer = (
  url: PostgresUrl | PgliteUrl,
  options: DatabaseOptions = {}
): Layer.Layer<DatabaseServices, Failure> =>
  Layer.effectContext(url._tag === "Postgres" ? openPostgres(url, options) : openFolder(url, options)).pipe(
    Layer.provide(Reactivity.layer)
  )

/** A migrated PGlite without a folder, gone with the layer: for tests. */
export const layerPgliteInMemory = (
  options: Pick<DatabaseOptions, "migrations" | "snapshot"> = {}
): Layer.Layer<DatabaseServices, Failure> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const pglite = yield* PgliteFolder.openInMemory(options.migrations ?? allMigrations, options.snapshot)
      const client = yield* connectPglite(pglite)
      yield* prepare(client, { ...options, migrate: true })
      return services(client, { backend: "pglite", label: "pglite in memory", publish: () => Effect.void })
    })
  ).pipe(Layer.provide(Reactivity.layer))
