import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { pgliteLayer } from "../support/backends.ts"

layer(pgliteLayer, { excludeTestServices: true })("PGlite through several connections", (it) => {
  it.effect("runs 40 statements beside two transactions that roll back, and keeps exactly the 40 rows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table rows (who text, n int)`
      const rolledBack = (who: string) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              for (let n = 0; n < 20; n++) {
                yield* sql`insert into rows values (${who}, ${n})`
                yield* Effect.sleep(1)
              }
              const [seen] = yield* sql`select count(*)::int as count from rows where who = ${who}`
              assert.deepStrictEqual(seen, { count: 20 })
              return yield* Effect.fail("enough" as const)
            })
          )
          .pipe(Effect.flip)
      const alone = Effect.forEach(
        Array.from({ length: 40 }, (_, n) => n),
        (n) => Effect.andThen(Effect.sleep(n % 7), sql`insert into rows values ('alone', ${n})`),
        { concurrency: "unbounded", discard: true }
      )
      const [first, second] = yield* Effect.all([rolledBack("a"), rolledBack("b"), alone], { concurrency: "unbounded" })
      assert.deepStrictEqual([first, second], ["enough", "enough"])
      const left = yield* sql`select who, count(*)::int as count, sum(n)::int as sum from rows group by who`
      assert.deepStrictEqual(left, [{ who: "alone", count: 40, sum: 780 }])
    })
  )

  it.effect("shares little memory, since PGlite writes to all of it at every start", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [taken] = yield* sql`select (sum(allocated_size) / 1048576)::int as megabytes from pg_shmem_allocations`
      assert.isAtMost(Number(taken?.["megabytes"]), 32)
    })
  )

  it.effect("keeps what nested transactions keep", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table nested (n int)`
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`insert into nested values (1)`
          yield* Effect.ignore(
            sql.withTransaction(Effect.andThen(sql`insert into nested values (2)`, Effect.fail("inner")))
          )
          yield* sql.withTransaction(sql`insert into nested values (3)`)
        })
      )
      assert.deepStrictEqual(yield* sql`select n from nested order by n`, [{ n: 1 }, { n: 3 }])
    })
  )

  it.effect("lets an interrupted statement go while it waits, and does not run it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table waited (n int)`
      const inside = yield* Deferred.make<void>()
      const leave = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.andThen(Effect.andThen(sql`select 1`, Deferred.succeed(inside, undefined)), Deferred.await(leave))
        )
      )
      yield* Deferred.await(inside)
      const waiting = yield* Effect.forkChild(sql`insert into waited values (1)`)
      yield* Effect.sleep(20)
      // Would it wait for the holder, it would wait for ever.
      yield* Fiber.interrupt(waiting)
      yield* Deferred.succeed(leave, undefined)
      yield* Fiber.join(holder)
      assert.deepStrictEqual(yield* sql`select n from waited`, [])
    })
  )

  it.effect("streams, listens and notifies beside other statements", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const rows = yield* Stream.runCollect(sql`select n from generate_series(1, 5000) as n`.stream)
      assert.strictEqual(rows.length, 5000)
      const heard = yield* sql.listen("news")
      yield* sql.notify("news", "first")
      yield* sql.withTransaction(sql`select pg_notify('news', 'second')`)
      assert.strictEqual((yield* Queue.take(heard)).payload, "first")
      assert.strictEqual((yield* Queue.take(heard)).payload, "second")
    }).pipe(Effect.scoped, Effect.timeout("5 seconds"))
  )

  it.effect("carries large values both ways", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const text = "ä€😀".repeat(200_000)
      const [row] = yield* sql<{ text: string }>`select ${text}::text as text`
      assert.strictEqual(row?.text, text)
    })
  )
})
