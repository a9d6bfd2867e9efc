/** What is under way while a person is erased brings nothing back, and nothing of the person is left behind. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import { PrivacyRepo } from "#core/leads/privacy/PrivacyRepo.ts"
import { WebhookSender } from "#core/webhooks/delivery/deliver.ts"
import { createDeliveries, deliverOrLog, leaseDue } from "#core/webhooks/delivery/deliveryRounds.ts"
import { dumpOf } from "../generated/storeDump.ts"
import { hasPostgres } from "../support/backends.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import * as World from "../support/World.ts"
import { code, lead, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const holders = (text: string) =>
  Effect.map(dumpOf, (dump) => [...dump].flatMap(([table, rows]) => (rows.includes(text) ? [table] : [])))

eachBackend("what is under way during an erasure", (layer) =>
  it.layer(layer)((it) => {
    it.effect("records nothing that a receiver says of the person, and delivers again without the person", () =>
      Effect.gen(function* () {
        const organizationId = yield* CurrentOrganization
        yield* ok("webhook.create", { url: "https://hooks.example.com/under-way" })
        const lead_id = yield* lead({ email: "under-way@example.com", name: "Under Way" })
        yield* ok("lead.status.set", { lead_id, status: "Interested", reason: "Confided words" })
        const bodies: Array<string> = []
        const receiver = WebhookSender.of({
          post: ({ body }) =>
            Effect.gen(function* () {
              if (bodies.length === 0) yield* ok("lead.erase", { lead_id, confirm: lead_id })
              bodies.push(body)
              return { _tag: "Answered", status: 500, retryAfterSeconds: null, snippet: "Confided words" } as const
            }).pipe(Effect.provide(context))
        })
        const context = yield* Effect.context<World.World>()
        const deliver = Effect.gen(function* () {
          yield* createDeliveries(organizationId)
          const due = yield* leaseDue(1, organizationId)
          yield* Effect.forEach(due, deliverOrLog, { discard: true })
          return due.length
        }).pipe(Effect.provideService(WebhookSender, receiver))
        // The first delivery is of the lead's creation; what a later one of the same subject is refused with stays away too.
        assert.strictEqual(yield* deliver, 1)
        assert.deepStrictEqual(yield* holders("confided words"), [])
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual(yield* deliver, 1)
        assert.notInclude(bodies.at(-1), "Under Way")
      }).pipe(inOrganization("org_under_way"))
    )

    it.effect("stores no identifier of an erased person again, in whatever way it is sent", () =>
      Effect.gen(function* () {
        yield* ok("mission.create", { name: "Spring", handle: "spring" })
        const lead_id = yield* lead({ email: "erased@example.com", linkedin_url: "linkedin.com/in/erased-person" })
        yield* ok("lead.erase", { lead_id, confirm: lead_id })
        for (const named of [{ email: "erased@example.com" }, { linkedin_url: "linkedin.com/in/erased-person" }]) {
          assert.strictEqual(yield* code("lead.suppress", { ...named, reason: "Again" }), "LEAD_SUPPRESSED")
        }
        const rows = ["broken,linkedin.com/in/erased-person", "broken,linkedin.com/in/a-stranger", "x@example.com,"]
        const content = `Email,LinkedIn URL\n${rows.join("\n")}\n`
        const { import_id } = yield* ok("import.csv", { mission_id: "spring", content })
        const listed = yield* ok("import.leads.list", { import_id, outcome: "refused" })
        assert.deepStrictEqual(
          listed.rows.map(({ cells }: { cells: unknown }) => cells),
          [null, { Email: "broken", "LinkedIn URL": "linkedin.com/in/a-stranger" }]
        )
        assert.deepStrictEqual(yield* holders("erased-person"), [])
      }).pipe(inOrganization("org_again"))
    )
  })
)

describe.skipIf(!hasPostgres())("an erasure that waits for a lead", () => {
  it.layer(World.make({ backend: "postgres" }))((it) => {
    it.effect("erases the lead into which it was merged meanwhile", () =>
      Effect.gen(function* () {
        const organizationId = yield* CurrentOrganization
        const sql = yield* SqlClient
        const loser = yield* lead({ email: "loser@example.com" })
        const winner = yield* lead({ email: "winner@example.com" })
        const isMerged = yield* Deferred.make<void>()
        const isWaiting = yield* Deferred.make<void>()
        const merging = sql.withTransaction(
          ok("lead.merge", { winner_lead_id: winner, loser_lead_ids: [loser] }).pipe(
            Effect.tap(Deferred.succeed(isMerged, undefined)),
            Effect.andThen(Deferred.await(isWaiting))
          )
        )
        const merger = yield* Effect.forkChild(merging)
        yield* Deferred.await(isMerged)
        const repo = yield* PrivacyRepo
        const erasing = (yield* Transaction).run(repo.erase(organizationId, loser, "2026-11-21T08:00:00.000Z"))
        const eraser = yield* Effect.forkChild(erasing)
        yield* Effect.repeat(
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          { until: (found) => found.length === 1 }
        )
        yield* Deferred.succeed(isWaiting, undefined)
        yield* Fiber.join(merger)
        assert.deepStrictEqual((yield* Fiber.join(eraser))?.leadIds, [winner, loser])
        assert.deepStrictEqual(yield* sql`select 1 from svc.leads where organization_id = ${organizationId}`, [])
      }).pipe(inOrganization("org_merged_meanwhile"))
    )
  })
})
