/** A database that is half dead: reachable but read-only, as an old primary is after a failover, or silent. */

import { layer as clientLayer } from "@effect/sql-pg/PgClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { Pool } from "pg"
import type { SvcOptions } from "#embed/createSvc.ts"
import * as Database from "#postgres/Database.ts"
import { withoutDeadline } from "#postgres/PoolLimits.ts"
import { retrySerialization } from "#postgres/SqlFailure.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { at, isError, openService, type Service } from "../support/httpService.ts"
import { findPostgres, type PostgresCluster, startPostgres } from "../support/PostgresCluster.ts"
import { postgresUrl } from "../support/PostgresServer.ts"
import { startTcpProxy, type TcpProxy } from "../support/TcpProxy.ts"

/** How many requests come at once, for how many connections. */
const requests = 50
const maxConnections = 8

/** In seconds: longer than any statement of these tests takes on a busy machine. */
const statementSeconds = 1

const closing = async (pool: Pool, use: (client: Pool) => Promise<void>) => {
  pool.on("error", () => {})
  await use(pool).finally(() => pool.end())
}

/** Connections of the service's own, and those of a host. */
const ways = {
  "its own pool": (url: string, use: (source: Parameters<typeof Database.layer>[0]) => Promise<void>) =>
    use(postgresUrl(url)),
  "a host's pool": (url: string, use: (source: Parameters<typeof Database.layer>[0]) => Promise<void>) =>
    closing(new Pool({ connectionString: url, max: maxConnections }), (client) =>
      use({ _tag: "Host", client, label: "of a host" })
    ),
  "a host's client": (url: string, use: (source: Parameters<typeof Database.layer>[0]) => Promise<void>) =>
    use({ _tag: "Host", client: clientLayer({ url: Redacted.make(url), maxConnections }), label: "of a host" })
}

const opened = async (
  source: Parameters<typeof Database.layer>[0],
  settings: SvcOptions["settings"],
  use: (service: Service) => Promise<void>
) => {
  if (source._tag === "Pglite") return assert.fail("no PostgreSQL")
  const database: SvcOptions["database"] =
    source._tag === "Host" ? { client: source.client } : { url: Redacted.value(source.url), pool: maxConnections }
  const service = await openService({ database, settings })
  await use(service).finally(service.svc.close)
}

const upsert = ({ ask }: Service, email: string) => ask("POST", "/api/v1/commands/lead.upsert", { json: { email } })

const upserts = (service: Service, name: string, count = requests) =>
  Promise.all(Array.from({ length: count }, (_, n) => upsert(service, `${name}${n}@example.com`)))

const statuses = (replies: ReadonlyArray<{ readonly status: number }>) => [
  ...new Set(replies.map(({ status }) => status))
]

const until = async (check: () => Promise<boolean>) => {
  for (let n = 0; n < 1_000; n++) if (await check()) return
  assert.fail("it did not happen")
}

describe.skipIf(!hasPostgres())("after a failover that leaves the old primary reachable", () => {
  let cluster: PostgresCluster
  beforeAll(async () => {
    cluster = await startPostgres(findPostgres() ?? assert.fail("no PostgreSQL"))
  })
  afterAll(() => cluster.stop())

  const failOver = async (service: Service, name: string, admin: Pool, database: string) => {
    // Every connection is open.
    assert.deepStrictEqual(statuses(await upserts(service, "before")), [200])
    assert.strictEqual((await service.ask("GET", "/readyz")).status, 200)

    // Every session is read-only, and so is each new one.
    await admin.query("alter system set default_transaction_read_only = on")
    await admin.query("select pg_reload_conf()")
    await until(async () => (await upsert(service, "probe@example.com")).status === 503)
    const failed = await upsert(service, "during@example.com")
    assert.strictEqual(failed.status, 503, name)
    assert.include(String(at(failed.body, "error.message")), "read-only")
    const unready = await service.ask("GET", "/readyz")
    assert.strictEqual(unready.status, 503)
    assert.include(unready.text, "The database is read-only.")
    assert.strictEqual((await service.ask("GET", "/api/v1/leads")).status, 200, "reads go on")

    // New sessions can write; those that are open never will.
    await admin.query(`alter database ${database} set default_transaction_read_only = off`)
    let failures = 0
    while (failures < requests && (await upsert(service, "after@example.com")).status !== 200) failures++
    // A host's client does not say which connections are old, so each is found out by itself.
    assert.isAtMost(failures, name === "a host's client" ? maxConnections : maxConnections / 2 - 1)
    assert.strictEqual((await service.ask("GET", "/readyz")).status, 200)
    assert.deepStrictEqual(statuses(await upserts(service, "later")), [200])
  }

  it.each(Object.entries(ways))("writes fail for a moment, and %s leads to the new one", async (name, using) => {
    const options = "-c default_transaction_read_only=off"
    const admin = new Pool({ connectionString: cluster.url, max: 1, options }).on("error", () => {})
    const database = name.replaceAll(/\W/g, "_")
    await admin.query("alter system reset default_transaction_read_only")
    await admin.query("select pg_reload_conf()")
    await admin.query(`create database ${database}`)
    const url = Object.assign(new URL(cluster.url), { pathname: `/${database}` }).href
    await using(url, (source) => opened(source, {}, (service) => failOver(service, name, admin, database))).finally(
      () => admin.end()
    )
  })
})

describe.skipIf(!hasPostgres())("while one organization's statements are slow", () => {
  const slowIn = (organization: string) => `
    create function svc.linger() returns trigger language plpgsql as $$
      begin perform pg_sleep(60); return new; end $$;
    create trigger linger before insert on svc.leads for each row when (new.organization_id = '${organization}')
      execute function svc.linger()`
  const { "a host's client": _, ...withServerLimit } = ways
  it.each(Object.entries(withServerLimit))("on %s, they fail, and nobody else's", (_name, using) =>
    Effect.gen(function* () {
      const url = clearUrl((yield* freshPostgres()).url)
      const admin = new Pool({ connectionString: url, max: 1 })
      const use = async (service: Service) => {
        await admin.query(slowIn(service.organizationId))
        const { apiKey: key } = await service.svc.createOrganization("Others")
        const [slow, other] = await Promise.all([
          upsert(service, "slow@example.com"),
          service.ask("POST", "/api/v1/commands/lead.upsert", { key, json: { email: "other@example.com" } })
        ])
        isError(slow, 503, "STATEMENT_TIMEOUT")
        assert.strictEqual(slow.headers.get("retry-after"), "1")
        assert.strictEqual(other.status, 200)
        const waiting = await admin.query("begin; lock table svc.offers in exclusive mode")
        assert.isArray(waiting)
        const json = { name: "Audit", one_liner: "One", value_proposition: "Two" }
        isError(await service.ask("POST", "/api/v1/commands/offer.create", { json }), 503, "STATEMENT_TIMEOUT")
        await admin.query("rollback")
        assert.strictEqual((await service.ask("POST", "/api/v1/commands/offer.create", { json })).status, 200)
        const { body } = await service.ask("GET", "/readyz")
        assert.notMatch(JSON.stringify(body), /57014|55P03|statement|lock/)
      }
      yield* Effect.promise(() =>
        using(url, (source) => opened(source, { statementTimeoutSeconds: statementSeconds }, use)).finally(() =>
          admin.end()
        )
      )
    }).pipe(Effect.scoped, Effect.runPromise)
  )
})

describe.skipIf(!hasPostgres())("while the network is silent", () => {
  const proxied = (use: (url: string, proxy: TcpProxy) => Promise<void>) =>
    Effect.gen(function* () {
      const url = new URL(clearUrl((yield* freshPostgres()).url))
      const proxy = yield* Effect.promise(() => startTcpProxy(Number(url.port)))
      url.port = String(proxy.port)
      yield* Effect.promise(() => use(url.href, proxy).finally(proxy.close))
    }).pipe(Effect.scoped, Effect.runPromise)

  const onLayer = (
    using: (typeof ways)[keyof typeof ways],
    use: (proxy: TcpProxy) => Effect.Effect<void, unknown, Layer.Success<ReturnType<typeof Database.layer>>>
  ) =>
    proxied((url, proxy) =>
      using(url, (source) =>
        Effect.runPromise(Effect.provide(use(proxy), Database.layer(source, { maxConnections, statementSeconds })))
      )
    )

  /** Sessions of a pool that are in a transaction though nobody began one. */
  const leftOpen = Effect.gen(function* () {
    const sql = yield* SqlClient
    const found = yield* Effect.forEach(
      Array.from({ length: 2 * maxConnections }),
      () => sql<{ isOpen: boolean }>`select pg_current_xact_id_if_assigned() is not null as "isOpen", pg_sleep(0.02)`,
      { concurrency: "unbounded" }
    )
    return found.flat().filter(({ isOpen }) => isOpen).length
  })

  for (const [name, using] of Object.entries(ways)) {
    it(`${requests} of ${requests} requests on ${name} end with 503, and succeed when it is back`, () =>
      proxied((url, proxy) =>
        using(url, (source) =>
          opened(source, { statementTimeoutSeconds: statementSeconds }, async (service) => {
            assert.deepStrictEqual(statuses(await upserts(service, "before")), [200])
            proxy.silence("all")
            assert.deepStrictEqual(statuses(await upserts(service, "during")), [503])
            const reads = Array.from({ length: requests }, (_, n) =>
              service.ask("GET", n % 2 === 0 ? "/api/v1/leads" : "/readyz")
            )
            assert.deepStrictEqual(statuses(await Promise.all(reads)), [503])
            proxy.silence("none")
            await until(async () => (await service.ask("GET", "/readyz")).status === 200)
            assert.deepStrictEqual(statuses(await upserts(service, "after")), [200])
          })
        )
      ))

    it(`a commit on ${name} whose answer is lost is unknown, and not made again`, () =>
      onLayer(using, (proxy) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`create table marks (n int)`
          let runs = 0
          const marked = Effect.gen(function* () {
            runs++
            yield* sql`insert into marks values (${runs})`
            proxy.silence("answers")
          })
          const lost = yield* Effect.flip(retrySerialization(sql.withTransaction(marked)))
          assert.strictEqual(lost.code, "UNAVAILABLE")
          assert.include(lost.message, "may or may not have been saved")
          proxy.silence("none")
          assert.strictEqual(runs, 1)
          assert.deepStrictEqual(yield* sql`select n from marks`, [{ n: 1 }])
        })
      ))

    it(`a transaction on ${name} that is given up or interrupted leaves none open`, () =>
      onLayer(using, (proxy) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`create table marks (n int)`
          const begun = Deferred.makeUnsafe<void>()
          const write = sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`insert into marks values (1)`
              proxy.silence("all")
              yield* Deferred.succeed(begun, undefined)
              yield* sql`insert into marks values (2)`
            })
          )
          const interrupted = yield* Effect.forkChild(write)
          yield* Deferred.await(begun)
          yield* Fiber.interrupt(interrupted)
          proxy.silence("none")
          assert.strictEqual(yield* leftOpen, 0)
          assert.isTrue(Exit.isFailure(yield* Effect.exit(write)))
          proxy.silence("none")
          assert.strictEqual(yield* leftOpen, 0)
          assert.deepStrictEqual(yield* sql`select n from marks`, [])
        })
      ))

    it(`a statement on ${name} that may run long has no deadline`, () =>
      onLayer(using, () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const slow = sql.withTransaction(
            Effect.andThen(sql`set local statement_timeout = 0`, sql`select pg_sleep(${statementSeconds + 3}::float8)`)
          )
          assert.strictEqual((yield* Effect.exit(slow))._tag, "Failure")
          assert.lengthOf(yield* withoutDeadline(slow), 1)
        })
      ))
  }
})
