import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, layer, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  hasPostgres,
  isHosted,
  pgliteLayer,
  postgresLayer,
  type SqlServices,
  selectedBackends
} from "../support/backends.ts"
import { StatementCounter } from "../support/StatementCounter.ts"

/** What the notes at the top of Database.ts promise to whoever writes SQL. */
const conventions = (it: Vitest.MethodsNonLive<SqlServices>) => {
  it.effect("passes and returns values as promised", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      yield* sql`create table v (id text primary key, j jsonb, tags text[], at timestamptz, big bigint, num numeric, day date, raw bytea)`
      const at = new Date("2026-01-02T03:04:05.678Z")
      yield* sql`insert into v (id, j, tags, at, big) values ('a', ${sql.json({ x: [1, null, "ü"] })}, ${["p", 'q,"r']}, ${at}, ${2 ** 40})`
      const [row] =
        yield* sql`select *, big::float8 as number, count(*) over ()::int as count, '1.50'::numeric as num, '2026-01-02'::date as day from v`
      assert.deepStrictEqual(row, {
        ...row,
        j: { x: [1, null, "ü"] },
        tags: ["p", 'q,"r'],
        at,
        big: 2n ** 40n,
        number: 2 ** 40,
        count: 1,
        num: "1.50",
        day: "2026-01-02",
        raw: null
      })
      yield* sql`insert into v (id, j, tags) values ('b', ${JSON.stringify(null)}::jsonb, ${[]})`
      const [other] = yield* sql`select j, jsonb_typeof(j) as type, tags from v where id = any(${["b", "c"]})`
      assert.deepStrictEqual(other, { j: null, type: "null", tags: [] })
      yield* sql`insert into v ${sql.insert([
        { id: "c", at, j: sql.json({ n: 1 }) },
        { id: "d", at: null, j: null }
      ])}`
      const batch = yield* sql`select * from jsonb_to_recordset(${sql.json([
        { id: "x", n: 1 },
        { id: "y", n: null }
      ])}) as r (id text, n int)`
      assert.deepStrictEqual(batch, [
        { id: "x", n: 1 },
        { id: "y", n: null }
      ])
      const pairs = yield* sql`select * from unnest(${["x", "y"]}::text[], ${[1, null]}::int[]) as r (id, n)`
      assert.deepStrictEqual(pairs, batch)
      if (isHosted) return
      assert.deepStrictEqual(
        yield* sql`select current_setting('timezone') as zone, current_setting('application_name') as name`,
        [{ zone: "UTC", name: "svc" }]
      )
    })
  )

  it.effect("counts statements and transaction control apart", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const counter = yield* StatementCounter
      const [, plain] = yield* counter.of(sql`select 1`)
      assert.deepStrictEqual([plain.statements, plain.control], [1, 0])
      const [rows, inTransaction] = yield* counter.of(
        sql.withTransaction(Effect.andThen(sql`select 1`, sql.withTransaction(sql`select ${2}::int as two`)))
      )
      assert.deepStrictEqual(rows, [{ two: 2 }])
      assert.deepStrictEqual([inTransaction.statements, inTransaction.control], [2, 4])
      assert.deepStrictEqual(inTransaction.texts, [
        "BEGIN",
        "select 1",
        "SAVEPOINT effect_sql_1",
        "select $1::int as two",
        "RELEASE SAVEPOINT effect_sql_1",
        "COMMIT"
      ])
      const [, undone] = yield* counter.of(Effect.ignore(sql.withTransaction(Effect.fail("no"))))
      assert.deepStrictEqual(undone.texts, ["BEGIN", "ROLLBACK"])
      yield* counter.reset
      assert.deepStrictEqual(yield* counter.read, { statements: 0, control: 0, texts: [] })
    })
  )
}

if (selectedBackends().has("pglite")) layer(pgliteLayer)("Database conventions on PGlite", conventions)
if (hasPostgres()) layer(postgresLayer)("Database conventions on PostgreSQL", conventions)
