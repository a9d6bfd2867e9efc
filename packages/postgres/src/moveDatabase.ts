/**
 * Copies everything from one database to another that is empty, embedded or not, and proves that all of it arrived.
 *
 * One transaction on each side: nobody writes to the source meanwhile, and the target holds all or nothing. Rows travel
 * as the JSON that PostgreSQL itself makes of them, so that no value passes through a type of this language. The source is
 * left as it is. Source: contract 2 ("`move` copies embedded → PostgreSQL and back and verifies counts").
 */
import { type Failure, fail } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { orUnavailable } from "./SqlFailure.ts"

/** How many rows of a table were copied. */
export interface MovedTable {
  readonly table: string
  readonly rows: number
}

interface Table {
  readonly name: string
  /** Columns that are stored, not computed. */
  readonly columns: ReadonlyArray<string>
}

const batch = 500

const tablesOf = (sql: SqlClient): Effect.Effect<ReadonlyArray<Table>, SqlError> => sql<Table>`
  select c.relname as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'svc_migrations'
  order by c.relname
`

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

interface Measure {
  readonly rows: number
  readonly digest: string
}

/** How many rows there are, and a digest of their texts that does not depend on their order. */
const measure = (sql: SqlClient, { columns, name }: Table): Effect.Effect<Measure, SqlError> =>
  Effect.map(
    sql.unsafe<Measure>(
      `select count(*)::int as rows, coalesce(sum(hashtextextended(row(${columns.map(quoted).join()})::text, 0)), 0)::text as digest from ${quoted(name)}`
    ),
    ([found]) => found ?? { rows: 0, digest: "0" }
  )

/** Long work, and nobody's fault: the limits of ordinary statements do not hold for it. */
const unhurried = (sql: SqlClient) => sql`
  select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
    set_config('lock_timeout', '10s', true), set_config('timezone', 'UTC', true)
`

/** Refuses while another process of this service is connected: what it writes after the copy would be lost. */
const aloneOn = (sql: SqlClient): Effect.Effect<void, Failure | SqlError> =>
  Effect.flatMap(
    sql<{ others: number }>`
      select count(distinct client_port)::int as others from pg_stat_activity
      where datname = current_database() and application_name = 'svc' and pid <> pg_backend_pid()
    `,
    ([found]) =>
      (found?.others ?? 0) > 0
        ? Effect.fail(
            fail(
              "WRONG_STATE",
              "Processes of svc are connected to the database that is moved, and what they write would be lost. Stop them, then run it again."
            )
          )
        : Effect.void
  )

const emptied = (sql: SqlClient, tables: ReadonlyArray<Table>): Effect.Effect<void, Failure | SqlError> =>
  Effect.gen(function* () {
    const [found] = yield* sql<{ used: boolean }>`select exists (select 1 from organizations) as used`
    if (found?.used === true) {
      return yield* fail(
        "WRONG_STATE",
        "The database to move to already holds an organization, and two cannot be mixed. Move to an empty one."
      )
    }
    // What a start leaves in a database without organizations.
    for (const { name } of tables) yield* sql.unsafe(`delete from ${quoted(name)}`)
  })

const copy = (source: SqlClient, target: SqlClient, { columns, name }: Table): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const names = columns.map(quoted).join()
    yield* source.unsafe(
      `declare svc_move no scroll cursor for select row_to_json(t)::text as row from (select ${names} from ${quoted(name)}) t`
    )
    for (;;) {
      const rows = yield* source.unsafe<{ row: string }>(`fetch ${batch} from svc_move`)
      if (rows.length === 0) break
      yield* target.unsafe(
        `insert into ${quoted(name)} (${names}) overriding system value select ${names} from json_populate_recordset(null::${quoted(name)}, $1::json)`,
        [`[${rows.map(({ row }) => row).join()}]`]
      )
    }
    yield* source.unsafe("close svc_move")
  })

/**
 * Takes the foreign keys away while tables are filled, since some point at each other, and checks all rows against them
 * when they come back.
 */
const withoutForeignKeys = <A, E, R>(sql: SqlClient, fill: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
  Effect.gen(function* () {
    const keys = yield* sql<{ table: string; name: string; definition: string }>`
      select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace
      order by c.relname, k.conname
    `
    const on = (table: string) => `alter table ${quoted(table)}`
    for (const { name, table } of keys) yield* sql.unsafe(`${on(table)} drop constraint ${quoted(name)}`)
    const filled = yield* fill
    for (const { definition, name, table } of keys) {
      yield* sql.unsafe(`${on(table)} add constraint ${quoted(name)} ${definition}`)
    }
    return filled
  })

/** Counters go on after the highest value that was copied. */
const continueCounters = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const counters = yield* sql<{ table: string; column: string }>`
      select c.relname as table, a.attname::text as column from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> ''
    `
    for (const { column, table } of counters) {
      yield* sql.unsafe(
        `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${quoted(column)}), 0) + 1, false) from ${quoted(table)}`,
        [quoted(table), column]
      )
    }
  })

/** Copies a table and compares what arrived with what was sent. */
const copied = (source: SqlClient, target: SqlClient, table: Table): Effect.Effect<MovedTable, Failure | SqlError> =>
  Effect.gen(function* () {
    yield* copy(source, target, table)
    const sent = yield* measure(source, table)
    const arrived = yield* measure(target, table)
    if (sent.rows === arrived.rows && sent.digest === arrived.digest) return { table: table.name, rows: sent.rows }
    return yield* fail(
      "WRONG_STATE",
      `Of ${sent.rows} rows of ${table.name}, ${arrived.rows} arrived, or some differ. Nothing was kept; report it.`
    )
  })

/**
 * Copies every row of `source` into `target`; both have the same, current schema. Fails with WRONG_STATE when the target
 * holds an organization, when others are connected to the source, or when what arrived is not what was sent; nothing of
 * the target is changed then.
 */
export const moveDatabase = (source: SqlClient, target: SqlClient): Effect.Effect<ReadonlyArray<MovedTable>, Failure> =>
  orUnavailable(
    source.withTransaction(
      target.withTransaction(
        Effect.gen(function* () {
          yield* unhurried(source)
          yield* unhurried(target)
          const tables = yield* tablesOf(source)
          yield* aloneOn(source)
          yield* source.unsafe(`lock table ${tables.map(({ name }) => quoted(name)).join()} in share mode`)
          yield* emptied(target, tables)
          const moved = yield* withoutForeignKeys(
            target,
            Effect.forEach(tables, (table) => copied(source, target, table))
          )
          yield* continueCounters(target)
          return moved
        })
      )
    )
  )
