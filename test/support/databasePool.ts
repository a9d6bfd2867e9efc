/** Databases that tests borrow one after the other: to empty one costs a fraction of making one. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { quoted, schemaOf } from "#postgres/inSchema.ts"
import { keptDifferences } from "./keptLeads.ts"
import { isDistributed } from "./PostgresServer.ts"

/** Empties every table of a migrated database but that of the migrations, whatever points to what. Most were never used. */
const emptyTables = (schema: string) => `do $$
declare
  one record;
begin
  set local session_replication_role = replica;
  for one in select oid::regclass as name from pg_class where relkind = 'r' and relnamespace = '${quoted(schema)}'::regnamespace
    and relname <> 'svc_migrations' and pg_relation_size(oid) > 0 loop
    execute format('delete from %s', one.name);
  end loop;
  for one in select sequencename as name from pg_sequences where schemaname = '${schema}' and last_value is not null loop
    execute format('alter sequence %I.%I restart', '${schema}', one.name);
  end loop;
end $$`

/** The same on a distributed database. */
const truncateTables = (schema: string) => `do $$
begin
  execute (select 'truncate ' || string_agg(oid::regclass::text, ', ') || ' cascade' from pg_class
    where relkind = 'r' and relnamespace = '${quoted(schema)}'::regnamespace and relname <> 'svc_migrations');
end $$`

/** How many things a database has beside rows. */
const countObjects = `select ((select count(*) from pg_class where relpersistence <> 't') + (select count(*) from pg_proc)
  + (select count(*) from pg_trigger) + (select count(*) from pg_db_role_setting))::int as n`

// Others make theirs in the same distributed database.
const objects = Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe<{ n: number }>(isDistributed ? "select 1 as n" : countObjects)
)

interface Lent<A> {
  readonly scope: Scope.Closeable
  readonly services: Context.Context<A | SqlClient>
  readonly objects: ReadonlyArray<{ readonly n: number }>
}

/**
 * A layer of a migrated database, from what others gave back if there is one. It is emptied when it is given back, and closed
 * where that fails or where more than rows was changed. Dies if something that is derived from leads was not kept.
 */
export const lending = <A, E>(layer: Layer.Layer<A | SqlClient, E>): Layer.Layer<A | SqlClient, E> => {
  const free: Array<Lent<A>> = []
  const open = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const services = yield* Layer.buildWithScope(layer, scope)
    return { scope, services, objects: yield* Effect.orDie(Effect.provideContext(objects, services)) }
  })
  const reset = Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql.unsafe((isDistributed ? truncateTables : emptyTables)(schemaOf(sql)))
    return yield* objects
  })
  const giveBack = (one: Lent<A>) =>
    Effect.gen(function* () {
      const differences = yield* Effect.exit(
        isDistributed ? Effect.succeed([]) : Effect.provideContext(keptDifferences, one.services)
      )
      const left = yield* Effect.option(Effect.provideContext(reset, one.services))
      if (left._tag === "None" || left.value[0]?.n !== one.objects[0]?.n)
        return yield* Scope.close(one.scope, Exit.void)
      free.push(one)
      const found = yield* Effect.orDie(differences)
      if (found.length > 0)
        return yield* Effect.die(new Error(`Derived from leads, but not kept:\n${found.slice(0, 20).join("\n")}`))
    })
  return Layer.effectContext(
    Effect.acquireRelease(
      Effect.suspend((): Effect.Effect<Lent<A>, E> => {
        const one = free.pop()
        return one === undefined ? open : Effect.succeed(one)
      }),
      giveBack
    ).pipe(
      Effect.map(({ services }) => services),
      // Tests set the clock; a database goes by the real one.
      Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
    )
  ).pipe(Layer.fresh)
}
