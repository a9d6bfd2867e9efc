/**
 * Processes that are killed while they deliver webhooks, at every point of a delivery's life: each event arrives at each
 * receiver at least once under its own id, in the order of its subject, and none stays behind.
 */

import { spawn } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { Journal, Transaction } from "#core/kernel/journal/Journal.ts"
import { idsLayer, isoFromMillis } from "#core/kernel/schema/IdsAndTime.ts"
import { WebhooksRepo } from "#core/webhooks/WebhooksRepo.ts"
import { newSecret } from "#core/webhooks/writeWebhook.ts"
import * as Database from "#postgres/Database.ts"
import * as Repositories from "#postgres/repositories.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { bundled } from "../support/crash/bundled.ts"
import { deliveryPoints } from "../support/crash/deliveryPoints.ts"
import { organization } from "../support/organization.ts"
import { receiver } from "../webhooks/receiver.ts"

/** Subjects of each round of events, and events of each. */
const subjects = 12
const each = 2

const pause = (millis: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, millis)))

const hook = (id: string, url: string) =>
  Effect.flatMap(WebhooksRepo, (webhooks) =>
    webhooks.insert(
      {
        webhook_id: id,
        organization_id: "org_a",
        url,
        description: "",
        event_types: [],
        purpose: "events",
        is_active: true,
        disabled_reason: null,
        failing_since: null,
        created_at: isoFromMillis(0),
        updated_at: isoFromMillis(0)
      },
      [{ secret: newSecret(), validUntil: null }]
    )
  )

/** What happens in one round: the same few things to as many leads, each thing after the one before. */
const happen = (round: number) =>
  Effect.gen(function* () {
    const events = Array.from(
      { length: subjects * each },
      (_, index) =>
        ({
          id: `evt_${round}_${index}`,
          organizationId: "org_a",
          type: index < subjects ? "lead.created" : "lead.updated",
          subject: { type: "lead", id: `ld_${round}_${index % subjects}` },
          data: {},
          actor: { kind: "USER", id: "usr_1" },
          keyId: null,
          createdAt: isoFromMillis(0)
        }) as const
    )
    const journal = yield* Journal
    yield* (yield* Transaction).run(journal.append("org_a", [{ events, audit: undefined, idempotency: undefined }]))
    return events.map(({ id }) => id)
  })

describe.skipIf(!hasPostgres())("processes that are killed while they deliver webhooks", () => {
  it.live(
    "leave every event to be delivered under its own id, in order, and nothing stuck",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshPostgres()
        const program = yield* Effect.acquireRelease(
          Effect.promise(() => bundled("deliverer.ts")),
          ({ remove }) => Effect.promise(remove)
        )
        const start = (more: Readonly<Record<string, string>> = {}) => {
          const child = spawn(process.execPath, [program.file], {
            stdio: ["ignore", "ignore", "inherit"],
            env: { PATH: process.env["PATH"] ?? "", DATABASE_URL: clearUrl(url), ...more }
          })
          const ended = new Promise<NodeJS.Signals | null>((resolve) =>
            child.once("exit", (_, signal) => resolve(signal))
          )
          return { child, ended: Effect.promise(() => ended) }
        }
        const receivers = yield* Effect.all(
          [1, 2].map(() => receiver((_request, response) => void setTimeout(() => response.writeHead(204).end(), 150)))
        )
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* organization("org_a")
          yield* Effect.forEach(receivers, (there, index) => hook(`whk_${index}`, there.url))
          const happened: Array<string> = []
          for (const [round, point] of deliveryPoints.entries()) {
            happened.push(...(yield* happen(round)))
            const { child, ended } = start({ CRASH_AT: point.at, CRASH_ON: String(point.on) })
            const signal = yield* Effect.timeoutOption(ended, "30 seconds")
            child.kill("SIGKILL")
            assert.strictEqual(Option.getOrNull(signal), "SIGKILL", `${point.name}: it went on`)
          }
          const [stuck] = yield* sql<{ readonly count: number }>`
            select count(*)::int as count from svc.webhook_deliveries
            where organization_id = 'org_a' and state = 'pending' and lease_until is not null
          `
          assert.isAtLeast(stuck?.count ?? 0, 1, "the kills leave deliveries that somebody held")

          const survivor = yield* Effect.acquireRelease(
            Effect.sync(() => start()),
            ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
          )
          const open = Effect.map(
            sql<{ readonly count: number }>`
              select (select count(*) from svc.webhook_deliveries where organization_id = 'org_a' and state <> 'delivered')
                + (select count(*) from svc.webhooks w where w.organization_id = 'org_a' and w.told_sequence < (
                  select coalesce(max(sequence), 0) from svc.events where organization_id = 'org_a')) as count
            `,
            ([row]) => Number(row?.count)
          )
          for (let look = 0; look < 300 && (yield* open) > 0; look++) yield* pause(200)
          assert.strictEqual(yield* open, 0, "what is left")
          survivor.child.kill("SIGKILL")
          yield* survivor.ended

          const ledger = yield* sql<{
            readonly webhook_id: string
            readonly event_id: string
            readonly attempts: number
          }>`
            select webhook_id, event_id, attempts from svc.webhook_deliveries where organization_id = 'org_a'
          `
          assert.lengthOf(ledger, happened.length * receivers.length, "one delivery of each event to each webhook")
          for (const [index, there] of receivers.entries()) {
            const ids = there.received.map(({ headers }) => String(headers["webhook-id"]))
            assert.sameMembers([...new Set(ids)], happened, "every event, and nothing but them")
            for (const { body, headers } of there.received) {
              assert.strictEqual(JSON.parse(body).id, headers["webhook-id"])
            }
            for (const [round] of deliveryPoints.entries()) {
              for (let subject = 0; subject < subjects; subject++) {
                const first = ids.lastIndexOf(`evt_${round}_${subject}`)
                const second = ids.indexOf(`evt_${round}_${subject + subjects}`)
                assert.isBelow(first, second, `evt_${round}_${subject} came again after what followed on it`)
              }
            }
            for (const row of ledger.filter(({ webhook_id }) => webhook_id === `whk_${index}`)) {
              const times = ids.filter((id) => id === row.event_id).length
              assert.isAtMost(times, row.attempts, `${row.event_id}: sent more often than counted`)
            }
          }
          const all = receivers.flatMap(({ received }) => received)
          assert.isAbove(all.length, ledger.length, "some answers were not stored, so some events came twice")
        }).pipe(
          Effect.provide(
            Layer.mergeAll(Repositories.layer, idsLayer).pipe(
              Layer.provideMerge(Database.layer(url, { maxConnections: 3 }))
            )
          )
        )
      }).pipe(Effect.scoped),
    // About 25 s; more when the machine is busy.
    600_000
  )
})
