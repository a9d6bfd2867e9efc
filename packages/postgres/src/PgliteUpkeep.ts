/**
 * What PostgreSQL has processes of its own for, done for a PGlite folder, which has one session and nothing else: removing the
 * row versions that nobody sees any more, and writing checkpoints. Without it tables grow with each change, and the
 * write-ahead log until the folder is closed; after a crash all of it is applied again.
 *
 * A table is vacuumed by the rule of PostgreSQL's autovacuum, with its default settings:
 * https://www.postgresql.org/docs/current/routine-vacuuming.html#AUTOVACUUM. Everything else waits meanwhile, so tables are
 * vacuumed one by one.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

const interval = Duration.minutes(1)

/** A checkpoint is written after this much of the log. A second has about 3 MB of it during an import. */
const maxLogBytes = 64 * 1024 * 1024

/** Vacuums the tables that have changed enough, and writes a checkpoint if the log since the last one is long. */
export const keepUp = (maxBytes = maxLogBytes): Effect.Effect<void, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tables = yield* sql<{ readonly name: string }>`
      select format('%I.%I', t.schemaname, t.relname) as name
      from pg_stat_all_tables t join pg_class c on c.oid = t.relid
      where t.schemaname <> 'pg_toast' and (
        t.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
        or t.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)
        or age(c.relfrozenxid) > 200000000)
      order by t.relname`
    for (const { name } of tables) yield* sql`vacuum ${sql.literal(name)}`.unprepared
    const [log] = yield* sql<{ readonly is_long: boolean }>`
      select pg_current_wal_insert_lsn() - redo_lsn > ${maxBytes}::bigint as is_long from pg_control_checkpoint()`
    if (log?.is_long) yield* sql`checkpoint`.unprepared
  })

/** Keeps up until the scope closes. */
export const forkUpkeep: Effect.Effect<void, never, SqlClient | Scope.Scope> = keepUp().pipe(
  Effect.catch((error) => Effect.logWarning("Can't vacuum the embedded database, or write its checkpoint", error)),
  Effect.schedule(Schedule.spaced(interval)),
  Effect.forkScoped,
  Effect.asVoid
)
