/**
 * Migrates a database to the schema of this code: forward only, one transaction each, with checksums.
 *
 * Any number of replicas may start at once: each migration runs under an advisory lock, and a process that waited for it
 * checks again what is applied. A migration that changed after it was applied, or a database newer than the code, is
 * refused.
 */

import { createHash } from "node:crypto"
import { type Failure, Unavailable, WrongState } from "@svc/core"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { quoted, schemaOf } from "./inSchema.ts"
import type { Migration } from "./Migration.ts"
import { migrations as allMigrations } from "./migrations/index.ts"
import { withoutDeadline } from "./PoolLimits.ts"
import { fromSqlError, orUnavailable, retrySerialization, sqlStateOf } from "./SqlFailure.ts"

/** A migration as recorded in the database. `checksum` is the lower-case hex SHA-256 of its SQL. */
export interface AppliedMigration {
  readonly id: number
  readonly name: string
  readonly checksum: string
}

/** The schema version of a database. `head` is the highest applied id, 0 for an empty database. */
export interface MigrationStatus {
  readonly head: number
  readonly applied: ReadonlyArray<AppliedMigration>
  readonly pending: ReadonlyArray<Migration>
}

/** The checksum of a migration's SQL. */
export const checksumOf = (migration: Migration): string => createHash("sha256").update(migration.sql).digest("hex")

/** Spells "svc-migr". Every version must use the same key. */
const lockKey = "8319946408373872498"

const createTable = `create table if not exists svc.svc_migrations (
  id integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

/**
 * Wraps several statements in one: the client uses the extended protocol, which takes one statement at a time, and only
 * PostgreSQL knows where each of them ends.
 */
const asOneStatement = (sql: string): string => {
  const tag = `svc_${createHash("sha256").update(sql).digest("hex").slice(0, 16)}`
  return `do $${tag}_do$ begin execute $${tag}$\n${sql}\n$${tag}$; end $${tag}_do$`
}

const refuse = (message: string): Effect.Effect<never, Failure> => Effect.fail(new WrongState({ message }))

/** The status, or a failure when the database's history is not the beginning of this code's. */
const compare = (applied: ReadonlyArray<AppliedMigration>, known: ReadonlyArray<Migration>) => {
  const byId = new Map(known.map((migration) => [migration.id, migration]))
  const newest = known.at(-1)?.id ?? 0
  for (const { checksum, id, name } of applied) {
    const migration = byId.get(id)
    if (migration === undefined) {
      return refuse(
        `The database has migration ${id} (${name}), but this version of svc only knows migrations up to ${newest}. ` +
          "Start that version or a newer one."
      )
    }
    const difference =
      migration.name === name
        ? checksumOf(migration) !== checksum && "its checksum differs"
        : `this version of svc calls it ${migration.name}`
    if (difference) {
      return refuse(
        `Migration ${id} (${name}) differs from the one applied to this database: ${difference}. Start the version ` +
          "of svc that applied it, or use another database. Released migrations never change: add a new one instead."
      )
    }
  }
  const done = new Set(applied.map(({ id }) => id))
  return Effect.succeed({
    head: applied.at(-1)?.id ?? 0,
    applied,
    pending: known.filter(({ id }) => !done.has(id))
  })
}

const readApplied = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [table] = yield* sql<{ found: boolean }>`select to_regclass('svc.svc_migrations') is not null as found`
  return table?.found === true
    ? yield* sql<AppliedMigration>`select id, name, checksum from svc.svc_migrations order by id`
    : []
})

/** The schema version of the database. Writes nothing. Fails with WRONG_STATE when its history is not this code's. */
export const status = (known: ReadonlyArray<Migration> = allMigrations) =>
  orUnavailable(readApplied).pipe(Effect.flatMap((applied) => compare(applied, known)))

/** The SQL that {@link migrate} would run, each migration after a comment with its name. Empty when nothing is pending. */
export const plan = (known: ReadonlyArray<Migration> = allMigrations): Effect.Effect<string, Failure, SqlClient> =>
  Effect.map(status(known), ({ pending }) =>
    pending.map(({ id, name, sql }) => `-- ${id} ${name}\n${sql.trim()}\n`).join("\n")
  )

const migrationFailure = (migration: Migration, error: SqlError): Failure => {
  const meaning = fromSqlError(error)
  if (meaning._tag === "Unavailable") return meaning.failure
  const state = sqlStateOf(error)
  const cause = error.reason.cause
  return new WrongState({
    message:
      `Migration ${migration.id} (${migration.name}) failed and was rolled back: ` +
      `${cause instanceof Error ? cause.message : error.message}${state === undefined ? "" : ` (SQLSTATE ${state})`}. ` +
      "Fix the database or report the problem, then start again."
  })
}

/** SQLSTATE insufficient_privilege. */
const notAllowed = "42501"

const ifNotAllowed = (message: string) => (error: SqlError) =>
  sqlStateOf(error) === notAllowed ? new WrongState({ message }) : error

const mayNotMigrate = ifNotAllowed(
  "The database schema is outdated, and this role may not change it. Run svc db migrate as its owner."
)

const mayNotCreate = (schema: string) =>
  ifNotAllowed(
    `The schema ${quoted(schema)} does not exist, and this role may not create it. Run create schema ` +
      `${quoted(schema)} authorization ROLE; as a role that may.`
  )

/** Applies and returns the next pending migration, if any. */
const applyNext = Effect.fnUntraced(function* (known: ReadonlyArray<Migration>) {
  const sql = yield* SqlClient
  const schema = schemaOf(sql)
  // Wait for another replica's migration without a limit. Queueing behind a long query blocks everyone after it, so that
  // has a limit.
  yield* sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`
  yield* sql`select pg_advisory_xact_lock(${lockKey}::bigint)`
  // Functions keep the search path of their creation: this schema alone, for any caller.
  yield* sql`
      select set_config('lock_timeout', '10s', true), set_config('client_min_messages', 'warning', true),
        set_config('search_path', quote_ident(${schema}), true)
    `
  const [existing] = yield* sql`select from pg_namespace where nspname = ${schema}`
  if (existing === undefined)
    yield* Effect.mapError(sql.unsafe(`create schema ${quoted(schema)}`), mayNotCreate(schema))
  yield* Effect.mapError(sql.unsafe(createTable), mayNotMigrate)
  const { pending } = yield* compare(yield* readApplied, known)
  const [next] = pending
  if (next === undefined) return undefined
  yield* Effect.mapError(sql.unsafe(asOneStatement(next.sql)).unprepared, (error) => migrationFailure(next, error))
  yield* sql`insert into svc.svc_migrations (id, name, checksum) values (${next.id}, ${next.name}, ${checksumOf(next)})`
  return next
})

/**
 * Applies the pending migrations and returns them in order. Fails with WRONG_STATE when the history does not match or a
 * migration fails (earlier ones stay applied), and with UNAVAILABLE when the database is unreachable.
 */
export const migrate = (known: ReadonlyArray<Migration> = allMigrations) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    // Usually nothing is pending, so nothing is locked.
    if ((yield* status(known)).pending.length === 0) return []
    const done: Array<Migration> = []
    for (;;) {
      const next = yield* withoutDeadline(retrySerialization(sql.withTransaction(applyNext(known))))
      if (next === undefined) return done
      done.push(next)
    }
  })

/** Fails with UNAVAILABLE or WRONG_STATE unless the database is reachable and its schema current. */
export const requireCurrent = (known: ReadonlyArray<Migration> = allMigrations) =>
  Effect.flatMap(status(known), ({ pending }) =>
    pending.length === 0
      ? Effect.void
      : Effect.fail(new Unavailable({ message: "The database schema is outdated. Run svc db migrate." }))
  )
