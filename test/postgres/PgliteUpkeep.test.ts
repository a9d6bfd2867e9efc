/** An embedded database that stays open for long keeps neither dead rows nor the log of everything that was ever written. */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import * as Database from "#postgres/Database.ts"
import { keepUp } from "#postgres/PgliteUpkeep.ts"
import { selectedBackends } from "../support/backends.ts"

const megabyte = 1024 * 1024

describe.skipIf(!selectedBackends().has("pglite"))("A PGlite folder that stays open", () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "svc-upkeep-"))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  const withFolder = <A, E>(
    name: string,
    use: (sql: SqlClient, directory: string) => Effect.Effect<A, E, SqlClient>
  ): Effect.Effect<A, unknown> => {
    const directory = join(root, name)
    return Effect.flatMap(SqlClient, (sql) => use(sql, directory)).pipe(
      Effect.provide(Database.layer({ _tag: "Pglite", directory, label: name }, { migrate: true }))
    )
  }

  const dead = (sql: SqlClient) =>
    Effect.gen(function* () {
      // Statistics are otherwise written once a second.
      yield* sql`select pg_stat_force_next_flush()`
      const [row] = yield* sql<{ readonly dead: number }>`
        select n_dead_tup::int as dead from pg_stat_user_tables where relname = 'piled'`
      return row?.dead ?? 0
    })

  /** Rows that were changed three times. */
  const pile = (sql: SqlClient) =>
    Effect.gen(function* () {
      yield* sql`create table piled (n int, t text)`
      yield* sql`insert into piled select n, repeat(md5(n::text), 30) from generate_series(1, 2000) n`
      for (let time = 0; time < 3; time++) yield* sql`update piled set t = t || ${time}::text`
      assert.isAbove(yield* dead(sql), 4_000)
    })

  it.effect("is vacuumed within a minute", () =>
    withFolder("vacuumed", (sql) =>
      Effect.gen(function* () {
        yield* pile(sql)
        yield* TestClock.adjust("1 minute")
        // Each look waits for the one session, which vacuums meanwhile.
        for (let look = 0; look < 50 && (yield* dead(sql)) > 0; look++);
        assert.strictEqual(yield* dead(sql), 0)
      })
    )
  )

  it.effect("has a checkpoint once its log is long, and loses the log before it", () =>
    withFolder("checked", (sql, directory) =>
      Effect.gen(function* () {
        const segments = Effect.map(
          Effect.promise(() => readdir(join(directory, "pg_wal"))),
          (files) => files.filter((file) => /^[0-9A-F]{24}$/.test(file)).length
        )
        const redo = Effect.map(sql`select redo_lsn::text as redo from pg_control_checkpoint()`, ([row]) => row)
        yield* pile(sql)
        const [piled, begun] = [yield* segments, yield* redo]
        assert.isAbove(piled, 5, "a segment is a megabyte")
        yield* keepUp(1_000 * megabyte)
        assert.deepStrictEqual([yield* segments, yield* redo], [piled, begun])
        yield* keepUp(megabyte)
        assert.notDeepEqual(yield* redo, begun)
        assert.isBelow(yield* segments, 4)
        assert.lengthOf(yield* sql`select n from piled`, 2_000)
      })
    )
  )
})
