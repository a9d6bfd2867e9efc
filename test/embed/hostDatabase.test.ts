/** A service inside the database of its host: beside the host's tables, over its connections, in its transactions. */

import * as Pg from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import { eq } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { pgTable, text } from "drizzle-orm/pg-core"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { Kysely, PostgresDialect } from "kysely"
import { Client, Pool, type PoolClient } from "pg"
import { createSvc, type SvcOptions } from "#embed/createSvc.ts"
import type { Svc, SvcTransaction } from "#embed/Svc.ts"
import { SvcError } from "../../packages/client/src/SvcError.ts"
import { clearUrl, freshPostgres, hasPostgres, selectedBackends } from "../support/backends.ts"

const members = pgTable("members", { email: text("email").primaryKey(), leadId: text("lead_id") })

/** A host with a table of its own called `leads`, and one of members. */
const host = async (pool: Pool) => {
  await pool.query("create table leads (mine text)")
  await pool.query("create table members (email text primary key, lead_id text)")
}

/** Uses a host's pool of `pg` on an empty database, in a far time zone. */
const withPool = (use: (pool: Pool, url: string) => Promise<void>) =>
  Effect.gen(function* () {
    const url = clearUrl((yield* freshPostgres("empty")).url)
    const pool = new Pool({ connectionString: url, max: 8, options: "-c timezone=Asia/Kolkata" })
    // Databases of tests are dropped while ended clients still say goodbye.
    pool.on("error", () => {})
    yield* Effect.promise(async () => {
      await host(pool)
      await use(pool, url).finally(() => pool.end())
    })
  }).pipe(Effect.scoped)

/** A pool of one client, for Kysely, which ends nothing. */
const poolOf = (client: PoolClient) => ({
  options: {},
  connect: async () => ({ query: client.query.bind(client) as never, release: () => {} }),
  end: async () => {}
})

const using = async (options: SvcOptions, use: (svc: Svc) => Promise<void>) => {
  const svc = await createSvc({
    worker: false,
    env: false,
    gateway: "simulator",
    ...options
  })
  await use(svc).finally(svc.close)
}

const refusal = (promise: Promise<unknown>): Promise<SvcError> =>
  promise.then(
    () => assert.fail("it was not refused"),
    (error: unknown) => (error instanceof SvcError ? error : assert.fail(`no SvcError: ${String(error)}`))
  )

const emailsOf = async (svc: Pick<Svc, "leads">): Promise<ReadonlyArray<string | null>> =>
  (await svc.leads.search({ sort: "name" })).leads.map(({ email }) => email).sort()

const created = async (svc: Svc): Promise<number> => {
  const envelope = await svc.commands.run("event.list", { types: "lead.created" })
  return envelope.ok ? envelope.data.events.length : assert.fail(envelope.error.message)
}

/** What was kept in one transaction: leads, their events, and audit rows of `lead.upsert`. */
const kept = async (svc: Svc) => ({
  leads: await emailsOf(svc),
  events: await created(svc),
  audit: (await svc.audit.list({ command_id: "lead.upsert" })).entries.length
})

const nothing = { leads: [], events: 0, audit: 0 }

/** What holds of every store. */
const onEveryStore = (open: (use: (svc: Svc) => Promise<void>) => Promise<void>) => {
  it("a transaction keeps everything or nothing, and gives what its function gives", () =>
    open(async (svc) => {
      const given = await svc.transaction(async (tx) => {
        const { lead_id } = await tx.leads.upsert({ email: "a@example.com" })
        assert.strictEqual((await tx.leads.get({ lead_id })).lead_id, lead_id, "what it wrote")
        return lead_id
      })
      assert.match(given, /^ld_/)
      const before = { leads: ["a@example.com"], events: 1, audit: 1 }
      assert.deepStrictEqual(await kept(svc), before)
      const reason = new Error("no")
      const thrown = await svc
        .transaction(async (tx) => {
          await tx.as({ userId: "usr_x" }).leads.upsert({ email: "b@example.com" })
          throw reason
        })
        .catch((error: unknown) => error)
      assert.strictEqual(thrown, reason)
      assert.deepStrictEqual(await kept(svc), before)
    }))

  it("a command that fails in a transaction leaves nothing, and the others stay", () =>
    open(async (svc) => {
      await svc.leads.upsert({ email: "one@example.com" })
      await svc.leads.upsert({ linkedin_url: "https://www.linkedin.com/in/two" })
      await svc.transaction(async (tx) => {
        const [, failure] = await Promise.all([
          tx.leads.upsert({ email: "a@example.com" }),
          refusal(tx.leads.upsert({ email: "one@example.com", linkedin_url: "https://www.linkedin.com/in/two" })),
          tx.leads.upsert({ email: "b@example.com" })
        ])
        assert.strictEqual(failure.code, "IDENTITY_CONFLICT")
        await tx.leads.upsert({ email: "preview@example.com" }, { dryRun: true })
      })
      assert.deepStrictEqual(await emailsOf(svc), ["a@example.com", "b@example.com", null, "one@example.com"].sort())
    }))

  it("what acts outside the database is refused in a transaction, and nothing outlives it", () =>
    open(async (svc) => {
      let left: SvcTransaction | undefined
      await svc.transaction(async (tx) => {
        left = tx
        const failure = await refusal(tx.imports.resume({ import_id: "imp_unknown" }))
        assert.deepStrictEqual(
          [failure.code, failure.message.includes("acts outside the database")],
          ["INVALID_INPUT", true]
        )
        const misplaced = await refusal(svc.leads.search({}))
        assert.include(misplaced.message, "call its argument")
        await using({ database: "memory:" }, async (other) => assert.deepStrictEqual(await emailsOf(other), []))
      })
      assert.include((await refusal(left?.leads.search({}) ?? Promise.resolve())).message, "The transaction has ended.")
      assert.deepStrictEqual(await emailsOf(svc), [])
    }))

  it("an organization of a transaction that is undone is not there", () =>
    open(async (svc) => {
      let id = ""
      const signUp = svc.transaction(async (tx) => {
        ;({ id } = await tx.organizations.ensure({ externalId: "acme", name: "Acme" }))
        await tx.as({ organizationId: id }).leads.upsert({ email: "a@example.com" })
        throw new Error("no")
      })
      await signUp.catch(() => {})
      assert.strictEqual(
        (await refusal(svc.as({ organizationId: id }).leads.upsert({ email: "a@example.com" }))).code,
        "NOT_FOUND"
      )
    }))

  it("a call that is not waited for belongs to its transaction, which waits for it", () =>
    open(async (svc) => {
      await svc.transaction(async (tx) => {
        void tx.leads.upsert({ email: "a@example.com" })
      })
      assert.deepStrictEqual(await kept(svc), { leads: ["a@example.com"], events: 1, audit: 1 })
    }))
}

describe("transactions in memory", () => {
  onEveryStore((use) => using({ database: "memory:" }, use))

  it("have no SQL, and cannot be joined", () =>
    using({ database: "memory:" }, async (svc) => {
      await svc.transaction(async (tx) => {
        assert.include((await refusal(tx.query("select 1"))).message, "memory")
      })
      assert.throws(() => svc.join({ query: async () => [] }), SvcError, "needs PostgreSQL")
    }))
})

describe.skipIf(!selectedBackends().has("pglite"))("transactions of an embedded database", () => {
  const folders: Array<string> = []
  const open = async (use: (svc: Svc) => Promise<void>) => {
    const { mkdtemp, rm } = await import("node:fs/promises")
    const { tmpdir } = await import("node:os")
    const { join } = await import("node:path")
    const folder = await mkdtemp(join(tmpdir(), "svc-host-"))
    folders.push(folder)
    await using({ database: { url: `pglite:${join(folder, "data")}`, schema: "ignored" } }, use)
    await rm(folder, { recursive: true })
  }
  onEveryStore(open)

  it("share the host's statements, and Effects join them", () =>
    open(async (svc) => {
      await svc.transaction(async (tx) => {
        await tx.query("create table members (email text)")
        await tx.query("insert into members values ($1)", ["a@example.com"])
      })
      const { runtime } = svc.effect
      const joined = Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql.withTransaction(
          Effect.andThen(svc.effect.run("lead.upsert", { email: "b@example.com" }), Effect.fail("undo" as const))
        )
      })
      assert.strictEqual(await runtime.runPromise(Effect.flip(joined as Effect.Effect<void, "undo">)), "undo")
      assert.deepStrictEqual(await kept(svc), nothing)
    }))
})

describe.skipIf(!hasPostgres())("a host's PostgreSQL", () => {
  const open = (use: (svc: Svc) => Promise<void>) =>
    Effect.runPromise(withPool((pool) => using({ database: { client: pool } }, use)))
  onEveryStore(open)

  it.live("has the tables of the service in a schema of their own, beside the host's", () =>
    withPool(async (pool, url) => {
      await using({ database: { url, schema: "outreach", pool: 2 } }, async (svc) => {
        await svc.leads.upsert({ email: "a@example.com" })
      })
      assert.deepStrictEqual((await pool.query("select email from outreach.leads")).rows, [{ email: "a@example.com" }])
      assert.deepStrictEqual((await pool.query("select * from leads")).rows, [])
      await using({ databaseUrl: url }, async (svc) => assert.deepStrictEqual(await emailsOf(svc), []))
      assert.deepStrictEqual((await pool.query("select count(*)::int as n from svc.leads")).rows, [{ n: 0 }])
      const [{ names }] = (
        await pool.query(
          "select array_agg(relname::text order by 1) as names from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"
        )
      ).rows
      assert.deepStrictEqual(names, ["leads", "members"])
    })
  )

  it.live("commits and rolls back with the host's own statements, over Drizzle and Kysely", () =>
    withPool((pool) =>
      using({ database: { client: pool } }, async (svc) => {
        const signUp = (email: string, fail = false) =>
          svc.transaction<string, PoolClient>(async (tx) => {
            const db = drizzle(tx.client)
            await db.insert(members).values({ email })
            const { lead_id } = await tx.leads.upsert({ email })
            await db.update(members).set({ leadId: lead_id }).where(eq(members.email, email))
            if (fail) throw new Error("no")
            return lead_id
          })
        const id = await signUp("a@example.com")
        await signUp("b@example.com", true).catch(() => {})
        assert.deepStrictEqual((await pool.query("select * from members")).rows, [
          { email: "a@example.com", lead_id: id }
        ])
        assert.deepStrictEqual(await kept(svc), { leads: ["a@example.com"], events: 1, audit: 1 })

        const client = await pool.connect()
        const kysely = new Kysely<{ members: { email: string } }>({
          dialect: new PostgresDialect({
            pool: poolOf(client)
          })
        })
        await client.query("begin")
        await kysely.insertInto("members").values({ email: "c@example.com" }).execute()
        await svc.join(client).leads.upsert({ email: "c@example.com" })
        assert.deepStrictEqual(await emailsOf(svc), ["a@example.com"], "others do not see it yet")
        await client.query("commit")
        client.release()
        assert.deepStrictEqual(await kept(svc), { leads: ["a@example.com", "c@example.com"], events: 2, audit: 2 })
        assert.strictEqual((await pool.query("select * from members")).rowCount, 2)
      })
    )
  )

  it.live("is left as the host has it: its search path, its settings and its parsers", () =>
    withPool((pool) =>
      using({ database: { client: pool } }, async (svc) => {
        const client = await pool.connect()
        const settings = async () =>
          (
            await client.query(
              "select current_setting('search_path') as path, current_setting('lock_timeout') as lock, current_setting('timezone') as zone"
            )
          ).rows
        const before = await settings()
        await client.query("begin")
        await svc.join(client).leads.upsert({ email: "a@example.com" })
        assert.deepStrictEqual(await settings(), before)
        await client.query("rollback")
        assert.deepStrictEqual(await settings(), before)
        client.release()
        assert.deepStrictEqual(await kept(svc), nothing)
      })
    )
  )

  it.live("says what is wrong with a transaction that cannot be joined", () =>
    withPool((pool) =>
      using({ database: { client: pool } }, async (svc) => {
        const client = await pool.connect()
        const email = { email: "a@example.com" }
        assert.include((await refusal(svc.join(client).leads.upsert(email))).message, "Run begin on it first")
        await client.query("begin")
        await client.query("select 1/0").catch(() => {})
        assert.include((await refusal(svc.join(client).leads.upsert(email))).message, "Roll it back")
        assert.include((await refusal(svc.join(client).leads.search({}))).message, "Roll it back")
        await client.query("rollback")
        client.release()
        const failure = await svc
          .transaction((tx) => tx.query("select * from nowhere"))
          .catch((error: unknown) => error)
        assert.strictEqual(Object(failure).code, "42P01", "an error of the host's statement is PostgreSQL's")
      })
    )
  )

  it.live("refuses a client of another database, whether that has a service of its own or none", () =>
    withPool((pool) =>
      using({ database: { client: pool } }, (svc) =>
        Effect.runPromise(
          withPool(async (other, url) => {
            const refusedThere = async () => {
              const client = await other.connect()
              await client.query("begin")
              const joined = svc.join(client).leads.upsert({ email: "a@example.com" })
              const error = await refusal(joined).finally(async () => {
                await client.query("rollback")
                client.release()
              })
              assert.deepStrictEqual([error.code, error.status], ["INVALID_INPUT", 400])
              assert.include(error.message, "The client is of another database than the service.")
            }
            await refusedThere()
            await using({ database: { url } }, async (there) => {
              await refusedThere()
              assert.deepStrictEqual(await emailsOf(there), [])
            })
          })
        )
      )
    )
  )

  it.live("names the privilege that its role lacks, at the start and later", () =>
    withPool((pool, url) =>
      using({ database: { client: pool } }, async (svc) => {
        await svc.leads.upsert({ email: "a@example.com" })
        const role = `poor_${process.pid}`
        await pool.query(`create role ${role} login`)
        const asRole = new Pool({ connectionString: url, options: `-c role=${role}` })
        asRole.on("error", () => {})
        const starting = () => createSvc({ worker: false, env: false, database: { client: asRole, schema: "svc" } })
        try {
          const atStart = await refusal(starting())
          assert.match(atStart.message, /lacks a privilege in the database: permission denied for \w+/)
          await pool.query(`grant usage on schema svc to ${role}`)
          await pool.query(`grant select on all tables in schema svc to ${role}`)
          const client = await pool.connect()
          await client.query("begin")
          await client.query(`set local role ${role}`)
          const later = await refusal(svc.join(client).leads.upsert({ email: "b@example.com" }))
          assert.match(`${later.code} ${later.message}`, /^UNAVAILABLE The role of the service lacks a privilege/)
          await client.query("rollback")
          client.release()
        } finally {
          await asRole.end()
          await pool.query(`drop owned by ${role}`)
          await pool.query(`drop role ${role}`)
        }
      })
    )
  )

  it.live("ends a transaction whose connection is lost, and goes on with another one", () =>
    withPool((pool) =>
      using({ database: { client: pool } }, async (svc) => {
        const lost = svc.transaction(async (tx) => {
          await tx.leads.upsert({ email: "a@example.com" })
          const [{ pid } = { pid: 0 }] = await tx.query<{ pid: number }>("select pg_backend_pid() as pid")
          await pool.query("select pg_terminate_backend($1)", [pid])
          await tx.leads.upsert({ email: "b@example.com" })
        })
        assert.strictEqual((await refusal(lost)).code, "UNAVAILABLE")
        await svc.leads.upsert({ email: "c@example.com" })
        assert.deepStrictEqual(await kept(svc), { leads: ["c@example.com"], events: 1, audit: 1 })
      })
    )
  )

  it.live("is joined by Effects in the host's transaction, and not by those outside", () =>
    withPool(async (pool, url) => {
      const runtime = ManagedRuntime.make(Pg.layer({ url: Redacted.make(url) }))
      const client = await runtime.runPromise(Pg.PgClient)
      await using({ database: { client } }, async (svc) => {
        const upsert = (email: string) => svc.effect.run("lead.upsert", { email })
        const undone = client.withTransaction(Effect.andThen(upsert("a@example.com"), Effect.fail("undo" as const)))
        assert.strictEqual(await runtime.runPromise(Effect.flip(undone)), "undo")
        assert.deepStrictEqual(await kept(svc), nothing)
        await runtime.runPromise(
          client.withTransaction(
            Effect.gen(function* () {
              yield* upsert("b@example.com")
              const conflict = yield* Effect.flip(svc.effect.run("lead.get", { lead_id: "ld_unknown" }))
              assert.strictEqual(conflict._tag, "NotFound")
              yield* client`insert into members (email) values ('b@example.com')`
            })
          )
        )
        await runtime.runPromise(upsert("c@example.com"))
        assert.deepStrictEqual(await kept(svc), { leads: ["b@example.com", "c@example.com"], events: 2, audit: 2 })
        // Cut short in the middle, while it waits for another transaction that knows the same person.
        const other = await pool.connect()
        await other.query("begin")
        await svc.join(other).leads.upsert({ email: "d@example.com" })
        const isWaiting = Effect.promise(async () => {
          const { rowCount } = await pool.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
          )
          return rowCount === 1
        })
        const seen = Effect.repeat(isWaiting, { until: (waits) => waits })
        const cut = Deferred.makeUnsafe<void>()
        const racing = Effect.raceFirst(upsert("d@example.com"), Deferred.await(cut))
        const begun = runtime.runFork(client.withTransaction(racing))
        await runtime.runPromise(seen)
        Deferred.doneUnsafe(cut, Effect.void)
        await other.query("rollback")
        other.release()
        await runtime.runPromise(Fiber.await(begun))
        await runtime.runPromise(client.withTransaction(upsert("e@example.com")))
      })
      const { rows } = await pool.query("select email from svc.leads order by email")
      assert.deepStrictEqual(
        rows.map(({ email }) => email),
        ["b@example.com", "c@example.com", "e@example.com"]
      )
      await runtime.dispose()
    })
  )

  it.live("is opened over a layer, and a layer that fails is said", () =>
    withPool(async (_, url) => {
      const layer = Pg.layer({ url: Redacted.make(url) })
      await using({ database: { client: layer, schema: "layered" } }, async (svc) => {
        await svc.leads.upsert({ email: "a@example.com" })
        assert.deepStrictEqual(await emailsOf(svc), ["a@example.com"])
      })
      const broken = Layer.effect(Pg.PgClient, Effect.fail("no password"))
      const failure = await refusal(createSvc({ database: { client: broken }, env: false }))
      assert.deepStrictEqual([failure.code, failure.message.includes("no password")], ["UNAVAILABLE", true])
    })
  )
})

describe("a database that cannot be", () => {
  const cases: ReadonlyArray<readonly [what: string, database: unknown, message: string]> = [
    ["neither URL nor client", {}, "database: not a URL"],
    ["a number", 1, "database: not a URL"],
    ["both", { url: "memory:", client: {} }, "database: not a URL"],
    ["a schema that is none", { url: "memory:", schema: 'a"b' }, "database.schema"],
    ["no connections", { url: "memory:", pool: 0 }, "database.pool"],
    ["no client", { client: {} }, "database.client"],
    ["a client that only one can use", { client: new Client() }, "Give a Pool"],
    ["an empty URL", "", "database: not a URL"]
  ]
  for (const [what, database, message] of cases) {
    it(`is refused: ${what}`, async () => {
      const failure = await refusal(createSvc({ env: false, database: database as string }))
      assert.deepStrictEqual(
        [failure.code, failure.message.includes(message)],
        ["INVALID_INPUT", true],
        failure.message
      )
    })
  }
})
