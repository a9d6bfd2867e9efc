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
import { schemaOf } from "./inSchema.ts"
import { isOutage } from "./SqlFailure.ts"

const interval = Duration.seconds(3)

/** Fewer changes make no difference to any plan. */
const minChanges = 500

/** Analyzes the tables of which half the rows changed, and returns their names. Skips tables that are locked. */
export const analyzeGrownTables: Effect.Effect<ReadonlyArray<string>, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const grown = yield* sql<{ readonly name: string }>`
    select t.relname as name from pg_stat_user_tables t join pg_class c on c.oid = t.relid
    where c.relnamespace = to_regnamespace(quote_ident(${schemaOf(sql)})) and n_mod_since_analyze >= greatest(${minChanges}::bigint, n_live_tup / 2)
      and c.relowner = (select proowner from pg_proc where oid = to_regproc('svc.svc_analyze'))
    order by t.relname
  `
  for (const { name } of grown) yield* sql`select svc.svc_analyze(${name})`
  return grown.map(({ name }) => name)
})

/** Runs while the layer lives. The first failure is a warning, unless it is an outage, which others report. */
export const layer: Layer.Layer<never, never, SqlClient> = Layer.effectDiscard(
  Effect.gen(function* () {
    let isReported = false
    const report = (error: SqlError) => {
      const level = isReported || isOutage(error) ? "Debug" : "Warn"
      isReported ||= level === "Warn"
      return Effect.logWithLevel(level)("Can't analyze tables that have grown", error)
    }
    yield* analyzeGrownTables.pipe(Effect.catch(report), Effect.schedule(Schedule.spaced(interval)), Effect.forkScoped)
  })
)
