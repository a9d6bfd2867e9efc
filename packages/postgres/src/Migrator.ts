/**
 * Brings a database to the schema of this code: forward only, one transaction each, checksummed.
 *
 * Any number of replicas may start at once: a migration runs under an advisory lock that its transaction holds, and
 * whoever waited for it looks again at what is applied. A migration that was changed after it was applied, or a
 * database that is newer than the code, refuses to start.
 *
 * Source: contract 4; reliability research, threat 22.
 */
import { createHash } from "node:crypto"
import { type Failure, fail } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { migrations as allMigrations } from "./migrations/index.ts"
import { fromSqlError, orUnavailable, retrySerialization, sqlStateOf } from "./SqlFailure.ts"

/**
 * One step of the schema. `id` is positive and grows from step to step. `sql` may hold several statements, and
 * neither transaction control nor anything that PostgreSQL refuses inside a transaction.
 */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
}

/** A step as the database remembers it. `checksum` is the lower-case hex SHA-256 of its SQL. */
export interface AppliedMigration {
  readonly id: number
  readonly name: string
  readonly checksum: string
}

/** Where a database stands. `head` is the highest applied id, 0 for an empty database. */
export interface MigrationStatus {
  readonly head: number
  readonly applied: ReadonlyArray<AppliedMigration>
  readonly pending: ReadonlyArray<Migration>
}

/** The identity of a migration's text. */
export const checksumOf = (migration: Migration): string => createHash("sha256").update(migration.sql).digest("hex")

/** Spells "svc-migr"; every replica of every version must ask for the same lock. */
const lockKey = "8319946408373872498"

const createTable = `create table if not exists svc_migrations (
  id integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

/**
 * Several statements as one: the client only speaks the extended protocol, which takes one statement at a time, and
 * PostgreSQL itself is the best judge of where each of them ends.
 */
const asOneStatement = (sql: string): string => {
  const tag = `svc_${createHash("sha256").update(sql).digest("hex").slice(0, 16)}`
  return `do $${tag}_do$ begin execute $${tag}$\n${sql}\n$${tag}$; end $${tag}_do$`
}

const refuse = (message: string): Effect.Effect<never, Failure> => Effect.fail(fail("WRONG_STATE", message))

/** What is left to do, or a refusal when the database's history is not the beginning of this code's. */
const compare = (
  applied: ReadonlyArray<AppliedMigration>,
  known: ReadonlyArray<Migration>
): Effect.Effect<MigrationStatus, Failure> => {
  const byId = new Map(known.map((migration) => [migration.id, migration]))
  const newest = known.at(-1)?.id ?? 0
  for (const { id, name, checksum } of applied) {
    const migration = byId.get(id)
    if (migration === undefined) {
      return refuse(
        `The database has migration ${id} (${name}), but this version of svc only knows migrations up to ${newest}. ` +
          "Start the version that made it, or a newer one."
      )
    }
    if (checksumOf(migration) !== checksum) {
      return refuse(
        `Migration ${id} (${name}) is not the one that was applied to this database: its checksum differs. Start the ` +
          "version that applied it; a released migration must never change, add a new one instead."
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
  const [table] = yield* sql<{ found: boolean }>`select to_regclass('svc_migrations') is not null as found`
  return table?.found === true
    ? yield* sql<AppliedMigration>`select id, name, checksum from svc_migrations order by id`
    : []
})

/** Where the database stands. Writes nothing. Fails with WRONG_STATE when its history is not this code's. */
export const status = (
  known: ReadonlyArray<Migration> = allMigrations
): Effect.Effect<MigrationStatus, Failure, SqlClient> =>
  orUnavailable(readApplied).pipe(Effect.flatMap((applied) => compare(applied, known)))

/** The SQL that {@link migrate} would run, each step under a comment line that names it. Empty when nothing is left. */
export const plan = (known: ReadonlyArray<Migration> = allMigrations): Effect.Effect<string, Failure, SqlClient> =>
  Effect.map(status(known), ({ pending }) =>
    pending.map(({ id, name, sql }) => `-- ${id} ${name}\n${sql.trim()}\n`).join("\n")
  )

const broken = (migration: Migration, error: SqlError): Failure => {
  const meaning = fromSqlError(error)
  if (meaning._tag === "Unavailable") return meaning.failure
  const state = sqlStateOf(error)
  const cause = error.reason.cause
  return fail(
    "WRONG_STATE",
    `Migration ${migration.id} (${migration.name}) failed and nothing of it was kept: ` +
      `${cause instanceof Error ? cause.message : error.message}${state === undefined ? "" : ` (SQLSTATE ${state})`}. ` +
      "Correct the database, or report it, then start again."
  )
}

/** Applies the next step, and answers whether there may be another. */
const step = (known: ReadonlyArray<Migration>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    // Waiting for another replica's migration is no reason to give up; queueing behind a long query would block all
    // who come after, so that has a limit.
    yield* sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`
    yield* sql`select pg_advisory_xact_lock(${lockKey}::bigint)`
    yield* sql`select set_config('lock_timeout', '10s', true), set_config('client_min_messages', 'warning', true)`
    yield* sql.unsafe(createTable)
    const { pending } = yield* compare(yield* readApplied, known)
    const [next] = pending
    if (next === undefined) return undefined
    yield* Effect.mapError(sql.unsafe(asOneStatement(next.sql)).unprepared, (error) => broken(next, error))
    yield* sql`insert into svc_migrations (id, name, checksum) values (${next.id}, ${next.name}, ${checksumOf(next)})`
    return next
  })

/**
 * Applies what is pending and answers what it applied, in order. Fails with WRONG_STATE when the history does not fit
 * or a step's SQL fails (the steps before it stay applied), with UNAVAILABLE when the database cannot be reached.
 */
export const migrate = (
  known: ReadonlyArray<Migration> = allMigrations
): Effect.Effect<ReadonlyArray<Migration>, Failure, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    // The usual start: nothing to do, and nothing to lock.
    if ((yield* status(known)).pending.length === 0) return []
    const done: Array<Migration> = []
    for (;;) {
      const next = yield* retrySerialization(sql.withTransaction(step(known)))
      if (next === undefined) return done
      done.push(next)
    }
  })

/** Succeeds when the database answers and its schema is this code's; fails with UNAVAILABLE or WRONG_STATE. */
export const requireCurrent = (
  known: ReadonlyArray<Migration> = allMigrations
): Effect.Effect<void, Failure, SqlClient> =>
  Effect.flatMap(status(known), ({ pending }) =>
    pending.length === 0
      ? Effect.void
      : Effect.fail(fail("UNAVAILABLE", "The database's schema is behind this version. Run svc db migrate."))
  )
