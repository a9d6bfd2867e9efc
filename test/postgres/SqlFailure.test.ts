import { assert, describe, it, layer, type Vitest } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, SqlError, UnknownError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { isFailure } from "#core/kernel/failure/Failure.ts"
import { DuplicateHandle, NotFound } from "#core/kernel/failure/failures.ts"
import {
  catchUnique,
  fromSqlError,
  orUnavailable,
  retrySerialization,
  SerializationConflict,
  sqlStateOf
} from "#postgres/SqlFailure.ts"
import { hasPostgres, pgliteLayer, postgresLayer, selectedBackends } from "../support/backends.ts"

const raising = (state: string) =>
  Effect.flatMap(SqlClient, (sql) =>
    sql.unsafe(`do $$ begin raise exception 'staged' using errcode = '${state}'; end $$`)
  )

const defectOf = <A, E>(exit: Exit.Exit<A, E>): unknown => (Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

const meaningOf = (state: string) =>
  Effect.map(Effect.flip(raising(state)), (error: SqlError) => {
    assert.strictEqual(sqlStateOf(error), state)
    return fromSqlError(error)._tag
  })

describe("a node of a cluster that was lost", () => {
  const lost = (where: string) => {
    const cause = Object.assign(new Error("server closed the connection unexpectedly"), { code: "XX000", where })
    return fromSqlError(
      new SqlError({ reason: new UnknownError({ cause, message: cause.message, operation: "query" }) })
    )
  }

  it("makes the database unavailable, and no other internal error does", () => {
    assert.strictEqual(lost("while executing command on 10.0.0.2:5432")._tag, "Unavailable")
    assert.strictEqual(lost("PL/pgSQL function f() line 1 at RAISE")._tag, "Defect")
  })
})

let databases = 0

const suite = (it: Vitest.MethodsNonLive<SqlClient>) => {
  it.effect("gives every SQLSTATE its meaning", () =>
    Effect.gen(function* () {
      for (const state of ["40001", "40P01", "23503"]) assert.strictEqual(yield* meaningOf(state), "Retry", state)
      for (const state of ["53100", "53200", "53300", "57P01", "57P03", "08006", "55P03", "57014", "25006"]) {
        assert.strictEqual(yield* meaningOf(state), "Unavailable", state)
      }
      for (const state of ["22021", "22P02", "23502", "23514", "42601", "42P01", "XX000", "P0001"]) {
        assert.strictEqual(yield* meaningOf(state), "Defect", state)
      }
    })
  )

  it.effect("turns outages into UNAVAILABLE with a time to wait, and surprises into defects", () =>
    Effect.gen(function* () {
      const outage = yield* Effect.flip(orUnavailable(raising("53100")))
      assert.strictEqual(outage.code, "UNAVAILABLE")
      assert.strictEqual(outage.retryAfterSeconds, 5)
      for (const state of ["57014", "55P03"]) {
        assert.strictEqual((yield* Effect.flip(orUnavailable(raising(state)))).code, "STATEMENT_TIMEOUT")
      }
      const surprise = yield* Effect.exit(orUnavailable(raising("42P01")))
      assert.isTrue(isSqlError(defectOf(surprise)))
      const conflict = yield* Effect.exit(orUnavailable(raising("40001")))
      assert.instanceOf(defectOf(conflict), SerializationConflict)
      const own = yield* Effect.flip(orUnavailable(Effect.fail(new NotFound({ kind: "lead" }))))
      assert.strictEqual(own.code, "NOT_FOUND")
    })
  )

  it.effect("logs the SQLSTATE of an outage once in a while, and counts every one", () =>
    Effect.gen(function* () {
      // The process remembers what it logged, and this suite runs on two databases.
      yield* TestClock.setTime(++databases * 1_000_000)
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => void logged.push(JSON.stringify(message)))
      const fail = Effect.flip(orUnavailable(raising("53300")))
      yield* Effect.provide(Effect.andThen(fail, fail), Logger.layer([logger]))
      assert.strictEqual(logged.filter((line) => line.includes("53300")).length, 1)
      const { format } = yield* Effect.promise(() => import("effect/observability/PrometheusMetrics"))
      assert.match(yield* format(), /svc_database_failures_total\{[^}]*53300[^}]*\} \d/)
      yield* TestClock.adjust("10 seconds")
      yield* Effect.provide(fail, Logger.layer([logger]))
      assert.strictEqual(logged.filter((line) => line.includes("53300")).length, 2)
    })
  )

  it.effect("maps a unique violation by the name of its constraint", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table handles (handle text constraint handles_key unique, other text constraint other_key unique)`
      yield* sql`insert into handles values ('ada', 'x')`
      const again = sql`insert into handles values (${"ada"}, ${"y"})`
      const taken = yield* again.pipe(
        catchUnique("handles_key", () => new DuplicateHandle({ handle: "ada" })),
        orUnavailable,
        Effect.flip
      )
      assert.strictEqual(taken.code, "DUPLICATE_HANDLE")
      const unexpected = yield* sql`insert into handles values ('bob', 'x')`.pipe(
        catchUnique("handles_key", () => new DuplicateHandle({ handle: "ada" })),
        orUnavailable,
        Effect.exit
      )
      assert.isTrue(isSqlError(defectOf(unexpected)))
    })
  )

  it.effect("runs a losing transaction again from its start, keeping nothing of the lost attempts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table attempts (n int)`
      let n = 0
      // The repository has already turned its SQL errors into failures and defects, as ports demand.
      const body = Effect.suspend(() => {
        n++
        return orUnavailable(
          Effect.andThen(sql`insert into attempts values (${n})`, n < 3 ? raising("40P01") : Effect.void)
        )
      })
      yield* retrySerialization(sql.withTransaction(body))
      assert.deepStrictEqual(yield* sql`select n from attempts`, [{ n: 3 }])
    })
  )

  it.effect("gives up after eight attempts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      let n = 0
      const body = Effect.suspend(() => {
        n++
        return orUnavailable(raising("40001"))
      })
      const lost = yield* Effect.flip(retrySerialization(sql.withTransaction(body)))
      assert.strictEqual(n, 8)
      assert.strictEqual(lost.code, "UNAVAILABLE")
      assert.strictEqual(lost.retryAfterSeconds, 1)
    })
  )

  it.effect("does not run a refused transaction again, and passes its failure", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      let n = 0
      const body = Effect.suspend(() => {
        n++
        return Effect.fail(new NotFound({ kind: "lead" }))
      })
      assert.strictEqual((yield* Effect.flip(retrySerialization(sql.withTransaction(body)))).code, "NOT_FOUND")
      assert.strictEqual(n, 1)
    })
  )
}

describe("SqlFailure", () => {
  if (selectedBackends().has("pglite")) layer(pgliteLayer)("on PGlite", suite)
  if (!hasPostgres()) return
  layer(postgresLayer)("on PostgreSQL", (it) => {
    suite(it)

    it.effect("answers UNAVAILABLE when the connection is cut inside a transaction", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const cut = Effect.gen(function* () {
          const [me] = yield* sql<{ pid: number }>`select pg_backend_pid() as pid`
          return yield* sql`select pg_terminate_backend(${me?.pid ?? 0}), pg_sleep(1)`
        })
        const lost = yield* Effect.flip(retrySerialization(sql.withTransaction(orUnavailable(cut))))
        assert.isTrue(isFailure(lost))
        assert.strictEqual(lost.code, "UNAVAILABLE")
        assert.deepStrictEqual(yield* sql`select 1 as alive`, [{ alive: 1 }])
      })
    )

    it.effect("hides a real deadlock", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`create table pair (id int primary key, n int)`
        yield* sql`insert into pair values (1, 0), (2, 0)`
        const both = (first: number, second: number) =>
          retrySerialization(
            sql.withTransaction(
              Effect.gen(function* () {
                // A second deadlock may be found after the time in which a lock is usually waited for.
                yield* sql`set local lock_timeout = 0`
                yield* sql`update pair set n = n + 1 where id = ${first}`
                yield* sql`select pg_sleep(0.05)`
                yield* sql`update pair set n = n + 1 where id = ${second}`
              })
            )
          )
        yield* Effect.forEach([0, 1, 2, 3], (i) => (i % 2 === 0 ? both(1, 2) : both(2, 1)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(yield* sql`select n from pair order by id`, [{ n: 4 }, { n: 4 }])
      })
    )
  })
})
