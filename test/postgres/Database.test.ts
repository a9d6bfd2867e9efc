import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import { build } from "esbuild"
import * as Database from "#postgres/Database.ts"
import { type PgliteUrl, parseDatabaseUrl } from "#postgres/DatabaseUrl.ts"
import * as FolderLock from "#postgres/FolderLock.ts"
import type { Migration } from "#postgres/Migration.ts"
import { status } from "#postgres/Migrator.ts"
import { makeSnapshot } from "#postgres/makeSnapshot.ts"
import { findSnapshot, pgliteVersion } from "#postgres/PgliteSnapshot.ts"
import { sessionSettings } from "#postgres/sessionSettings.ts"
import { clearUrl, freshPostgres, hasPostgres, isUnprepared, selectedBackends } from "../support/backends.ts"
import { postgresUrl } from "../support/PostgresServer.ts"
import { first } from "./firstMigration.ts"

const second: Migration = { id: 2, name: "second", sql: "create table second (n int primary key)" }

const pglite = (directory: string): PgliteUrl => ({ _tag: "Pglite", directory, label: `pglite:${directory}` })

describe.skipIf(!selectedBackends().has("pglite"))("Database in a PGlite folder", () => {
  let root: string
  let snapshots: string
  let holder: string
  let folders = 0
  const folder = () => join(root, `workspace-${++folders}`, "data")
  const snapshot = Effect.suspend(() => findSnapshot([first], [snapshots]))

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "svc-database-"))
    snapshots = join(root, "snapshots")
    holder = join(root, "holder.mjs")
    await symlink(join(import.meta.dirname, "../../node_modules"), join(root, "node_modules"))
    await build({
      entryPoints: [join(import.meta.dirname, "databaseHolder.ts")],
      outfile: holder,
      bundle: true,
      platform: "node",
      format: "esm",
      conditions: ["svc-source"],
      external: ["@electric-sql/pglite"],
      logLevel: "error"
    })
    await Effect.runPromise(makeSnapshot(snapshots, [first]))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  const withDatabase = <A, E>(
    directory: string,
    known: ReadonlyArray<Migration>,
    effect: Effect.Effect<A, E, SqlClient | Database.Database>
  ) => Effect.provide(effect, Database.layer(pglite(directory), { migrate: true, migrations: known, snapshot }))

  it.live("starts a new folder from the snapshot and brings it up to date", () =>
    Effect.gen(function* () {
      const directory = folder()
      const before = performance.now()
      yield* withDatabase(
        directory,
        [first, second],
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { applied, pending } = yield* status([first, second])
          assert.deepStrictEqual([applied.map(({ id }) => id), pending], [[1, 2], []])
          const stamps = yield* sql<{
            fresh: boolean
          }>`select applied_at > now() - interval '1 second' * ${(performance.now() - before) / 1000} as fresh from svc.svc_migrations order by id`
          assert.deepStrictEqual(stamps, [{ fresh: false }, { fresh: true }], "the first is the snapshot's")
          yield* sql`insert into second values (7)`
          const database = yield* Database.Database
          assert.deepStrictEqual([database.backend, database.directory], ["pglite", directory])
        })
      )
      assert.isFalse(existsSync(`${directory}.lock`))
      assert.isFalse(existsSync(`${directory}.creating`))
      const rows = yield* withDatabase(
        directory,
        [first, second],
        Effect.flatMap(SqlClient, (sql) => sql`select n from second`)
      )
      assert.deepStrictEqual(rows, [{ n: 7 }])
    })
  )

  it.live("passes over a snapshot of another history or another PGlite", () =>
    Effect.gen(function* () {
      assert.isDefined(yield* findSnapshot([first, second], [snapshots]))
      assert.isUndefined(yield* findSnapshot([{ ...first, sql: `${first.sql} ` }], [snapshots]))
      assert.isUndefined(yield* findSnapshot([], [snapshots]))
      const other = join(root, "other-snapshots")
      yield* Effect.promise(() => cp(snapshots, other, { recursive: true }))
      const manifest = join(other, "pglite-snapshot.json")
      const text = yield* Effect.promise(() => readFile(manifest, "utf8"))
      yield* Effect.promise(() => writeFile(manifest, text.replace(pgliteVersion, "0.5.15")))
      assert.isUndefined(yield* findSnapshot([first], [other]))
      yield* Effect.promise(() => writeFile(manifest, "{"))
      assert.isUndefined(yield* findSnapshot([first], [other]))
    })
  )

  it.live("makes a snapshot only when something changed", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* makeSnapshot(snapshots, [first]))
      const installed = JSON.parse(
        yield* Effect.promise(() => readFile(join(root, "node_modules/@electric-sql/pglite/package.json"), "utf8"))
      )
      assert.strictEqual(installed.version, pgliteVersion)
    })
  )

  it.live("refuses a second opener before PGlite touches the folder, and publishes where the owner listens", () =>
    Effect.gen(function* () {
      const directory = folder()
      yield* withDatabase(
        directory,
        [first],
        Effect.gen(function* () {
          const database = yield* Database.Database
          yield* database.publish({ url: "http://127.0.0.1:4700", token: Redacted.make("t") })
          const refused = yield* Effect.flip(Effect.scoped(Layer.build(Database.layer(pglite(directory)))))
          assert.strictEqual(refused.code, "UNAVAILABLE")
          assert.include(refused.message, `process ${process.pid} at http://127.0.0.1:4700`)
          assert.strictEqual((yield* FolderLock.readOwner(directory))?.url, "http://127.0.0.1:4700")
        })
      )
    })
  )

  it.live("starts over when the first start was killed half-way, and never deletes what it did not make", () =>
    Effect.gen(function* () {
      const directory = folder()
      yield* Effect.promise(() => mkdir(directory, { recursive: true }))
      yield* Effect.promise(() => writeFile(join(directory, "PG_VERSION"), "18\n"))
      yield* Effect.promise(() => writeFile(`${directory}.creating`, ""))
      yield* withDatabase(
        directory,
        [first],
        Effect.asVoid(Effect.flatMap(SqlClient, (sql) => sql`select n from first`))
      )
      assert.isFalse(existsSync(`${directory}.creating`))

      const foreign = folder()
      yield* Effect.promise(() => mkdir(foreign, { recursive: true }))
      yield* Effect.promise(() => writeFile(join(foreign, "thesis.txt"), "work of years"))
      const refused = yield* Effect.flip(withDatabase(foreign, [first], Effect.void))
      assert.include(refused.message, "contains something other than a database")
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(foreign)), ["thesis.txt"])

      const old = folder()
      yield* Effect.promise(() => mkdir(old, { recursive: true }))
      yield* Effect.promise(() => writeFile(join(old, "PG_VERSION"), "17\n"))
      const outdated = yield* Effect.flip(withDatabase(old, [first], Effect.void))
      assert.include(outdated.message, `created by PostgreSQL 17, but PGlite ${pgliteVersion} needs 18`)
      assert.isFalse(existsSync(`${old}.lock`))
    })
  )

  it("keeps what was acknowledged when its process is killed, and lets a process end by itself", {
    timeout: 120_000
  }, async () => {
    const directory = folder()
    const child = spawn(process.execPath, [holder, directory, snapshots])
    child.stderr.pipe(process.stderr)
    let acknowledged = 0
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line)
      if (acknowledged === 50) child.kill("SIGKILL")
    }
    assert.isAtLeast(acknowledged, 50)
    const again = spawn(process.execPath, [holder, directory, snapshots, String(acknowledged + 100)])
    again.stderr.pipe(process.stderr)
    const [[code]] = await Promise.all([once(again, "exit"), again.stdout.resume()])
    assert.strictEqual(code, 0)
    const rows = await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(
          SqlClient,
          (sql) => sql<{ n: number; ok: boolean }>`select count(*)::int as n, bool_and(twice = 2 * n) as ok from kept`
        ),
        Database.layer(pglite(directory), { migrations: [first] })
      )
    )
    assert.deepStrictEqual(rows, [{ n: acknowledged + 100, ok: true }])
  })
})

describe.skipIf(!hasPostgres())("Database on PostgreSQL", () => {
  it.live("limits statements, locks and idle transactions", () =>
    Effect.gen(function* () {
      const { url } = yield* freshPostgres()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const settings = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]
        const rows = yield* sql`select name, setting from pg_settings where name = any(${settings}) order by name`
        assert.deepStrictEqual(rows, [
          { name: "idle_in_transaction_session_timeout", setting: "10000" },
          { name: "lock_timeout", setting: "2000" },
          { name: "statement_timeout", setting: "10000" }
        ])
      }).pipe(Effect.provide(Database.layer(url)))
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(isUnprepared)(
    "behind a pooler names no statement, and leaves settings to the role, with a warning where it lacks them",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshPostgres()
        const behind = postgresUrl(`${clearUrl(url).split("?")[0]}?pooler=transaction`)
        const logged: Array<string> = []
        const logger = Logger.make(({ message }) => logged.push(JSON.stringify(message)))
        const used = Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`select 1`
          return yield* sql<{ readonly names: number; readonly lock: string }>`
          select (select count(*)::int from pg_prepared_statements where name <> '') as names,
            current_setting('lock_timeout') as lock`
        }).pipe(
          Effect.provide(Database.layer(behind, { maxConnections: 1 })),
          Effect.provide(Logger.layer([logger])),
          Effect.scoped
        )
        const database = new URL(clearUrl(url)).pathname.slice(1)
        const direct = Effect.flatMap(SqlClient, (sql) =>
          Effect.forEach(Object.entries(sessionSettings()), ([name, value]) =>
            sql.unsafe(`alter database ${database} set ${name} = '${value}'`)
          )
        ).pipe(Effect.provide(Database.layer(url)), Effect.scoped)
        const [before] = yield* used
        assert.deepStrictEqual(before, { names: 0, lock: "0" })
        assert.match(logged.join(), /lacks session settings.*svc db roles.*lock_timeout/)
        logged.length = 0
        yield* direct
        const [after] = yield* used
        assert.deepStrictEqual(after, { names: 0, lock: "2s" })
        assert.deepStrictEqual(logged, [])
      }).pipe(Effect.scoped)
  )

  it.live("says in one message what is wrong with the server", () =>
    Effect.gen(function* () {
      const { url } = yield* freshPostgres()
      const opening = (text: string) => {
        const parsed = Result.getOrThrow(parseDatabaseUrl(text))
        if (parsed._tag !== "Postgres") throw new Error("not a server")
        return Effect.flip(Effect.scoped(Layer.build(Database.layer(parsed))))
      }
      const nobody = yield* opening("postgres://svc:hunter2@127.0.0.1:1/svc")
      assert.strictEqual(nobody.code, "UNAVAILABLE")
      assert.include(nobody.message, "Can't reach the database postgres://127.0.0.1:1/svc")
      assert.include(nobody.message, "SVC_DATABASE_URL")
      assert.notInclude(nobody.message, "hunter2")
      const missing = yield* opening(Redacted.value(url.url).replace(/svc_test_\w+/, "no_such_database"))
      assert.include(missing.message, 'database "no_such_database" does not exist')
    }).pipe(Effect.scoped)
  )
})
