import { assert, it, layer } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import { connectPglite } from "#postgres/Database.ts"
import { migrations } from "#postgres/migrations/index.ts"
import * as PgliteFolder from "#postgres/PgliteFolder.ts"
import { pgliteLayer } from "../support/backends.ts"

layer(pgliteLayer, { excludeTestServices: true })("PGlite through its one connection", (it) => {
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

  it.effect("serves callers in the order of asking", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table asked (n int, at int generated always as identity)`
      const leave = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(sql`insert into asked values (0)`, Deferred.await(leave))),
        { startImmediately: true }
      )
      const others = yield* Effect.forEach([1, 2, 3, 4, 5], (n) => {
        const insert = sql`insert into asked values (${n})`
        return Effect.forkChild(n % 2 === 0 ? sql.withTransaction(insert) : insert, { startImmediately: true })
      })
      yield* Deferred.succeed(leave, undefined)
      yield* Fiber.join(holder)
      yield* Effect.forEach(others, Fiber.join)
      const rows = yield* sql<{ readonly n: number }>`select n from asked order by at`
      assert.deepStrictEqual(
        rows.map(({ n }) => n),
        [0, 1, 2, 3, 4, 5]
      )
    })
  )

  it.effect("leaves nothing of a transaction that a failed statement aborted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table aborted (n int)`
      const swallowing = Effect.gen(function* () {
        yield* sql`insert into aborted values (1)`
        yield* Effect.ignore(sql`select 1 / 0`)
      })
      yield* Effect.exit(sql.withTransaction(swallowing))
      yield* sql`insert into aborted values (2)`
      assert.deepStrictEqual(yield* sql`select n from aborted`, [{ n: 2 }])
    })
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

it.live("a connection of PGlite that breaks in a transaction is replaced, and its transaction rolled back", () =>
  Effect.gen(function* () {
    const pglite = yield* PgliteFolder.openInMemory(migrations)
    const run = pglite.execProtocolRawStream.bind(pglite)
    const sql = yield* connectPglite(pglite)
    yield* sql`create table broken (n int)`
    const breaking = Effect.gen(function* () {
      yield* sql`insert into broken values (1)`
      pglite.execProtocolRawStream = () => Promise.reject(new Error("broken"))
      yield* sql`insert into broken values (2)`
    })
    const exit = yield* Effect.exit(sql.withTransaction(breaking))
    assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "PGlite stopped working. Restart the process.")
    pglite.execProtocolRawStream = run
    yield* sql.withTransaction(sql`insert into broken values (3)`)
    assert.deepStrictEqual(yield* sql`select n from broken`, [{ n: 3 }])
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
)
