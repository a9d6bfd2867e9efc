/** Operator commands beside a running server on PostgreSQL, and its schema. */
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "#postgres/Database.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { svcBundle } from "../support/svcBundle.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { environment, oneJson, startSvc, svc } from "../support/svcProcess.ts"
import { operatorChecks, statusWith } from "./operatorChecks.ts"

describe.skipIf(!hasPostgres())("on PostgreSQL", () => {
  let scope: Scope.Closeable
  beforeAll(() => {
    scope = Effect.runSync(Scope.make())
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  const fresh = async (template?: "empty"): Promise<Readonly<Record<string, string>>> => {
    const { url } = await Effect.runPromise(Scope.provide(freshPostgres(template), scope))
    return { SVC_DATABASE_URL: clearUrl(url), SVC_RATE_LIMIT: "0" }
  }

  it("operator commands work beside a server, which follows within a second", async () => {
    const env = await fresh()
    const server = await startSvc(["serve"], { env })
    assert.deepStrictEqual(Object.keys(server.ready), ["event", "url", "database", "version"])
    assert.strictEqual(server.ready["database"], "postgres")
    await operatorChecks((args) => svcInProcess(args, { env }), server.url)
    assert.strictEqual(await server.stop(), 0)
  })

  it("an empty database is migrated by orgs create, and a client command opens it in process, sending by hand", async () => {
    const env = await fresh("empty")
    const made = oneJson(await svc(["orgs", "create", "First", "--json"], { env }))
    const client = { ...env, SVC_API_KEY: String(made["api_key"]) }
    const me = oneJson(await svc(["whoami", "--json"], { env: client }))
    assert.strictEqual(Object(me["service"]).kind, "embedded")
    assert.match(String(Object(me["service"]).label), /^postgres:\/\/127\.0\.0\.1/)
    assert.strictEqual(me["organization_id"], made["organization_id"])
    const agent = '{"first_name":"Ada","last_name":"Martin","handle":"ada"}'
    await svc(["commands", "run", "agent.create", "--input-json", agent, "--json"], { env: client })
    const accounts = oneJson(await svc(["commands", "run", "linkedin.account.list", "--json"], { env: client }))
    assert.deepStrictEqual(Object(accounts["data"]).accounts, [], "nothing is simulated on a real database")
  })

  it("db status, plan and migrate show and bring the schema up to date", async () => {
    const env = await fresh("empty")
    const db = async (name: string) => {
      const ran = await svc(["db", name, "--json"], { env })
      assert.strictEqual(ran.code, 0, ran.stdout + ran.stderr)
      return oneJson(ran)
    }
    const before = await db("status")
    assert.isFalse(before["current"])
    assert.deepStrictEqual(before["applied"], [])
    assert.match(String((await db("plan"))["sql"]), /create table/i)
    const migrated = await db("migrate")
    assert.deepStrictEqual(migrated["applied"], before["pending"])
    assert.deepStrictEqual((await db("migrate"))["applied"], [])
    assert.strictEqual((await svc(["db", "plan"], { env })).stderr, "svc: nothing to migrate.\n")
    const after = await db("status")
    assert.isTrue(after["current"])
    assert.notInclude(JSON.stringify(after), "app_owner@", "the label shows no user")
  })

  it("doctor shows the sizes of tables, and since when there are rows of those with an age", async () => {
    const env = await fresh()
    const key = String(oneJson(await svcInProcess(["orgs", "create", "Sizes", "--json"], { env }))["api_key"])
    const offer = '{"name":"Audit","one_liner":"One","value_proposition":"Two"}'
    const run = ["commands", "run", "offer.create", "--input-json", offer, "--idempotency-key", "1", "--json"]
    assert.strictEqual((await svc(run, { env: { ...env, SVC_API_KEY: key } })).code, 0)
    const begun = new Date().toISOString()
    const { checks, storage } = oneJson(await svc(["doctor", "--json"], { env }))
    const tables: ReadonlyArray<Readonly<Record<string, unknown>>> = Object(storage)
    const oldest = (name: string) => tables.find(({ table }) => table === name)?.["oldest"]
    assert.isAbove(tables.length, 20)
    for (const { bytes } of tables) assert.isAbove(Number(bytes), 0)
    assert.deepStrictEqual(
      tables.map(({ bytes }) => Number(bytes)),
      tables.map(({ bytes }) => Number(bytes)).toSorted((a, b) => b - a)
    )
    for (const name of ["idempotency_keys", "audit_entries"]) {
      assert.isBelow(Math.abs(Date.parse(String(oldest(name))) - Date.parse(begun)), 60_000, name)
    }
    assert.strictEqual(oldest("import_rows"), null)
    assert.strictEqual(oldest("leads"), null)
    const shown = Object(checks).find(({ name }: { name: string }) => name === "storage")
    assert.match(shown.detail, /^[\d.]+ [kMG]B in \d+ tables: \w+ [\d.]+ kB/)
    const search = Object(checks).find(({ name }: { name: string }) => name === "text search")
    assert.match(
      search.detail,
      /^by an index \(pg_trgm(, btree_gin\)$|\)\. btree_gin was missing)|^without an index\. pg_trgm was missing/
    )
  })

  it("doctor finds the tables, though no search path does: that sending is held, and the index of texts", async () => {
    const { url } = await Effect.runPromise(Scope.provide(freshPostgres(), scope))
    const asked = Effect.flatMap(SqlClient, (sql) =>
      Effect.andThen(
        sql`insert into svc.deployment (fingerprint, place, heartbeat_at, hold_reason, held_since)
          values (svc.svc_fingerprint(), '', now(), 'no_heartbeat', now())`,
        sql<{ readonly found: boolean }>`select exists (select 1 from pg_extension where extname = 'pg_trgm') as found`
      )
    )
    const [trigrams] = await Effect.runPromise(Effect.provide(asked, Database.layer(url, { maxConnections: 1 })))
    const { checks } = oneJson(await svcInProcess(["doctor", "--json"], { env: { SVC_DATABASE_URL: clearUrl(url) } }))
    const detailOf = (wanted: string) => Object(checks).find(({ name }: { name: string }) => name === wanted).detail
    assert.include(detailOf("database"), "sending is held (no_heartbeat)")
    assert.strictEqual(detailOf("sending"), "held (no_heartbeat): nothing is sent; see svc sending status")

    const served = spawn(process.execPath, [await svcBundle(), "serve", "--port", "0"], {
      env: environment({ SVC_DATABASE_URL: clearUrl(url) })
    })
    let banner = ""
    for await (const text of served.stdout) {
      banner += String(text)
      if (banner.includes("Sending")) break
    }
    served.kill("SIGTERM")
    assert.include(banner, "Sending  held (no_heartbeat): nothing is sent; see svc sending status")
    assert.strictEqual(detailOf("text search").startsWith("by an index"), trigrams?.found)
  })

  it("doctor warns without a deployment key, and says what to do where the database uses one", async () => {
    const env = await fresh()
    const orgs = async (own: Readonly<Record<string, string>>) =>
      assert.strictEqual(
        (await svcInProcess(["orgs", "create", "Keys", "--json"], { env: { ...env, ...own } })).code,
        0
      )
    const found = async (own: Readonly<Record<string, string>>) => {
      const { checks } = oneJson(await svcInProcess(["doctor", "--json"], { env: { ...env, ...own } }))
      return Object(checks).find(({ name }: { name: string }) => name === "deployment key")
    }
    await orgs({})
    const { detail, state } = await found({})
    assert.strictEqual(state, "warn")
    assert.match(detail, /^SVC_DEPLOYMENT_KEY is not set/)
    const key = { SVC_DEPLOYMENT_KEY: randomBytes(32).toString("base64") }
    await orgs(key)
    assert.strictEqual((await found(key)).state, "ok")
    const other = await found({})
    assert.strictEqual(other.state, "fail")
    assert.match(other.detail, /deployment key [0-9a-f]{8}.* Set SVC_DEPLOYMENT_KEY/)
  })

  it("SVC_BOOTSTRAP_KEY opens an empty database to two servers that start at once", async () => {
    const env = await fresh()
    const key = (await svcInProcess(["keys", "generate"])).stdout.trim()
    const servers = await Promise.all(
      [1, 2].map(() => startSvc(["serve"], { env: { ...env, SVC_BOOTSTRAP_KEY: key } }))
    )
    for (const { url } of servers) assert.strictEqual(await statusWith(url, key), 200)
    for (const server of servers) assert.strictEqual(await server.stop(), 0)
  })
})
