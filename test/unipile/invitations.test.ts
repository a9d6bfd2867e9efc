/** Invitations through commands against the fake provider: what is lost on the way, and what the provider refuses. */

import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Actor } from "#core/kernel/command/Execution.ts"
import { pollInboxes } from "#core/outreach/conversations/pollInboxes.ts"
import type { DispatchNeeds } from "#core/outreach/dispatchKind.ts"
import { dispatchDue, settleUnknown } from "#core/outreach/OutreachWorker.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { QueueEntry } from "#core/outreach/QueueEntry.ts"
import { agents, draftFor, lead, sent } from "../core/linkedin/linkedInWorld.ts"
import { owner } from "../support/memory.ts"
import { make, ok, verdict } from "../support/World.ts"
import { type Setting, withFake } from "./unipileWorld.ts"

/** A workspace over the fake, whose agent has its account. */
const world = ({ gateway }: Setting) => make({ backend: "memory", gateway: Layer.succeed(LinkedInGateway, gateway) })

/** Runs with clocks that are ahead. */
const ahead = <A, E, R>(millis: number, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const at = () => clock.currentTimeMillisUnsafe() + millis
    return Effect.provideService(effect, Clock.Clock, {
      currentTimeMillisUnsafe: at,
      currentTimeMillis: Effect.sync(at),
      currentTimeNanosUnsafe: () => BigInt(at()) * 1_000_000n,
      currentTimeNanos: Effect.sync(() => BigInt(at()) * 1_000_000n),
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    })
  })

const dispatch: Effect.Effect<number, unknown, DispatchNeeds> = Effect.andThen(
  dispatchDue({ organizationId: "org_a" }),
  settleUnknown({ organizationId: "org_a" })
)

const linked = Effect.gen(function* () {
  yield* agents()
  yield* ok("linkedin.account.link", { agent_handle: "ada-martin", gateway_account_id: "ua-1" })
})

const invite = (slug: string) =>
  Effect.flatMap(lead(slug), (lead_id) =>
    ok<{ result: string; invitation_id: string; reason: string | null }>("linkedin.invitation.send", { lead_id })
  )
const queued = (state: string) =>
  Effect.map(ok<{ items: ReadonlyArray<QueueEntry> }>("linkedin.queue.list", { state: [state] }), ({ items }) => items)

describe("Invitations at the provider", () => {
  for (const answer of ["drop", "cut", { status: 500, type: "errors/provider_error" }] as const) {
    it.live(`accepted and then ${JSON.stringify(answer)}: never sent twice, and settled by looking`, () =>
      withFake(["ann-2nd"], (setting) =>
        Effect.gen(function* () {
          const { fake } = setting
          yield* linked
          fake.scripts.add({ action: "invite", accept: true, answer })
          const input = { lead_id: yield* lead("ann-2nd") }
          assert.strictEqual(yield* verdict("linkedin.invitation.send", input), "409 SEND_OUTCOME_UNKNOWN")
          assert.strictEqual(yield* verdict("linkedin.invitation.send", input), "409 SEND_OUTCOME_UNKNOWN")
          yield* dispatch
          const [unknown] = yield* queued("ambiguous")
          assert.deepInclude(unknown, { kind: "invitation", reason: "outcome_unknown", attempts: 1 })
          yield* ahead(120_000, dispatch)
          const [pending] = yield* queued("pending")
          assert.strictEqual(pending?.queue_id, unknown?.queue_id)
          assert.deepStrictEqual(
            fake.world.ledger.map(({ kind }) => kind),
            ["invitation"]
          )
        }).pipe(Effect.provideService(Actor, owner()), Effect.provide(world(setting)))
      )
    )
  }

  it.live("refused in the provider's words: invited lately, not to be invited, over the limit", () =>
    withFake(["bea-2nd", "cy-2nd-blocked", "dot-2nd", "eve"], (setting) =>
      Effect.gen(function* () {
        const { fake } = setting
        yield* linked
        const refuse = (slug: string, type: string) =>
          fake.scripts.add({ action: "invite", slug, accept: false, answer: { status: 422, type } })
        refuse("bea-2nd", "errors/already_invited_recently")
        refuse("cy-2nd-blocked", "errors/cannot_invite_attendee")
        refuse("dot-2nd", "errors/cannot_resend_yet")
        assert.strictEqual((yield* invite("bea-2nd")).result, "already_pending")
        const blocked = { lead_id: yield* lead("cy-2nd-blocked") }
        assert.strictEqual(yield* verdict("linkedin.invitation.send", blocked), "502 GATEWAY_REJECTED")
        assert.deepInclude(yield* invite("dot-2nd"), { result: "queued", reason: "limit" })
        assert.strictEqual((yield* invite("eve")).result, "queued", "the account rests for a day")
        fake.scripts.clear()
        yield* ahead(25 * 3_600_000, dispatch)
        assert.deepStrictEqual(
          fake.world.ledger.map(({ slug }) => slug),
          ["dot-2nd"],
          "eve is connected, and needs none"
        )
      }).pipe(Effect.provideService(Actor, owner()), Effect.provide(world(setting)))
    )
  )

  it.live("accepted by the person: told by the list of relations, and the message leaves", () =>
    withFake(["fay-2nd", "gil-2nd"], (setting) =>
      Effect.gen(function* () {
        const { fake } = setting
        yield* linked
        const draft = yield* draftFor("fay-2nd")
        yield* sent(draft, { send_invitation: true, invitation_note: "Hello Fay" })
        assert.strictEqual((yield* invite("gil-2nd")).result, "sent")
        const back = yield* ok<{ withdrawn: boolean }>("linkedin.invitation.withdraw", {
          lead_id: yield* lead("gil-2nd")
        })
        assert.isTrue(back.withdrawn)
        assert.strictEqual(fake.world.invitations[1]?.status, "WITHDRAWN")
        fake.advance(31_000)
        yield* pollInboxes({ organizationId: "org_a" })
        const [accepted, ...others] = yield* queued("accepted")
        assert.strictEqual(accepted?.draft_id, draft.draft_id)
        assert.deepStrictEqual(others, [])
        yield* ahead(1_000, dispatch)
        assert.deepStrictEqual(
          fake.world.ledger.map(({ kind, text }) => [kind, text]),
          [
            ["invitation", "Hello Fay"],
            ["invitation", null],
            ["message", "Hello fay-2nd"]
          ]
        )
      }).pipe(Effect.provideService(Actor, owner()), Effect.provide(world(setting)))
    )
  )
})
