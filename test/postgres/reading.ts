/** How many rows an effect reads, as PostgreSQL counts them. */
import { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"

/** All rows and entries of indexes that this transaction has read so far. */
export const readSoFar = Effect.flatMap(PgClient, (sql) =>
  Effect.map(
    sql<{ readonly rows: number }>`
      select coalesce(sum(seq_tup_read + coalesce((
        select sum(pg_stat_get_xact_tuples_returned(i.indexrelid)) from pg_index i where i.indrelid = t.relid), 0)), 0)::int as rows
      from pg_stat_xact_user_tables t
    `,
    ([row]) => row?.rows ?? 0
  )
)

/** Rows of a table that this transaction has read so far, and entries of its indexes. */
const readOf = (sql: PgClient, table: string) =>
  Effect.map(
    sql<{ readonly rows: number; readonly entries: number }>`
      select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows, (
        select sum(pg_stat_get_xact_tuples_returned(i.indexrelid))::int from pg_index i where i.indrelid = t.relid
        ) as entries
      from pg_stat_xact_user_tables t where relname = ${table}
    `,
    ([row]) => row ?? { rows: 0, entries: 0 }
  )

/** What an effect answers, and how many rows of a table and entries of its indexes it read. */
export const reading = <A, E, R>(table: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const before = yield* readOf(sql, table)
        const answer = yield* effect
        const after = yield* readOf(sql, table)
        return { answer, rows: after.rows - before.rows, entries: after.entries - before.entries }
      })
    )
  })
