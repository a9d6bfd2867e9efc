/** Invitations within hours and limits, and by hand: what the dispatcher makes of those that wait. */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Actor } from "#core/kernel/command/Execution.ts"
import { beginUse } from "#core/outreach/accountUse.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import { listAccounts, manualGatewayLayer as manualGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { QueueEntry } from "#core/outreach/QueueEntry.ts"
import type { UsageWindow } from "#core/outreach/readUsage.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import type { InvitationState } from "#core/outreach/Transmission.ts"
import { owner } from "../../support/memory.ts"
import { make, ok, verdict } from "../../support/World.ts"
import { agents, eventTypes, lead, linkedInWorld, taken } from "./linkedInWorld.ts"

const paced = linkedInWorld.pipe(
  Layer.provideMerge(Layer.succeed(SendOptions, { ...defaultSendOptions, pacing: true }))
)

interface Sent {
  readonly result: string
  readonly invitation_id: string
  readonly reason: string | null
  readonly not_before: string | null
}
const invite = (slug: string, more: Record<string, unknown> = {}) =>
  Effect.flatMap(lead(slug), (lead_id) => ok<Sent>("linkedin.invitation.send", { lead_id, ...more }))
const listed = (...state: ReadonlyArray<InvitationState>) =>
  Effect.map(ok<{ items: ReadonlyArray<QueueEntry> }>("linkedin.queue.list", { kind: "invitation", state }), (page) =>
    page.items.map(({ not_before, queue_id, reason }) => ({ not_before, queue_id, reason }))
  )
const windowOf = (action: UsageWindow["action"], window: "day" | "week" = "day") =>
  Effect.map(ok<{ windows: ReadonlyArray<UsageWindow> }>("linkedin.usage.get", {}), ({ windows }) =>
    windows.find((one) => one.action === action && one.window === window)
  )

/** A Monday in an agent's only hours, and a FREE account. */
const monday = Effect.gen(function* () {
  yield* TestClock.setTime(Date.parse("2026-03-23T09:00:00.000Z"))
  const working_hours = { monday: [{ start: "09:00", end: "10:00" }], tuesday: [{ start: "09:00", end: "18:00" }] }
  const more = { timezone: "UTC", working_hours, smart_deliverability: false }
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", ...more })
  const [found] = yield* Effect.provideService(listAccounts, Actor, owner())
  if (found === undefined) return assert.fail()
  const accounts = yield* AccountsRepo
  yield* accounts.ensure(found.account)
  yield* accounts.saveFacts(
    "org_a",
    found.account.id,
    { status: "OK", tier: "FREE", features: [] },
    "2026-03-23T09:00:00Z"
  )
  return found.account
})

/** Lets time pass in steps, with a round of the dispatcher after each. */
const runFor = Effect.fnUntraced(function* (seconds: number, step: number) {
  for (let passed = 0; passed < seconds; passed += step) {
    yield* TestClock.adjust(step * 1_000)
    yield* dispatchDue()
  }
})

describe("Invitations that wait", () => {
  it.effect("leave within limits, rests and hours, each when it was foreseen", () =>
    Effect.gen(function* () {
      yield* monday
      const first = yield* invite("a-2nd", { note: "Hello" })
      assert.strictEqual(first.result, "sent")
      const second = yield* invite("b-2nd", { note: "Hello" })
      assert.deepInclude(second, { result: "queued", reason: "spacing", not_before: "2026-03-23T09:00:30.000Z" })
      for (const slug of ["c-2nd", "d-2nd"]) yield* invite(slug, { note: "Hello" })
      const plain = yield* invite("e-2nd")
      assert.lengthOf(yield* listed("queued"), 4)
      const foreseen = (yield* windowOf("invitation"))?.forecast ?? []
      assert.lengthOf(foreseen, 4)
      assert.deepStrictEqual(
        foreseen.map(({ leaves_at }) => leaves_at.slice(0, 16)),
        ["2026-03-23T09:00", "2026-03-23T09:01", "2026-03-23T09:01", "2026-03-24T09:00"],
        "three a day with a note, and one without passes"
      )
      yield* runFor(300, 5)
      assert.deepStrictEqual((yield* taken).toSorted(), [
        ...["Hello", "Hello", "Hello"].map((note) => `invitation:${note}`),
        "invitation:null"
      ])
      const held = yield* listed("queued")
      assert.deepStrictEqual(
        held.map(({ not_before, reason }) => [reason, not_before]),
        [["usage_limit", "2026-03-24T09:00:00.000Z"]]
      )
      assert.include(yield* eventTypes("usage."), "usage.threshold_reached")
      assert.deepInclude(yield* windowOf("invitation_with_note"), { used: 3, limit: 3, remaining: 0 })
      assert.deepInclude(yield* windowOf("invitation", "week"), { used: 4, limit: 80, remaining: 76 })
      yield* runFor(3_600, 60)
      const late = yield* invite("f-2nd")
      assert.deepInclude(late, { result: "queued", reason: "outside_hours", not_before: "2026-03-24T09:00:00.000Z" })
      yield* runFor(86_400, 600)
      assert.lengthOf(yield* taken, 6)
      assert.lengthOf(yield* listed("queued"), 0)
      assert.include(
        (yield* listed("pending", "accepted")).map(({ queue_id }) => queue_id),
        plain.invitation_id
      )
    }).pipe(Effect.provide(paced))
  )

  it.effect("hold an account that has reached its day, and say so once", () =>
    Effect.gen(function* () {
      const account = yield* monday
      yield* ok("linkedin.usage.set-limits", { account_id: account.id, limits: { invitation_day: 1 } })
      yield* invite("x-2nd")
      yield* TestClock.adjust("1 minute")
      const full = { result: "queued", reason: "usage_limit", not_before: "2026-03-24T09:00:00.000Z" }
      for (const slug of ["y-2nd", "z-2nd"]) assert.deepInclude(yield* invite(slug), full)
      assert.deepStrictEqual(yield* eventTypes("usage."), ["usage.threshold_reached", "usage.limit_reached"])
      yield* runFor(86_400 + 60, 300)
      assert.lengthOf(yield* taken, 2)
      const [last] = yield* listed("queued")
      assert.deepInclude(last, { reason: "usage_limit" })
    }).pipe(Effect.provide(paced))
  )

  it.effect("refuse a note that the subscription does not take, and say where", () =>
    Effect.gen(function* () {
      yield* monday
      const lead_id = yield* lead("g-2nd")
      const note = "x".repeat(201)
      assert.strictEqual(yield* verdict("linkedin.invitation.send", { lead_id, note }), "400 INVALID_INPUT")
      assert.strictEqual((yield* invite("g-2nd", { note: note.slice(1) })).result, "sent")
    }).pipe(Effect.provide(paced))
  )

  it.effect("count withdrawals, and refuse more than a day takes with the time to wait", () =>
    Effect.gen(function* () {
      const account = yield* monday
      for (let index = 0; index < 20; index++) yield* beginUse(account, "withdrawal")
      const { invitation_id } = yield* invite("h-2nd")
      assert.strictEqual(yield* verdict("linkedin.invitation.withdraw", { invitation_id }), "429 USAGE_LIMIT")
      assert.deepInclude(yield* windowOf("withdrawal"), { used: 20, limit: 20, remaining: 0 })
      yield* ok("linkedin.usage.set-limits", {
        account_id: account.id,
        limits: { withdrawal_day: 2, profile_view_day: 0 }
      })
      assert.deepInclude(yield* windowOf("withdrawal"), { limit: 2 })
      const sync = verdict("linkedin.conversation.sync", { lead_id: yield* lead("h-2nd") })
      assert.strictEqual(yield* sync, "429 USAGE_LIMIT", "and look-ups")
      yield* TestClock.adjust("25 hours")
      const taken = yield* ok<{ withdrawn: boolean; state: string }>("linkedin.invitation.withdraw", { invitation_id })
      assert.deepInclude(taken, { withdrawn: false, state: "accepted" })
    }).pipe(Effect.provide(paced))
  )

  it.effect("are sent and taken back by a person where nothing leaves by itself", () =>
    Effect.gen(function* () {
      yield* agents()
      const sent = yield* invite("i-2nd")
      assert.deepInclude(sent, { result: "queued", reason: "by_hand", not_before: null })
      yield* dispatchDue()
      const said = yield* ok<{ item: QueueEntry }>("linkedin.queue.resolve", {
        queue_id: sent.invitation_id,
        outcome: "sent"
      })
      assert.deepInclude(said.item, { state: "pending", kind: "invitation" })
      assert.deepStrictEqual(yield* eventTypes("invitation."), ["invitation.queued", "invitation.sent"])
      const back = yield* ok<{ withdrawn: boolean }>("linkedin.invitation.withdraw", {
        invitation_id: sent.invitation_id
      })
      assert.isTrue(back.withdrawn)
      assert.deepStrictEqual(yield* eventTypes("invitation."), [
        "invitation.queued",
        "invitation.sent",
        "invitation.withdrawn"
      ])
    }).pipe(Effect.provide(make({ backend: "memory", gateway: manualGateway })))
  )
})
