import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { settleUnknown } from "#core/outreach/OutreachWorker.ts"
import { hasPostgres } from "../support/backends.ts"
import { crashPoints } from "../support/crash/crashPoints.ts"
import { sendingStores } from "../support/crash/sendingStores.ts"
import { effort } from "../support/effort.ts"
import { commands, ok } from "../support/World.ts"
import { approvedDrafts } from "./approvedDrafts.ts"
import { killableWorkers } from "./killableWorkers.ts"

const drafts = 300
const randomKills = effort(6)

interface Sent {
  readonly slug: string
  readonly kind: string
}

const ledgerShape: { readonly ledger: ReadonlyArray<Sent> } = { ledger: [] }

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** How many drafts are where, by status and state of the queue item. */
const whereabouts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly slug: string; readonly status: string; readonly state: string }>`
    select l.name as slug, d.status, q.state from svc.linkedin_drafts d
    join svc.leads l on l.organization_id = d.organization_id and l.id = d.lead_id
    left join svc.transmissions q on q.organization_id = d.organization_id and q.id = d.queue_item_id`
  return rows
})

describe.skipIf(!hasPostgres())("Workers that are killed", () => {
  it.live(
    "never send a message twice, lose none, and leave none of unknown outcome unlisted",
    () =>
      Effect.gen(function* () {
        const slugs = Array.from({ length: drafts }, (_, index) => `person-${index}`)
        const { bundle, fake, places } = yield* killableWorkers(slugs)
        yield* Effect.gen(function* () {
          yield* approvedDrafts(slugs)
          // At each point, on different passes, so that whatever stands around it differs too.
          yield* Effect.promise(() =>
            Promise.all(crashPoints.flatMap((at) => [2, 5].map((on) => bundle.start(places, { at, on }).exited))).then(
              (signals) => assert.isTrue(signals.every((signal) => signal === "SIGKILL"))
            )
          )
          // At random: two workers run, and one of them is always about to die.
          yield* Effect.promise(async () => {
            let random = 7
            const next = () => (random = (random * 1_103_515_245 + 12_345) % 2_147_483_648)
            const running = [bundle.start(places), bundle.start(places)]
            for (let kill = 0; kill < randomKills; kill++) {
              await pause(500 + (next() % 500))
              const [victim] = running.splice(next() % running.length, 1)
              victim?.child.kill("SIGKILL")
              await victim?.exited
              running.push(bundle.start(places))
            }
            for (const worker of running) {
              worker.child.kill("SIGKILL")
              await worker.exited
            }
          })
          const last = [bundle.start(places), bundle.start(places)]
          let rows = yield* whereabouts
          const isOver = () => rows.every(({ state }) => state === "sent" || state === "ambiguous")
          for (let look = 0; look < 120 && !isOver(); look++) {
            yield* Effect.promise(() => pause(500))
            rows = yield* whereabouts
          }
          for (const worker of last) worker.child.kill("SIGKILL")
          yield* Effect.promise(() => Promise.all(last.map(({ exited }) => exited)))

          const { ledger } = (yield* Effect.promise(() => fake.control("ledger"))) as typeof ledgerShape
          const left = new Map<string, number>()
          for (const { slug } of ledger) left.set(slug, (left.get(slug) ?? 0) + 1)
          assert.deepStrictEqual(
            [...left].filter(([, times]) => times > 1),
            [],
            "sent twice"
          )
          assert.lengthOf(rows, drafts)
          assert.deepStrictEqual(
            rows.filter(({ state }) => state !== "sent" && state !== "ambiguous"),
            [],
            "lost"
          )
          for (const { slug, state, status } of rows) {
            assert.strictEqual(status, state === "sent" ? "DISPATCHED" : "READY_TO_SEND")
            if (state === "sent") assert.strictEqual(left.get(slug), 1, `${slug} is said to be sent`)
            if (left.get(slug) === undefined) assert.strictEqual(state, "ambiguous")
          }
          const listed = yield* ok<{ items: ReadonlyArray<unknown> }>("linkedin.queue.list", {
            state: ["ambiguous"],
            limit: 100
          })
          const unknown = rows.filter(({ state }) => state === "ambiguous")
          assert.lengthOf(listed.items, unknown.length)
          assert.isAtLeast(unknown.length, 3, "the kills after the attempt, after the answer and before the outcome")

          // What the conversations show is settled; what they do not show stays unknown, and is sent by nobody.
          yield* (yield* SqlClient)`update svc.transmissions set not_before = '1970-01-01', lease_until = null
            where state = 'ambiguous'`
          yield* (yield* SqlClient)`update svc.due_work set due_at = '1970-01-01' where kind = 'outcomes'`
          const settled = yield* settleUnknown({ limit: 200, concurrency: 4 })
          const after = yield* whereabouts
          const arrived = unknown.filter(({ slug }) => left.has(slug)).map(({ slug }) => slug)
          assert.strictEqual(settled, arrived.length)
          assert.isAtLeast(settled, 1, "the kills after the answer")
          for (const { slug, state } of after) assert.strictEqual(state, left.has(slug) ? "sent" : "ambiguous", slug)
          const end = (yield* Effect.promise(() => fake.control("ledger"))) as typeof ledgerShape
          assert.lengthOf(end.ledger, ledger.length)
        }).pipe(Effect.provide(commands.pipe(Layer.provideMerge(sendingStores(places)))))
      }).pipe(Effect.scoped),
    // About 15 s; more when the machine is busy.
    600_000
  )
})
