/**
 * Copies everything from one database to an empty one, embedded or not, and verifies the copy.
 *
 * One transaction on each side: nobody writes to the source during the copy, and the target gets all or nothing. Rows travel
 * as PostgreSQL's own JSON, so no value is converted to JavaScript. The source keeps its rows and is fenced: nothing serves
 * it or sends from it again.
 */
import { type Failure, WrongState } from "@svc/core"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { quoted, schemaOf } from "./inSchema.ts"
import { withoutDeadline } from "./PoolLimits.ts"
import { orUnavailable } from "./SqlFailure.ts"
import { openSecret, storedSecret } from "./workspace/DeploymentSecrets.ts"

/** How many rows of a table were copied. */
interface MovedTable {
  readonly table: string
  readonly rows: number
}

/** A table whose rows are copied. */
export interface Table {
  readonly name: string
  /** Columns that are stored, not computed. */
  readonly columns: ReadonlyArray<string>
}

const batch = 500

/** The tables that are copied: not those that tell where a database lives. */
export const tablesOf = (sql: SqlClient): Effect.Effect<ReadonlyArray<Table>, SqlError> => sql<Table>`
  select c.relname as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c
  where c.relnamespace = to_regnamespace(quote_ident(${schemaOf(sql)})) and c.relkind = 'r'
    and c.relname <> all (array['svc_migrations', 'deployment', 'service_processes'])
  order by c.relname
`

/** What a table holds. */
export interface Measure {
  readonly rows: number
  readonly digest: string
}

/** The number of rows, and a digest of their texts that does not depend on their order. */
export const measure = (sql: SqlClient, { columns, name }: Table): Effect.Effect<Measure, SqlError> =>
  Effect.map(
    sql.unsafe<Measure>(
      `select count(*)::int as rows, coalesce(sum(hashtextextended(row(${columns.map(quoted).join()})::text, 0)), 0)::text as digest from svc.${quoted(name)}`
    ),
    ([found]) => found ?? { rows: 0, digest: "0" }
  )

/** Lifts the timeouts of ordinary statements. */
export const liftTimeouts = (sql: SqlClient) => sql`
  select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
    set_config('lock_timeout', '10s', true), set_config('timezone', 'UTC', true)
`

/** Fails while another svc process is connected. */
export const requireNoOtherProcess = Effect.fnUntraced(function* (sql: SqlClient, reason: string) {
  const [other] = yield* sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = 'svc' and pid <> pg_backend_pid()
      and client_port is not null
    limit 1
  `
  if (other === undefined) return
  return yield* new WrongState({ message: `Other svc processes are connected to ${reason}. Stop them, then retry.` })
})

/** Seconds after which a process that has not been heard of is gone: a few heartbeats. */
const silentSeconds = 15

/**
 * Refuses a source that is held, whose copy would not be, and one on which a process worked just now: a role that is not
 * ours hides its sessions' names, but not its heartbeats.
 */
const requireMovable = Effect.fnUntraced(function* (source: SqlClient) {
  const [found] = yield* source<{ hold: string | null; alive: boolean }>`
      select svc.svc_sending_hold() as hold,
        exists (
          select 1 from svc.service_processes where heartbeat_at > clock_timestamp() - make_interval(secs => ${silentSeconds}::integer)
        ) as alive
    `
  if (found?.hold === "database_moved") {
    return yield* new WrongState({ message: "This database was moved already. Use the one that it was moved to." })
  }
  if (found?.hold != null) {
    return yield* new WrongState({
      message: "Sending is held on this database. Read svc sending status and release it, then move the database."
    })
  }
  if (found?.alive === true) {
    return yield* new WrongState({
      message: `A process of svc worked on this database less than ${silentSeconds} seconds ago. Stop it, then run it again.`
    })
  }
})

/** Fails if the database contains an organization; `next` says what to do. */
export const requireEmpty = Effect.fnUntraced(function* (sql: SqlClient, next: string) {
  const [found] = yield* sql<{ used: boolean }>`select exists (select 1 from svc.organizations) as used`
  if (found?.used === true) {
    return yield* new WrongState({ message: `The target database already contains an organization. ${next}` })
  }
})

/** Runs `onBatch` with the rows of a table as JSON texts, some at a time. */
export const readRows = Effect.fnUntraced(function* <E, R>(
  source: SqlClient,
  { columns, name }: Table,
  onBatch: (rows: ReadonlyArray<string>) => Effect.Effect<unknown, E, R>
) {
  yield* source.unsafe(
    `declare svc_move no scroll cursor for select row_to_json(t)::text as row from (select ${columns.map(quoted).join()} from svc.${quoted(name)}) t`
  )
  for (;;) {
    const rows = yield* source.unsafe<{ row: string }>(`fetch ${batch} from svc_move`)
    if (rows.length === 0) break
    yield* onBatch(rows.map(({ row }) => row))
  }
  yield* source.unsafe("close svc_move")
})

/** Inserts rows that {@link readRows} read. */
export const insertRows = (target: SqlClient, { columns, name }: Table, rows: ReadonlyArray<string>) => {
  const names = columns.map(quoted).join()
  return target.unsafe(
    `insert into svc.${quoted(name)} (${names}) select ${names} from json_populate_recordset(null::svc.${quoted(name)}, $1::json)`,
    [`[${rows.join()}]`]
  )
}

/** Fills empty tables: foreign keys are dropped meanwhile, since some are circular, and added again, which checks all rows. */
export const refill = <A, E, R>(target: SqlClient, tables: ReadonlyArray<Table>, fill: Effect.Effect<A, E, R>) =>
  withoutForeignKeys(
    target,
    Effect.andThen(
      // Also rows that a start writes without organizations.
      Effect.forEach(tables, ({ name }) => target.unsafe(`delete from svc.${quoted(name)}`), { discard: true }),
      fill
    )
  )

/** Holds sending on a database, for everyone who opens it. */
export const holdSending = (sql: SqlClient, reason: "database_moved" | "database_restored") => sql`
  insert into svc.deployment (fingerprint, place, heartbeat_at, hold_reason, held_since)
  values (svc.svc_fingerprint(), '', clock_timestamp(), ${reason}, clock_timestamp())
  on conflict (is_only) do update set hold_reason = excluded.hold_reason,
    held_since = excluded.held_since, written_by = excluded.written_by
`

/** Drops the foreign keys while `fill` runs, and adds them again. */
export const withoutForeignKeys = Effect.fnUntraced(function* <A, E, R>(sql: SqlClient, fill: Effect.Effect<A, E, R>) {
  const keys = yield* sql<{ table: string; name: string; definition: string }>`
      select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and c.relnamespace = to_regnamespace(quote_ident(${schemaOf(sql)}))
      order by c.relname, k.conname
    `
  const on = (table: string) => `alter table svc.${quoted(table)}`
  for (const { name, table } of keys) yield* sql.unsafe(`${on(table)} drop constraint ${quoted(name)}`)
  const filled = yield* fill
  for (const { definition, name, table } of keys) {
    yield* sql.unsafe(`${on(table)} add constraint ${quoted(name)} ${definition}`)
  }
  return filled
})

/** The deployment keys of the two databases. */
export interface MoveKeys {
  readonly source: ReadonlyArray<Redacted.Redacted>
  readonly target: ReadonlyArray<Redacted.Redacted>
}

/** Encrypts the copied secrets of the deployment with the target's key. */
export const rewrapSecrets = Effect.fnUntraced(function* (target: SqlClient, keys: MoveKeys) {
  const secrets = yield* target<{ name: string; secret: string }>`select name, secret from svc.deployment_secrets`
  for (const { name, secret } of secrets) {
    const wrapped = storedSecret(keys.target, name, yield* openSecret(keys.source, name, secret))
    yield* target`update svc.deployment_secrets set secret = ${wrapped} where name = ${name}`
  }
})

/** Copies a table and compares both sides. */
const copyAndVerify = Effect.fnUntraced(function* (source: SqlClient, target: SqlClient, table: Table) {
  yield* readRows(source, table, (rows) => insertRows(target, table, rows))
  const sent = yield* measure(source, table)
  const arrived = yield* measure(target, table)
  if (sent.rows === arrived.rows && sent.digest === arrived.digest) return { table: table.name, rows: sent.rows }
  return yield* new WrongState({
    message: `The copy of ${table.name} differs (${sent.rows} rows sent, ${arrived.rows} arrived). Nothing was saved. Please report this.`
  })
})

/**
 * Copies every row of `source` into `target`; both have the same, current schema. Fails with WRONG_STATE when the target
 * contains an organization, other processes are connected, or the copy differs; the target is then unchanged.
 */
export const moveDatabase = (
  source: SqlClient,
  target: SqlClient,
  keys: MoveKeys
): Effect.Effect<ReadonlyArray<MovedTable>, Failure> =>
  orUnavailable(
    source.withTransaction(
      target.withTransaction(
        Effect.gen(function* () {
          yield* liftTimeouts(source)
          yield* liftTimeouts(target)
          const tables = yield* tablesOf(source)
          yield* requireMovable(source)
          yield* requireNoOtherProcess(source, "the source database, and their writes would be lost")
          yield* requireNoOtherProcess(target, "the target database, and they keep its old secrets in memory")
          yield* source.unsafe(`lock table ${tables.map(({ name }) => `svc.${quoted(name)}`).join()} in share mode`)
          yield* requireEmpty(target, "Move to an empty one.")
          const moved = yield* refill(
            target,
            tables,
            Effect.forEach(tables, (table) => copyAndVerify(source, target, table))
          )
          yield* rewrapSecrets(target, keys)
          // The target lives where it is; the source must not send what the target will.
          yield* target`delete from svc.deployment`
          yield* holdSending(source, "database_moved")
          return moved
        })
      )
    )
  ).pipe(withoutDeadline)
