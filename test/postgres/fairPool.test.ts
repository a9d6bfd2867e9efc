/** The connections of a pool among organizations, and the limit of searches, on every kind of pool. */
import { layer as clientLayer } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { Pool } from "pg"
import { Tenant } from "#core/kernel/journal/Journal.ts"
import * as Database from "#postgres/Database.ts"
import { searching } from "#postgres/PoolLimits.ts"
import { orUnavailable } from "#postgres/SqlFailure.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { openService } from "../support/httpService.ts"
import { postgresUrl } from "../support/PostgresServer.ts"

const maxConnections = 4

type Source = Parameters<typeof Database.layer>[0]

/** Connections of the service's own, and those of a host. */
const ways: Readonly<Record<string, (url: string, pool: Pool) => Source>> = {
  "its own pool": postgresUrl,
  "a host's pool": (_, client) => ({ _tag: "Host", client, label: "of a host" }),
  "a host's client": (url) => ({
    _tag: "Host",
    client: clientLayer({ url: Redacted.make(url), maxConnections }),
    label: "of a host"
  })
}

/** Runs with a database, with connections of a host to it, and with one that opens and closes gates. */
const onPostgres = <E>(use: (url: string, pool: Pool, admin: Pool) => Effect.Effect<void, E>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const url = clearUrl((yield* freshPostgres()).url)
      const opened = (max: number) =>
        Effect.acquireRelease(
          Effect.sync(() => new Pool({ connectionString: url, max }).on("error", () => {})),
          (pool) => Effect.promise(() => pool.end())
        )
      yield* use(url, yield* opened(maxConnections), yield* opened(1))
    })
  )

/** Asks until it is so. */
const until = (what: string, check: () => Promise<boolean>) =>
  Effect.promise(async () => {
    for (let n = 0; n < 2_000; n++) if (await check()) return
    assert.fail(`not seen: ${what}`)
  })

const numberOf = async (admin: Pool, query: string): Promise<number> =>
  Number(Object.values((await admin.query(query)).rows[0])[0])

const waits = Effect.gen(function* () {
  const { format } = yield* Effect.promise(() => import("effect/observability/PrometheusMetrics"))
  const count = (text: string, limit: string) =>
    Number(new RegExp(`svc_database_wait_seconds_count\\{limit="${limit}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
  return yield* Effect.map(format(), (text) => ({ pool: count(text, "pool"), share: count(text, "share") }))
})

describe.skipIf(!hasPostgres())("connections of a pool", () => {
  const blocked = (admin: Pool) =>
    numberOf(admin, "select count(*) from pg_locks where locktype = 'advisory' and not granted")

  for (const [name, sourceOf] of Object.entries(ways)) {
    it.live(`of ${name} are all of an organization's that is alone, and half of them once another one comes`, () =>
      onPostgres((url, pool, admin) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const before = yield* waits
          const of = <A, E, R>(organization: string, effect: Effect.Effect<A, E, R>) =>
            Effect.forkChild(Effect.provideService(effect, Tenant, organization))
          // Each waits at a gate of its own.
          yield* Effect.promise(() => admin.query("select pg_advisory_lock(n) from generate_series(1, 8) n"))
          const open = (n: number) => Effect.promise(() => admin.query("select pg_advisory_unlock($1)", [n]))
          const heavy = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (n) =>
            of("heavy", Effect.orDie(sql.withTransaction(sql`select pg_advisory_xact_lock_shared(${n})`)))
          )
          yield* until("all connections are lent", async () => (await blocked(admin)) === maxConnections)
          const light = Effect.orDie(sql<{ answer: number }>`select 42 as answer`)
          const first = yield* of("light", light)
          // Gives up its place.
          const gone = yield* of("light", light)
          yield* Effect.yieldNow
          yield* Fiber.interrupt(gone)
          yield* open(1)
          assert.deepStrictEqual(yield* Fiber.join(first), [{ answer: 42 }])
          // Two more end, and the others of the organization still wait: it has its share.
          yield* open(2)
          yield* Effect.forEach(heavy.slice(0, 2), Fiber.join)
          for (let turn = 0; turn < 20; turn++) {
            assert.deepStrictEqual(yield* Fiber.join(yield* of("light", light)), [{ answer: 42 }])
            assert.isAtMost(yield* Effect.promise(() => blocked(admin)), 2)
          }
          const after = yield* waits
          assert.deepStrictEqual([after.pool - before.pool, after.share - before.share], [2, 0])
          yield* Effect.forEach([3, 4, 5, 6, 7, 8], open)
          yield* Effect.forEach(heavy, Fiber.join)
          assert.strictEqual((yield* waits).pool - before.pool, 6)
        }).pipe(Effect.provide(Database.layer(sourceOf(url, pool), { maxConnections, share: 50 })), Effect.orDie)
      )
    )
  }

  it.live("are counted for the organization of a command", () =>
    onPostgres((url, _, admin) =>
      Effect.promise(async () => {
        const service = await openService({ database: { url, pool: maxConnections }, settings: { dbShare: 50 } })
        const { apiKey: key } = await service.svc.createOrganization("Others")
        const other = (command: string, json: object) =>
          service.ask("POST", `/api/v1/commands/${command}`, { key, json }).then(({ status }) => status)
        assert.strictEqual(await other("offer.list", {}), 200)
        await admin.query("begin; lock table svc.offers in exclusive mode")
        const json = { name: "Audit", one_liner: "One", value_proposition: "Two" }
        const blockedRuns = Array.from({ length: 8 }, () =>
          service.ask("POST", "/api/v1/commands/offer.create", { json })
        )
        const waiting = () =>
          numberOf(admin, "select count(*) from pg_locks where relation = 'svc.offers'::regclass and not granted")
        while ((await waiting()) < 2) assert.isAtMost(await waiting(), 2)
        for (let n = 0; n < 5; n++) {
          assert.strictEqual(await other("lead.upsert", { email: `p${n}@example.com` }), 200)
          assert.strictEqual(await other("lead.search", {}), 200)
          assert.isAtMost(await waiting(), 2)
        }
        await admin.query("rollback")
        await Promise.all(blockedRuns)
        await service.svc.close()
      })
    )
  )
})

describe.skipIf(!hasPostgres())("a search that takes too long", () => {
  const { "a host's pool": _, ...cancellable } = ways
  for (const [name, sourceOf] of Object.entries(cancellable)) {
    it.live(`is cancelled on ${name}, and nothing else is`, () =>
      onPostgres((url, pool, admin) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const sleeping = orUnavailable(sql`select pg_sleep(60)`)
          const other = yield* Effect.forkChild(orUnavailable(sql`select pg_sleep(0.5), 'other' as name`))
          const searches = Effect.flip(searching(sleeping))
          const failures = yield* Effect.all(
            Array.from({ length: 6 }, () => searches),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            failures.map(({ code }) => code),
            Array.from(failures, () => "STATEMENT_TIMEOUT")
          )
          const sleepers =
            "select count(*) from pg_stat_activity where query like 'select pg_sleep(60)%' and state = 'active'"
          yield* until("the server stops it", async () => (await numberOf(admin, sleepers)) === 0)
          assert.strictEqual((yield* Fiber.join(other))[0]?.["name"], "other")
          assert.deepStrictEqual(yield* sql`select 1 as one`, [{ one: 1 }])
        }).pipe(
          Effect.provide(Database.layer(sourceOf(url, pool), { maxConnections, searchSeconds: 0.2 })),
          Effect.orDie
        )
      )
    )
  }
})
