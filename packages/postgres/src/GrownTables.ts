/**
 * Tells the database about tables that have grown.
 *
 * Each connection keeps the plans of its statements until the tables are analyzed. What was planned while a table was
 * empty reads it whole, and PostgreSQL's own hand comes by once a minute, PGlite's never: in a minute an import brings a
 * hundred thousand rows. So whoever has a database open looks every few seconds for tables of which half the rows changed
 * since they were last analyzed, and analyzes them: once for each doubling, whose cost does not grow with the table.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

const interval = Duration.seconds(3)

/** Fewer changes make no difference to any plan. */
const least = 500

/**
 * Analyzes the tables of which half changed since; answers their names. One that somebody else works on is left to them,
 * and so is one of another owner.
 */
export const analyzeGrown: Effect.Effect<ReadonlyArray<string>, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const grown = yield* sql<{ readonly name: string }>`
    select relname as name from pg_stat_user_tables t
    where schemaname = current_schema() and n_mod_since_analyze >= greatest(${least}::bigint, n_live_tup / 2)
      and pg_get_userbyid((select relowner from pg_class where oid = t.relid)) = current_user
    order by relname
  `
  for (const { name } of grown) yield* sql`analyze (skip_locked) ${sql(name)}`.unprepared
  return grown.map(({ name }) => name)
})

/** Looks as long as the layer lives. */
export const layer: Layer.Layer<never, never, SqlClient> = Layer.effectDiscard(
  analyzeGrown.pipe(
    Effect.catchCause((cause) => Effect.logDebug("tables could not be analyzed", cause)),
    Effect.schedule(Schedule.spaced(interval)),
    Effect.forkScoped
  )
)
