import { assert, describe, layer, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import * as Database from "#postgres/Database.ts"
import type { Migration } from "#postgres/Migration.ts"
import { migrate, plan, status } from "#postgres/Migrator.ts"
import { makeSnapshot } from "#postgres/makeSnapshot.ts"
import { findSnapshot } from "#postgres/PgliteSnapshot.ts"
import { freshPostgres, hasPostgres, selectedBackends } from "../support/backends.ts"
import { temporaryFolder } from "../support/svcProcess.ts"

const people: Migration = {
  id: 1,
  name: "people",
  sql: `
    -- Semicolons; in comments, 'quotes' and bodies end nothing.
    create table people (id text primary key, note text default 'a;b');
    create function shout(t text) returns text language plpgsql as $body$ begin return upper(t) || ';'; end; $body$;
    insert into people (id) select shout('ada');
    do $$ begin perform 1; end $$;
    create index people_note on people (note)`
}
const pets: Migration = {
  id: 2,
  name: "pets",
  sql: "create table pets (id text primary key, person text references people)"
}
const slow: Migration = {
  id: 3,
  name: "slow",
  sql: "select pg_sleep(0.2); create table slow (n int); insert into slow values (1)"
}
const broken: Migration = {
  id: 3,
  name: "broken",
  sql: "create table half (n int); insert into half values (1); select 1 / 0"
}

const tables = Effect.flatMap(
  SqlClient,
  (sql) =>
    sql<{
      name: string
    }>`select table_name::text as name from information_schema.tables where table_schema = 'public' order by 1`
).pipe(Effect.map((rows) => rows.map(({ name }) => name)))

const history = Effect.flatMap(SqlClient, (sql) => sql`select id, name from svc.svc_migrations order by id`)

const suite = (it: Vitest.MethodsNonLive<never>, empty: Layer.Layer<SqlClient, Failure>) => {
  it.effect("applies what is missing, once, in order", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* status([people, pets]), { head: 0, applied: [], pending: [people, pets] })
      assert.deepStrictEqual(yield* tables, [], "status writes nothing")
      assert.strictEqual(yield* plan([people, pets]), `-- 1 people\n${people.sql.trim()}\n\n-- 2 pets\n${pets.sql}\n`)
      assert.deepStrictEqual(yield* migrate([people]), [people])
      assert.deepStrictEqual(yield* migrate([people, pets]), [pets])
      assert.deepStrictEqual(yield* migrate([people, pets]), [])
      assert.deepStrictEqual(yield* tables, ["people", "pets", "svc_migrations"])
      const sql = yield* SqlClient
      assert.deepStrictEqual(yield* sql`select id, note from people`, [{ id: "ADA;", note: "a;b" }])
      const now = yield* status([people, pets])
      assert.strictEqual(now.head, 2)
      assert.deepStrictEqual(
        now.applied.map(({ name }) => name),
        ["people", "pets"]
      )
      assert.isEmpty(now.pending)
      assert.strictEqual(yield* plan([people, pets]), "")
    }).pipe(Effect.provide(empty))
  )

  it.effect("leaves nothing of a step that fails, and keeps the steps before it", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(migrate([people, pets, broken]))
      assert.strictEqual(failure.code, "WRONG_STATE")
      assert.include(
        failure.message,
        "Migration 3 (broken) failed and was rolled back: division by zero (SQLSTATE 22012)"
      )
      assert.deepStrictEqual(yield* history, [
        { id: 1, name: "people" },
        { id: 2, name: "pets" }
      ])
      assert.notInclude(yield* tables, "half")
      assert.deepStrictEqual(yield* migrate([people, pets, slow]), [slow])
    }).pipe(Effect.provide(empty))
  )

  it.effect("refuses a migration that ends its own transaction", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(migrate([{ id: 1, name: "sly", sql: "create table sly (n int); commit" }]))
      assert.strictEqual(failure.code, "WRONG_STATE")
      assert.notInclude(yield* tables, "sly")
    }).pipe(Effect.provide(empty))
  )

  it.effect("refuses a changed or renamed migration and a newer schema", () =>
    Effect.gen(function* () {
      yield* migrate([people, pets])
      const changed = { ...people, sql: `${people.sql} ` }
      for (const attempt of [
        Effect.asVoid(migrate([changed, pets])),
        Effect.asVoid(migrate([changed, pets, slow])),
        Effect.asVoid(status([changed, pets]))
      ]) {
        const failure = yield* Effect.flip(attempt)
        assert.strictEqual(failure.code, "WRONG_STATE")
        assert.include(failure.message, "Migration 1 (people) differs from the one applied")
      }
      const renamed = yield* Effect.flip(migrate([{ ...people, name: "persons" }, pets]))
      assert.strictEqual(renamed.code, "WRONG_STATE")
      assert.include(renamed.message, "Migration 1 (people) differs from the one applied")
      assert.include(renamed.message, "this version of svc calls it persons")
      const newer = yield* Effect.flip(migrate([people]))
      assert.strictEqual(newer.code, "WRONG_STATE")
      assert.include(newer.message, "has migration 2 (pets), but this version of svc only knows migrations up to 1")
    }).pipe(Effect.provide(empty))
  )
}

/** Initialised once for all tests. */
const emptySnapshot = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const folder = yield* Effect.promise(temporaryFolder)
      yield* Effect.orDie(makeSnapshot(folder.path, []))
      const found = yield* findSnapshot([], [folder.path])
      yield* Effect.promise(folder.remove)
      return found
    })
  )
)

const emptyPostgres = Layer.unwrap(Effect.map(freshPostgres("empty"), ({ url }) => Database.layer(url)))

describe("Migrator", () => {
  if (selectedBackends().has("pglite")) {
    layer(Layer.empty)("on PGlite", (it) =>
      suite(it, Database.layerPgliteInMemory({ migrations: [], snapshot: emptySnapshot }))
    )
  }
  if (!hasPostgres()) return
  layer(Layer.empty)("on PostgreSQL", (it) => {
    suite(it, emptyPostgres)

    it.effect("lets five replicas start at once, on an empty and on an old database", () =>
      Effect.gen(function* () {
        const { url } = yield* freshPostgres("empty")
        const replica = (known: ReadonlyArray<Migration>) =>
          Effect.scoped(Layer.build(Database.layer(url, { migrate: true, migrations: known, maxConnections: 2 })))
        const five = (known: ReadonlyArray<Migration>) =>
          Effect.forEach([1, 2, 3, 4, 5], () => replica(known), { concurrency: "unbounded", discard: true })
        yield* five([people])
        yield* five([people, pets, slow])
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          assert.deepStrictEqual(yield* sql`select id from svc.svc_migrations order by id`, [
            { id: 1 },
            { id: 2 },
            { id: 3 }
          ])
          assert.deepStrictEqual(yield* sql`select n from slow`, [{ n: 1 }])
        }).pipe(Effect.provide(Database.layer(url)))
      }).pipe(Effect.scoped)
    )
  })
})
