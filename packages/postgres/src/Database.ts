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
 * A record is written with `sql.insert(snakeKeys(record))` and `sql.update`, whose texts follow the order of its fields; what
 * is no scalar goes in as `jsonb(…)` or `texts(…)` of `columns.ts`. `recordOf` makes a record of a row.
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
 * *Concurrency.* PGlite has one session and so one connection, lent in the order of asking: everything must work with a single
 * one. Inside `sql.withTransaction` nothing may wait for a statement outside. No session state (`set` without `local`,
 * `pg_advisory_lock`, temporary tables), no LISTEN and no streams. On PGlite the time limits below have no effect.
 *
 * PostgreSQL connections carry time limits: 10 s for a statement (`SVC_STATEMENT_TIMEOUT_SECONDS`), 2 s for a lock, 10 s idle in
 * a transaction; the client cancels a search after 5 s. They are startup parameters; through a pooler (`?pooler=transaction`) they are settings of the role, and no
 * statement has a name. A statement without a response 2 s after its limit fails and closes its connection; what may take longer
 * needs `withoutDeadline`.
 *
 * *Names.* A statement names tables and functions with the schema `svc` (`select … from svc.leads`), which stands for the one
 * that has them ({@link inSchema}); the `search_path` of a connection, and its time zone, mean nothing.
 */

import * as PgClient from "@effect/sql-pg/PgClient"
import { type Failure, Unavailable } from "@svc/core"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import type { PgliteUrl, PostgresUrl } from "./DatabaseUrl.ts"
import * as FolderLock from "./FolderLock.ts"
import { makeHostClient } from "./HostClient.ts"
import { makeHostPool } from "./HostPool.ts"
import type { HostPool } from "./host/index.ts"
import { inSchema } from "./inSchema.ts"
import type { Migration } from "./Migration.ts"
import * as Migrator from "./Migrator.ts"
import { migrations as allMigrations } from "./migrations/index.ts"
import { makeOwnPool } from "./OwnPool.ts"
import * as PgliteFolder from "./PgliteFolder.ts"
import { makePgliteStream } from "./PgliteStream.ts"
import { forkUpkeep } from "./PgliteUpkeep.ts"
import type { PoolOptions } from "./PoolLimits.ts"
import { checkServer, checkSettings, chooseSchema, unreachable } from "./Server.ts"
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

interface DatabaseOptions extends PoolOptions {
  /** Migrates the schema first; otherwise an outdated schema is left unchanged. */
  readonly migrate?: boolean
  /** PostgreSQL connections of this process (`SVC_DB_POOL`), 16 by default. */
  readonly maxConnections?: number
  /** The schema of the tables (`?schema=` of the URL); without one, the first that has them: of the search path, or `svc`. */
  readonly schema?: string | undefined
  /** The schema of new tables where none is named; by default the first one of the search path. */
  readonly newSchema?: string
  /** How long to wait for a PostgreSQL that does not respond yet (`SVC_DATABASE_WAIT_SECONDS`), 0 by default. */
  readonly waitSeconds?: number
  /** Other migrations than those of this package, for tests. */
  readonly migrations?: ReadonlyArray<Migration>
  /** Another snapshot for a new PGlite than the one built with this package, for tests. */
  readonly snapshot?: Effect.Effect<Blob | undefined>
}

/** The services of an open database, migrated first if asked. */
const services = (
  client: PgClient.PgClient,
  database: Database["Service"],
  { migrate = false, migrations = allMigrations }: DatabaseOptions
) =>
  Effect.gen(function* () {
    const context = Context.make(PgClient.PgClient, client).pipe(
      Context.add(SqlClient, client),
      Context.add(Database, database)
    )
    if (!migrate) return context
    yield* Effect.provideService(requirePrivileges, SqlClient, client)
    const applied = yield* Effect.provideService(Migrator.migrate(migrations), SqlClient, client)
    if (applied.length > 0) {
      const names = applied.map(({ name }) => name)
      yield* Effect.logInfo("Migrated the database", { database: database.label, migrations: names })
    }
    return context
  })

const openPostgres = Effect.fnUntraced(function* (url: PostgresUrl, options: DatabaseOptions) {
  const settings = sessionSettings(options.statementSeconds)
  const client = yield* makeOwnPool(
    {
      url: url.url,
      applicationName: "svc",
      maxConnections: options.maxConnections ?? 16,
      connectTimeout: "5 seconds",
      keepAlive: "30 seconds",
      ...(url.isPooled
        ? { prepare: false, startupParameters: { timezone: "UTC" } }
        : { startupParameters: { timezone: "UTC", ...settings } })
    },
    options
  ).pipe(Effect.mapError(unreachable(url.label)))
  const server = yield* checkServer(client, url.label, options.waitSeconds ?? 0)
  if (url.isPooled) yield* checkSettings(client, url.label, settings)
  const schema = yield* chooseSchema(server, { ...options, schema: options.schema ?? url.schema })
  const database = { backend: "postgres", label: url.label, publish: () => Effect.void } as const
  return yield* services(inSchema(client, schema), database, options)
})

/** A client of an open PGlite, which nothing else may use. It has one connection, as PGlite has one session. */
export const connectPglite = (pglite: PgliteFolder.Pglite) => {
  const config = { stream: makePgliteStream(pglite), username: "postgres", maxConnections: 1 }
  return Effect.map(Effect.orDie(makeOwnPool(config, { statementSeconds: Number.POSITIVE_INFINITY })), (client) =>
    inSchema(client, "public")
  )
}

const openFolder = Effect.fnUntraced(function* (url: PgliteUrl, options: DatabaseOptions) {
  const lock = yield* FolderLock.acquire(url.directory)
  const client = yield* connectPglite(
    yield* PgliteFolder.open(lock.directory, options.migrations ?? allMigrations, options.snapshot)
  )
  const { directory, publish } = lock
  const context = yield* services(client, { backend: "pglite", label: url.label, directory, publish }, options)
  yield* Effect.provide(forkUpkeep, context)
  return context
})

/**
 * A host's connections: a `Pool` of `pg`, or a client of `@effect/sql-pg`, itself or as a layer. They stay the host's. The
 * `search_path` of their sessions means nothing. What the server allows a statement on a client of `@effect/sql-pg` is the host's
 * to configure; the deadlines of this process hold on all of them.
 */
export type HostConnections = HostPool | PgClient.PgClient | Layer.Layer<PgClient.PgClient, unknown>

/** A database that the host has opened. */
export interface HostDatabase {
  readonly _tag: "Host"
  readonly client: HostConnections
  readonly label: string
}

const isPgClient = (client: HostConnections): client is PgClient.PgClient => PgClient.TypeId in client

const isLayer = (client: HostConnections): client is Layer.Layer<PgClient.PgClient, unknown> => Layer.isLayer(client)

const connected = (client: HostConnections, options: PoolOptions) => {
  if (isPgClient(client)) return makeHostClient(client, options)
  if (!isLayer(client)) return makeHostPool(client, options)
  return Layer.build(client).pipe(
    Effect.catchCause((cause) =>
      Effect.fail(new Unavailable({ message: `The layer of the database failed: ${Cause.pretty(cause)}` }))
    ),
    Effect.flatMap((context) => makeHostClient(Context.get(context, PgClient.PgClient), options))
  )
}

const openHost = Effect.fnUntraced(function* (host: HostDatabase, options: DatabaseOptions) {
  const client = yield* connected(host.client, options)
  const schema = yield* chooseSchema(yield* checkServer(client, host.label, 0), options)
  const database = { backend: "postgres", label: host.label, publish: () => Effect.void } as const
  return yield* services(inSchema(client, schema), database, options)
})

/**
 * Opens the database while the layer lives, and closes client, PGlite and folder lock in that order.
 *
 * Fails with UNAVAILABLE when it is unreachable or too old, or another process uses its folder (the message names it), and
 * with WRONG_STATE when its schema cannot be migrated by this code.
 */
export const layer = (
  source: PostgresUrl | PgliteUrl | HostDatabase,
  options: DatabaseOptions = {}
): Layer.Layer<DatabaseServices, Failure> => {
  const open = () => {
    switch (source._tag) {
      case "Postgres":
        return openPostgres(source, options)
      case "Pglite":
        return openFolder(source, options)
      case "Host":
        return openHost(source, options)
    }
  }
  return Layer.effectContext(Effect.suspend(open)).pipe(Layer.provide(Reactivity.layer))
}

/** A migrated PGlite in memory, for tests. */
export const layerPgliteInMemory = (
  options: Pick<DatabaseOptions, "migrations" | "snapshot"> = {}
): Layer.Layer<DatabaseServices, Failure> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const pglite = yield* PgliteFolder.openInMemory(options.migrations ?? allMigrations, options.snapshot)
      const client = yield* connectPglite(pglite)
      const database = { backend: "pglite", label: "pglite in memory", publish: () => Effect.void } as const
      return yield* services(client, database, { ...options, migrate: true })
    })
  ).pipe(Layer.provide(Reactivity.layer))
