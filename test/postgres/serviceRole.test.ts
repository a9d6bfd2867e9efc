/** The service as a role that owns nothing: another one migrates, and `svc db roles` grants. */

import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { createSvc } from "@svc/embed"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Ports from "#core/outreach/LinkedInPorts.ts"
import { dispatchDue, settleUnknown } from "#core/outreach/OutreachWorker.ts"
import { Retention } from "#core/workspace/retention/Retention.ts"
import { deleteOldRows } from "#core/workspace/retention/RetentionWorker.ts"
import { analyzeGrownTables } from "#postgres/AutoAnalyze.ts"
import * as Database from "#postgres/Database.ts"
import type { Migration } from "#postgres/Migration.ts"
import { migrate } from "#postgres/Migrator.ts"
import { migrations } from "#postgres/migrations/index.ts"
import { sqlStateOf } from "#postgres/SqlFailure.ts"
import { sessionSettings } from "#postgres/sessionSettings.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { postgresUrl } from "../support/PostgresServer.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson } from "../support/svcProcess.ts"
import { inProcess } from "../surfaces/Surface.ts"
import { type Scenario, scenarios, textAt } from "../surfaces/scenarios.ts"

const password = "role-of-a-test"

/** Runs a script of several statements. */
const script = (text: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql.unsafe(`do $test$ begin execute $script$${text}$script$; end $test$`).unprepared
  )

type Options = Parameters<typeof Database.layer>[1]

const as = <A, E>(url: string, effect: Effect.Effect<A, E, SqlClient>, options?: Options): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, Database.layer(postgresUrl(url), { maxConnections: 1, ...options })))

const urlAs = (url: string, role: string): string => {
  const other = new URL(url)
  other.username = role
  other.password = password
  return other.href
}

/** The SQLSTATE that a statement fails with. */
const refusal = (text: string) =>
  Effect.flatMap(SqlClient, (sql) => Effect.flip(sql.unsafe(text).unprepared)).pipe(
    Effect.map((error: SqlError) => sqlStateOf(error))
  )

describe.skipIf(!hasPostgres())("a role that owns nothing", () => {
  const scope = Effect.runSync(Scope.make())
  let admin = ""
  let owner = ""
  let service = ""
  let grants = ""
  const svc = async (url: string, ...args: ReadonlyArray<string>) => {
    const ran = await svcInProcess([...args, "--json"], { env: { SVC_DATABASE_URL: url } })
    return { code: ran.code, body: oneJson(ran) }
  }

  beforeAll(async () => {
    const { name, url } = await Effect.runPromise(Scope.provide(freshPostgres("empty"), scope))
    const [ownerName, serviceName] = [`owner_${name.slice(-12)}`, `Service ${name.slice(-12)}`]
    admin = clearUrl(url)
    owner = urlAs(admin, ownerName)
    service = urlAs(admin, serviceName)
    await as(
      admin,
      script(`create role ${ownerName} login password '${password}'; alter database ${name} owner to ${ownerName}`)
    )
    const roles = [ownerName, `"${serviceName}"`]
    const farewell = [
      `alter database ${name} owner to current_user`,
      ...roles.map((role) => `drop owned by ${role} cascade`),
      ...roles.map((role) => `drop role ${role}`)
    ]
    const removeRoles = Effect.promise(() => as(admin, Effect.forEach(farewell, script)))
    await Effect.runPromise(Scope.addFinalizer(scope, removeRoles))
    assert.strictEqual((await svc(owner, "db", "migrate")).code, 0)
    const printed = await svc(owner, "db", "roles", "--role", serviceName)
    grants = String(printed.body["sql"])
    await as(admin, script(grants))
    await as(admin, script(`alter role "${serviceName}" password '${password}'`))
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  it("runs every command", async () => {
    const surface = await inProcess(service)
    const outcomes = new Map<string, Parameters<typeof textAt>[0]>()
    const run = async ({ name, status, step }: Scenario) => {
      const earlier = (scenario: string, path: string) => textAt(outcomes.get(scenario) ?? assert.fail(scenario), path)
      const outcome = await surface.run(typeof step === "function" ? step(earlier) : step)
      if (outcome === undefined) return
      outcomes.set(name, outcome)
      assert.strictEqual(outcome.status, status, `${name}: ${JSON.stringify(outcome.body)}`)
    }
    for (const scenario of scenarios) await run(scenario)
    assert.isAbove(outcomes.size, 100)
    await surface.close()
  })

  it("does the work of a worker", async () => {
    vi.stubEnv("SVC_LINKEDIN_PACING", "off")
    vi.stubEnv("SVC_SEND_HOLD_SECONDS", "0")
    const host = await createSvc({ databaseUrl: service, gateway: "simulator", worker: false })
    vi.unstubAllEnvs()
    const run = host.effect.runtime.runPromise
    const { lead_id } = await host.leads.upsert({ linkedin_url: "https://www.linkedin.com/in/ann" })
    const { draft } = await host.linkedin.draft.create({
      lead_id,
      agent_handle: "ada-martin",
      variations: [{ body_text: "Hello" }]
    })
    await host.linkedin.draft.approve({ draft_id: draft.draft_id })
    await run(Effect.andThen(dispatchDue(), settleUnknown()).pipe(Effect.provide(Ports.layer)))
    const { items } = await host.linkedin.queue.list({ state: ["sent"], limit: 100 })
    assert.include(
      items.map(({ draft_id }) => draft_id),
      draft.draft_id
    )
    await as(owner, script("update svc.idempotency_keys set created_at = '2020-01-01'"))
    const days = { idempotency: 1, deliveries: 1, events: 1, importRows: 1, audit: 1 }
    assert.isAbove((await run(Effect.provideService(deleteOldRows(), Retention, days))).idempotency ?? 0, 0)
    await host.close()
  })

  it("analyzes tables that have grown", async () => {
    await as(owner, script("alter table svc.idempotency_keys set (autovacuum_enabled = false)"))
    await as(
      service,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`insert into svc.idempotency_keys (organization_id, route, key, fingerprint, created_at)
          select id, 'r', n::text, 'f', now() from svc.organizations, generate_series(1, 2000) n`
        yield* sql`select pg_stat_force_next_flush()`
        assert.include(yield* analyzeGrownTables, "idempotency_keys")
        yield* sql`select pg_stat_force_next_flush()`
        assert.notInclude(yield* analyzeGrownTables, "idempotency_keys")
      })
    )
  })

  it("is what operators use too", async () => {
    assert.strictEqual((await svc(service, "db", "status")).body["current"], true)
    for (const args of [
      ["sending", "status"],
      ["sending", "release"],
      ["audit", "verify"],
      ["orgs", "create", "Another"]
    ]) {
      const { body, code } = await svc(service, ...args)
      assert.strictEqual(code, 0, `${args.join(" ")}: ${JSON.stringify(body)}`)
    }
    const { checks } = (await svc(service, "doctor")).body
    const database = Object(checks).find(({ name }: { readonly name: string }) => name === "database")
    assert.strictEqual(database.state, "ok", JSON.stringify(checks))
  })

  it("has the settings of sessions, for a pooler that passes none", () =>
    as(
      `${service.split("?")[0]}?pooler=transaction`,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const [name, value] of Object.entries(sessionSettings())) {
          assert.deepStrictEqual(yield* sql`select current_setting(${name}) as value`, [{ value }])
        }
      })
    ))

  it("neither creates nor changes, removes or empties anything", () =>
    as(
      service,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const text of [
          "create table more (n int)",
          "create temporary table more (n int)",
          "create schema more",
          "create function more() returns int language sql as 'select 1'",
          "create role more",
          "alter table svc.leads add column more int",
          "alter function svc.svc_sending_hold() rename to more",
          "create index on svc.leads (name)",
          "drop table svc.leads",
          "drop function svc.svc_sending_hold()",
          "truncate svc.webhook_deliveries",
          "delete from svc.svc_migrations",
          "insert into svc.svc_migrations (id, name, checksum) values (99, 'x', 'x')",
          `set role ${new URL(owner).username}`,
          "select pg_read_file('/etc/passwd')",
          "copy svc.leads to program 'cat'"
        ]) {
          assert.strictEqual(yield* refusal(text), "42501", text)
        }
        assert.deepStrictEqual(
          yield* sql`select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
            exists (select 1 from pg_auth_members m where m.member = r.oid) as member from pg_roles r where rolname = current_user`,
          [
            {
              rolsuper: false,
              rolcreaterole: false,
              rolcreatedb: false,
              rolreplication: false,
              rolbypassrls: false,
              member: false
            }
          ]
        )
      })
    ))

  const later: Migration = {
    id: migrations.length + 1,
    name: "later",
    sql: `create table later (id bigint generated by default as identity, name text);
      create function svc_later() returns bigint language sql begin atomic select count(*) from later; end`
  }
  const newer = { migrate: true, migrations: [...migrations, later] }
  const start = (options: Options) => as(service, Effect.void, options)
  const message = (options: Options) =>
    start(options).then(
      () => "started",
      (failure: unknown) => String(Object(failure).message)
    )

  it("does not migrate, and says who does; it may use what a later migration added", async () => {
    assert.match(await message(newer), /schema is outdated, and this role may not change it. Run svc db migrate/)
    await as(owner, migrate(newer.migrations))
    await start(newer)
    await as(
      service,
      script("insert into svc.later (name) values ('a'); delete from svc.later where svc.svc_later() = 0")
    )
  })

  it("does not start without what it needs, and says what is missing until it is granted", async () => {
    const revoke = `revoke delete on svc.leads from "${decodeURIComponent(new URL(service).username)}"`
    await as(owner, script(revoke))
    assert.match(await message(newer), /lacks privileges on leads. Run the SQL of svc db roles/)
    await as(admin, script(grants))
    assert.strictEqual(await message(newer), "started")
  })
})
