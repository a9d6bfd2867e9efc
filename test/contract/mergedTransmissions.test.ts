/** What waits to be sent to a lead that is merged with another, on every channel and store. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { Dispatch } from "#core/kernel/command/Dispatch.ts"
import type { LeadStatus } from "#core/leads/LeadStatus.ts"
import { eachBackendWith } from "./backends.ts"
import { busyGateways, type Case, fateOf, type Kind, Provider, prepare, provider, round } from "./gateWorld.ts"

const kinds = ["message", "invitation", "email"] as const

const other = "hopper@elsewhere.example"

/** Another lead of this status; answers its id. */
const otherLead = Effect.fnUntraced(function* ({ run }: Case, status: LeadStatus) {
  const { lead_id } = yield* run("lead.upsert", { email: other, name: "G. Hopper" })
  yield* run("lead.status.set", { lead_id, status, reason: "Known" })
  return String(lead_id)
})

/** Both leads become one. */
const merges = {
  "merged into": ({ lead_id, run }: Case, id: string) =>
    run("lead.merge", { winner_lead_id: id, loser_lead_ids: [lead_id] }),
  "taking in": ({ lead_id, run }: Case, id: string) =>
    run("lead.merge", { winner_lead_id: lead_id, loser_lead_ids: [id] }),
  "upserted with the address of": ({ lead_id, run }: Case) =>
    run("lead.upsert", { lead_id, email: other, on_conflict: "merge" })
}

const fates: Readonly<Partial<Record<LeadStatus, Readonly<Record<Kind, string>>>>> = {
  DoNotContact: {
    message: "cancelled lead_suppressed, CANCELLED",
    invitation: "cancelled lead_suppressed",
    email: "cancelled lead_suppressed"
  },
  NotInterested: {
    message: "cancelled lead_not_interested, PENDING_REVIEW",
    invitation: "cancelled lead_not_interested",
    email: "in_review lead_not_interested"
  },
  Interested: { message: "queued, READY_TO_SEND", invitation: "queued", email: "queued" }
}

const suppressed = ({ run }: Case) =>
  Effect.map(run("lead.suppression.check", { identifiers: ["grace@quiet.example", other] }), ({ results }) =>
    Array.from(Object(results), (one) => Object(one).suppressed)
  )

eachBackendWith(busyGateways)("what waits for merged leads", (world) =>
  it.layer(world.pipe(Layer.provideMerge(provider)))((it) => {
    for (const kind of kinds) {
      for (const status of ["DoNotContact", "NotInterested", "Interested"] as const) {
        const becomes = fates[status]?.[kind] ?? ""
        for (const [way, merge] of Object.entries(merges)) {
          it.effect(`${kind}: a lead ${way} one of status ${status}: ${becomes}`, () =>
            Effect.gen(function* () {
              const asking = yield* Provider
              const about = yield* prepare(kind)
              yield* merge(about, yield* otherLead(about, status))
              assert.strictEqual(yield* fateOf(about), becomes)
              const isOver = status === "DoNotContact"
              assert.deepStrictEqual(yield* suppressed(about), [isOver, isOver])
              asking.asked.length = 0
              yield* round(about.organizationId)
              // The merged lead shows the other address, unless it takes the other in.
              const isChanged = kind === "email" && way !== "taking in"
              assert.lengthOf(asking.asked, status === "Interested" && !isChanged ? 1 : 0)
            })
          )
        }
      }
    }

    it.effect("email: the lead is merged with one in DoNotContact while its try fails: cancelled", () =>
      Effect.gen(function* () {
        const asking = yield* Provider
        const about = yield* prepare("email")
        const id = yield* otherLead(about, "DoNotContact")
        const services = yield* Effect.context<Dispatch>()
        asking.asked.length = 0
        asking.meanwhile = Effect.provideContext(merges["merged into"](about, id), services)
        yield* round(about.organizationId)
        asking.meanwhile = Effect.void
        assert.strictEqual(yield* fateOf(about), "cancelled lead_suppressed")
        yield* TestClock.adjust("2 hours")
        yield* round(about.organizationId)
        assert.lengthOf(asking.asked, 1, "it is not tried again")
      })
    )
  })
)
