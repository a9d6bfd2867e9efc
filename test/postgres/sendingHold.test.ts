/** What holds sending beside a restored dump: a long silence, a wrong clock, another folder, a database that was moved. */

import { cp, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { SendingHold } from "#core/outreach/SendOptions.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { createSvc } from "#embed/createSvc.ts"
import * as SendingHoldPg from "#postgres/outreach/SendingHoldPg.ts"
import * as TransmissionsPg from "#postgres/outreach/TransmissionsPg.ts"
import { hasPostgres, pgliteLayer, postgresLayer, selectedBackends } from "../support/backends.ts"
import { at, readReply } from "../support/httpService.ts"

const hour = 3_600

/** Opens the hold of the database around it, as a process that starts. */
const opened = <A, E, R>(use: Effect.Effect<A, E, R>, gapSeconds = hour) =>
  Effect.provide(use, SendingHoldPg.layer(gapSeconds))

const reason = Effect.map(
  Effect.flatMap(SendingHold, ({ beat }) => beat),
  ({ hold }) => hold?.reason
)

/** Sets the clock of the process to the database's, or off by some seconds. */
const setClock = (offSeconds = 0) =>
  Effect.andThen(
    SqlClient,
    (sql) => sql<{ millis: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as millis`
  ).pipe(Effect.flatMap(([row]) => TestClock.setTime(Math.round((row?.millis ?? 0) + offSeconds * 1000))))

/** The last heartbeat was this long ago, as if nothing else had happened. */
const silentFor = (seconds: number) =>
  Effect.andThen(
    SqlClient,
    (sql) => sql`
      update svc.deployment set heartbeat_at = clock_timestamp() - make_interval(secs => ${seconds}::integer),
        written_by = pg_current_xact_id()::xid::text`
  )

const suite = (layer: typeof postgresLayer) => {
  it.effect("a long silence, until it is released; a shorter one is none", () =>
    Effect.gen(function* () {
      yield* setClock()
      assert.isUndefined(yield* opened(reason))
      yield* silentFor(hour - 60)
      assert.isUndefined(yield* opened(reason))
      yield* silentFor(hour + 60)
      assert.strictEqual(yield* opened(reason), "no_heartbeat")
      assert.strictEqual(yield* opened(reason), "no_heartbeat", "it has heartbeats again, and is held still")
      const released = yield* opened(Effect.flatMap(SendingHold, ({ release }) => release))
      assert.isUndefined(released.hold)
      assert.isNotNull(released.releasedAt)
      yield* silentFor(10 * hour)
      assert.isUndefined(yield* opened(reason, 0), "0 is no limit")
    }).pipe(Effect.provide(layer))
  )

  it.effect("a clock that is off by more than a minute, as long as it is", () =>
    Effect.gen(function* () {
      yield* setClock()
      yield* opened(
        Effect.gen(function* () {
          for (const seconds of [50, 65, -50, -65, 0]) {
            yield* setClock(seconds)
            assert.strictEqual(yield* reason, Math.abs(seconds) > 60 ? "clock_skew" : undefined, `${seconds} s`)
          }
        })
      )
    }).pipe(Effect.provide(layer))
  )

  it.effect("what the statement itself sees, before any heartbeat does", () =>
    Effect.gen(function* () {
      yield* setClock()
      yield* opened(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`update svc.deployment set fingerprint = 'elsewhere'`
          const { hold } = yield* (yield* SendingHold).current
          assert.isUndefined(hold, "this process has not noticed yet")
          const [found] = yield* sql<{ reason: string }>`select svc.svc_sending_hold() as reason`
          assert.strictEqual(found?.reason, "database_restored")
          const request = { organizationId: "org_a", now: "2100-01-01T00:00:00.000Z", leaseSeconds: 15, limit: 10 }
          const { take } = yield* TransmissionsRepo
          assert.deepStrictEqual(yield* take({ ...request, kind: "message", isPaced: false }), [])
        })
      )
    }).pipe(Effect.provide(TransmissionsPg.layer), Effect.provide(layer))
  )
}

describe("sending is held by", () => {
  describe.skipIf(!selectedBackends().has("pglite"))("PGlite", () => suite(pgliteLayer))
  describe.skipIf(!hasPostgres())("PostgreSQL", () => suite(postgresLayer))

  it.live.skipIf(!selectedBackends().has("pglite"))("a copy of the folder, not by the folder itself", () =>
    Effect.promise(async () => {
      const folder = await mkdtemp(join(tmpdir(), "svc-hold-"))
      const holdIn = async (name: string) => {
        const svc = await createSvc({ databaseUrl: `pglite:${join(folder, name)}`, worker: false })
        const { body } = await readReply(await svc.fetch(new Request("http://127.0.0.1/readyz")))
        await svc.close()
        return at(body, "sending_hold.reason")
      }
      assert.isUndefined(await holdIn("data"))
      assert.isUndefined(await holdIn("data"))
      await cp(join(folder, "data"), join(folder, "copy"), { recursive: true })
      assert.strictEqual(await holdIn("copy"), "database_restored")
      assert.isUndefined(await holdIn("data"))
      await rm(folder, { recursive: true })
    })
  )
})
