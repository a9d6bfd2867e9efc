import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { SimulatorLedger } from "#memory/simulator/SimulatedGateway.ts"
import { effort } from "../../support/effort.ts"
import { ask } from "../../support/World.ts"
import { agents, draftFor, linkedInWorld, read, stored } from "./linkedInWorld.ts"

const slugs = ["ann", "bea-2nd", "cat-blocked", "dot-down", "eva-slow", "fay-unknown"] as const

type Step =
  | { readonly do: "approve" | "send" | "invite" | "edit" | "cancel"; readonly draft: number; readonly key: number }
  | { readonly do: "dispatch" }
  | { readonly do: "wait"; readonly seconds: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("approve" as const, "send" as const, "invite" as const, "edit" as const, "cancel" as const),
      draft: fc.nat(slugs.length - 1),
      key: fc.nat(3)
    })
  },
  { weight: 2, arbitrary: fc.constant({ do: "dispatch" as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(1, 12, 40) }) }
)

/** Runs the steps with overlaps: each begins one second after the one before, whether that ended or not. */
const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  yield* agents()
  const drafts = yield* Effect.forEach(slugs, (slug) => draftFor(slug))
  const running: Array<Fiber.Fiber<unknown, unknown>> = []
  for (const one of steps) {
    if (one.do === "wait") {
      yield* TestClock.adjust(one.seconds * 1_000)
      continue
    }
    if (one.do === "dispatch") {
      running.push(yield* Effect.forkChild(dispatchDue()))
    } else {
      const draft_id = drafts[one.draft]?.draft_id
      const [command, input] =
        one.do === "cancel"
          ? ["linkedin.draft.cancel", { draft_id }]
          : one.do === "edit"
            ? ["linkedin.draft.update", { draft_id, variations: [`Edit ${one.key}`] }]
            : [
                "linkedin.draft.approve",
                { draft_id, send_now: one.do !== "approve", send_invitation: one.do === "invite" }
              ]
      const idempotencyKey = one.key === 0 ? undefined : `${one.do}-${one.draft}-${one.key}`
      running.push(yield* Effect.forkChild(ask(command, input, { options: { idempotencyKey } })))
    }
    yield* TestClock.adjust("1 second")
  }
  yield* TestClock.adjust("1 minute")
  for (const fiber of running) yield* Fiber.join(fiber)
  return drafts
})

describe("Sending", () => {
  it.effect(
    "never sends twice, and believes only the provider, whatever the order of things",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) =>
            Effect.gen(function* () {
              const drafts = yield* play(steps)
              const accepted = yield* (yield* SimulatorLedger).accepted
              const { attempts, items, messages } = yield* stored
              for (const draft of drafts) {
                const after = yield* read(draft)
                const messagesOut = accepted.filter(
                  ({ kind, leadId }) => kind === "message" && leadId === draft.lead.lead_id
                )
                const invitations = accepted.filter(
                  ({ kind, leadId }) => kind === "invitation" && leadId === draft.lead.lead_id
                )
                assert.isAtMost(messagesOut.length, 1, `${draft.lead.name} was written to twice`)
                assert.isAtMost(invitations.length, 1)
                const mine = items.filter(({ draftId }) => draftId === draft.draft_id)
                const isUnknown = mine.some(({ state }) => state === "ambiguous")
                // What left is DISPATCHED or known to be unknown; what is DISPATCHED left.
                assert.strictEqual(messagesOut.length === 1, after.status === "DISPATCHED" || isUnknown)
                assert.strictEqual(
                  after.status === "DISPATCHED",
                  mine.some(({ state }) => state === "sent")
                )
                assert.isFalse(mine.some(({ state }) => state === "sending"))
                if (after.status === "CANCELLED") {
                  assert.isFalse(mine.some(({ state }) => state === "queued" || state === "waiting_relation"))
                }
              }
              assert.isTrue(attempts.every(({ outcome }) => outcome !== null))
              assert.lengthOf(messages, items.filter(({ state }) => state === "sent").length)
            }).pipe(Effect.provide(linkedInWorld), Effect.provide(TestClock.layer()), Effect.runPromise)
          ),
          { numRuns: effort(120) }
        )
      ),
    600_000
  )
})
