/** The yardstick of imports: `COPY` of the rows an import finished, straight into the same tables with their indexes. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"

/** The tables that an import fills, those first that others refer to. */
export const tables = ["leads", "lead_recency", "lead_identities", "lead_missions", "events", "import_rows"] as const

type Table = (typeof tables)[number]

/** Rows of each table. */
export type TableCounts = Readonly<Record<Table, number>>

const columnsOf = (sql: PgClient, table: Table) =>
  Effect.map(
    sql<{ readonly names: string }>`
      select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names
      from information_schema.columns
      where table_schema = 'svc' and table_name = ${table} and is_generated = 'NEVER' and is_identity = 'NO'
    `,
    ([row]) => row?.names ?? ""
  )

/** How many rows each table holds. */
export const countRows = (sql: PgClient) =>
  Effect.gen(function* () {
    const counts: Record<string, number> = {}
    for (const table of tables) {
      const [row] = yield* sql.unsafe<{ readonly count: number }>(`select count(*)::int as count from svc.${table}`)
      counts[table] = row?.count ?? 0
    }
    return counts
  })

/** Writes the tables to files in the server's own data directory, where it may write. */
export const keepRows = (sql: PgClient) =>
  Effect.gen(function* () {
    yield* sql`set statement_timeout = 0`
    const [row] = yield* sql<{ readonly folder: string }>`select current_setting('data_directory') as folder`
    for (const table of tables) {
      yield* sql.unsafe(`copy svc.${table} (${yield* columnsOf(sql, table)}) to '${row?.folder}/${table}.rows'`)
    }
  })

/** Empties the tables, and gives both sides of a comparison the same start. */
export const clearRows = (sql: PgClient) =>
  Effect.gen(function* () {
    yield* sql.unsafe(
      `truncate ${tables.map((table) => `svc.${table}`).join(", ")}, svc.mission_activity, svc.imports cascade`
    )
    yield* sql.unsafe("checkpoint")
  })

/** Loads the kept rows in one transaction. */
export const copyRows = (sql: PgClient) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`set local statement_timeout = 0`
      const [row] = yield* sql<{ readonly folder: string }>`select current_setting('data_directory') as folder`
      for (const table of tables) {
        const columns = yield* columnsOf(sql, table)
        yield* sql.unsafe(`copy svc.${table} (${columns}) from '${row?.folder}/${table}.rows'`)
      }
    })
  )
