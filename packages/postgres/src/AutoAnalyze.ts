/**
 * Analyzes tables that have grown.
 *
 * Each connection keeps the plans of its statements until the tables are analyzed. A plan made while a table was empty
 * reads it whole, and PostgreSQL's autovacuum runs once a minute, PGlite's never, while an import adds a hundred thousand
 * rows a minute. So each process looks every few seconds for tables of which half the rows changed since they were last
 * analyzed: once for each doubling, at a cost that does not grow with the table.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

const interval = Duration.seconds(3)

/** Fewer changes make no difference to any plan. */
const minChanges = 500

/**
 * Analyzes the tables of which half the rows changed, and returns their names. Skips tables that are locked or have another
 * owner.
 */
export const analyzeGrownTables: Effect.Effect<ReadonlyArray<string>, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const grown = yield* sql<{ readonly name: string }>`
    select relname as name from pg_stat_user_tables t
    where schemaname = current_schema() and n_mod_since_analyze >= greatest(${minChanges}::bigint, n_live_tup / 2)
      and pg_get_userbyid((select relowner from pg_class where oid = t.relid)) = current_user
    order by relname
  `
  for (const { name } of grown) yield* sql`analyze (skip_locked) ${sql(name)}`.unprepared
  return grown.map(({ name }) => name)
})

/** Runs while the layer lives. */
export const layer: Layer.Layer<never, never, SqlClient> = Layer.effectDiscard(
  analyzeGrownTables.pipe(
    Effect.catchCause((cause) => Effect.logDebug("Could not analyze tables", cause)),
    Effect.schedule(Schedule.spaced(interval)),
    Effect.forkScoped
  )
)
