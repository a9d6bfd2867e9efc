/** What a database server must be, and where in it the tables are. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import { type Failure, Unavailable, WrongState } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { writtenSchema } from "./inSchema.ts"
import { requireCurrent } from "./Migrator.ts"

import { deniedMessage, isOutage, orUnavailable } from "./SqlFailure.ts"

/** The failure of a server that cannot be reached. */
export const unreachable =
  (label: string) =>
  (error: SqlError): Failure => {
    const cause = error.reason.cause
    return new Unavailable({
      message:
        deniedMessage(error) ??
        `Can't reach the database ${label}: ${cause instanceof Error ? cause.message : error.message}. Check ` +
          "SVC_DATABASE_URL and that the server is running.",
      retryAfterSeconds: 5
    })
  }

/** Retries while the server may still be starting: it does not respond, has no connection left, or says so itself. */
const waitFor = Effect.fnUntraced(function* <A>(read: Effect.Effect<A, SqlError>, label: string, seconds: number) {
  const startedAt = yield* Clock.currentTimeMillis
  const waited = Effect.map(Clock.currentTimeMillis, (now) => (now - startedAt) / 1_000)
  let isWaiting = false
  const mayPass = Effect.fnUntraced(function* (error: SqlError) {
    if (!isOutage(error) || (yield* waited) >= seconds) return false
    if (!isWaiting) yield* Effect.logWarning("Waiting for the database", { database: label, seconds })
    isWaiting = true
    return true
  })
  const found = yield* Effect.retry(read, { while: mayPass, schedule: Schedule.spaced("250 millis") })
  if (isWaiting) yield* Effect.logInfo("The database responds", { database: label, waited: yield* waited })
  return found
})

/** Servers that speak PostgreSQL's protocol and are not PostgreSQL: what their version says, and what they lack. */
const engines: ReadonlyArray<readonly [version: RegExp, name: string, lack: string]> = [
  [/CockroachDB/, "CockroachDB", "its advisory locks lock nothing"],
  [/-YB-/, "YugabyteDB", "its locks and snapshots are not those of PostgreSQL"],
  [/Redshift/, "Amazon Redshift", "it enforces no unique keys"],
  // PostgreSQL says what it was compiled for and by.
  [/^PostgreSQL [\d.]+$/, "Aurora DSQL", "it has no foreign keys, and its locks do not wait"]
]

/** The failure of a server that is not PostgreSQL; undefined for PostgreSQL, whoever runs it. */
export const foreignEngine = (label: string, version: string): Failure | undefined => {
  const [, name, lack] = engines.find(([pattern]) => pattern.test(version)) ?? []
  if (name === undefined) return undefined
  return new Unavailable({
    message:
      `The database ${label} is ${name}, and ${lack}: a person could be stored or written to twice. Use PostgreSQL 15 or newer, ` +
      "with Citus where one server is too small."
  })
}

/** What a server says of itself; `current` is the first schema of the search path, null if none exists. */
interface Server {
  readonly product: string
  readonly version: number
  readonly encoding: string
  readonly current: string | null
  readonly isCurrent: boolean
  readonly isOwn: boolean
}

/** Requires PostgreSQL 15 or newer and UTF-8. */
export const checkServer = Effect.fnUntraced(function* (client: PgClient.PgClient, label: string, waitSeconds: number) {
  const read = client<Server>`
      select version() as product, current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
        current_schema()::text as current, to_regclass('svc.svc_migrations') is not null as "isOwn",
        to_regclass(quote_ident(current_schema()) || '.svc_migrations') is not null as "isCurrent"
    `
  const [server] = yield* Effect.mapError(waitFor(read, label, waitSeconds), unreachable(label))
  const refusal = server && foreignEngine(label, server.product)
  if (refusal !== undefined) return yield* refusal
  if (server === undefined || server.version < 150000) {
    return yield* new Unavailable({ message: `The database ${label} is older than PostgreSQL 15. Use 15 or newer.` })
  }
  if (server.encoding === "UTF8") return server
  return yield* new Unavailable({
    message: `The database ${label} stores ${server.encoding}. Create it with encoding UTF8.`
  })
})

/** The schema of the tables: the named one, or the one that has them, or the one for new ones. */
export const chooseSchema = (
  { current, isCurrent, isOwn }: Server,
  { newSchema, schema }: { readonly schema?: string | undefined; readonly newSchema?: string | undefined }
) => {
  const chosen = schema ?? (isCurrent ? current : isOwn ? writtenSchema : (newSchema ?? current))
  return chosen === null
    ? Effect.fail(
        new WrongState({
          message:
            "No schema in search_path exists, or the role may not use it. Create the schema, run the SQL of svc db roles, or " +
            "name one with ?schema= in the URL."
        })
      )
    : Effect.succeed(chosen)
}

/** Warns where a pooler's sessions lack the settings that this process may not send. */
export const checkSettings = (
  client: PgClient.PgClient,
  label: string,
  expected: Readonly<Record<string, string>>
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    const [names, values] = [Object.keys(expected), Object.values(expected)]
    const missing = yield* client<{ readonly name: string }>`
      select name from unnest(${names}::text[], ${values}::text[]) r (name, value) where current_setting(name) <> value
    `
    if (missing.length === 0) return
    yield* Effect.logWarning("The role lacks session settings: time limits and plans. Run the SQL of svc db roles.", {
      database: label,
      settings: missing.map(({ name }) => name)
    })
  }).pipe(Effect.mapError(unreachable(label)))

/**
 * Fails with UNAVAILABLE or WRONG_STATE unless the database is reachable, its schema current, and takes writes, which an old
 * primary does not after a failover. Writes nothing, but in the way of all writes, so a connection that leads there is replaced.
 */
export const requireReady: Effect.Effect<void, Failure, SqlClient> = Effect.andThen(
  requireCurrent(),
  Effect.flatMap(SqlClient, (sql) => Effect.asVoid(orUnavailable(sql`delete from svc.service_processes where false`)))
)
