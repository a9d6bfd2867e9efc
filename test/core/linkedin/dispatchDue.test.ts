import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { runAsService } from "#core/kernel/background/Worker.ts"
import { Unavailable } from "#core/kernel/failure/failures.ts"
import { claimSend } from "#core/outreach/claimSend.ts"
import { holdDraft } from "#core/outreach/DraftsRepo.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import * as JournalMemory from "#memory/JournalMemory.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { ok, verdict } from "../../support/World.ts"
import { agents, draftFor, eventTypes, linkedInWorld, read, sent, stored, taken } from "./linkedInWorld.ts"

const approve = (draft: { readonly draft_id: string }) => ok("linkedin.draft.approve", { draft_id: draft.draft_id })

/** Lets time pass in steps, with a round of the dispatcher after each. */
const runFor = Effect.fnUntraced(function* (seconds: number, step = 1) {
  let confirmed = 0
  for (let passed = 0; passed < seconds; passed += step) {
    yield* TestClock.adjust(step * 1_000)
    confirmed += yield* dispatchDue()
  }
  return confirmed
})

describe("The dispatcher", () => {
  it.effect("takes an approved draft after the hold, in the service's own name, and only once", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("grace")
      yield* approve(draft)
      assert.strictEqual(yield* runFor(9), 0)
      assert.strictEqual(yield* runFor(2), 1)
      assert.strictEqual((yield* read(draft)).status, "DISPATCHED")
      assert.strictEqual(yield* runFor(5), 0)
      assert.deepStrictEqual(yield* taken, ["message:Hello grace"])
      const [item] = (yield* stored).items
      assert.isFalse(item?.bypass)
      const kinds = yield* Effect.flatMap(MemoryStore, (store) =>
        store.read("org_a", (tables) =>
          tables.all(JournalMemory.events).flatMap(({ actor, type }) => (type === "draft.dispatched" ? [actor] : []))
        )
      )
      assert.deepStrictEqual(kinds, [{ kind: "SYSTEM", id: "dispatcher" }])
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("logs a claim that fails, and sends the message later", () =>
    Effect.gen(function* () {
      yield* agents()
      yield* approve(yield* draftFor("grace"))
      yield* TestClock.adjust("11 seconds")
      const logged: Array<unknown> = []
      const accounts = yield* AccountsRepo
      const broken = AccountsRepo.of({ ...accounts, ofAgent: () => Effect.fail(new Unavailable()) })
      const logger = Logger.make(({ message }) => void logged.push(message))
      yield* dispatchDue().pipe(Effect.provideService(AccountsRepo, broken), Effect.provide(Logger.layer([logger])))
      assert.deepInclude(JSON.stringify(logged), "UNAVAILABLE")
      assert.deepStrictEqual(yield* taken, [])
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* dispatchDue(), 1)
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("leaves alone what is not approved any more, and what its mission holds", () =>
    Effect.gen(function* () {
      yield* agents()
      yield* ok("mission.create", { name: "Spring", agent_handle: "ada-martin" })
      const cancelled = yield* draftFor("a")
      const changed = yield* draftFor("b")
      const held = yield* draftFor("c", { mission_id: "spring" })
      for (const draft of [cancelled, changed, held]) yield* approve(draft)
      yield* ok("linkedin.draft.cancel", { draft_id: cancelled.draft_id })
      yield* ok("linkedin.draft.update", { draft_id: changed.draft_id, variations: ["Other"] })
      yield* ok("mission.update", { mission_id: "spring", status: "archived" })
      yield* ok("mission.update", { mission_id: "spring", status: "active" })
      yield* approve(held)
      assert.strictEqual(yield* runFor(30), 0, "a restored mission is paused")
      assert.deepStrictEqual(yield* taken, [])
      assert.strictEqual((yield* sent(held)).draft.status, "DISPATCHED", "a person may send all the same")
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("sends to a person who accepted the invitation, and tells so", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("hedy-2nd")
      yield* sent(draft, { send_invitation: true })
      assert.strictEqual(yield* runFor(25), 0)
      assert.deepStrictEqual(
        (yield* stored).attempts.map(({ action, outcome }) => [action, outcome]),
        [
          ["message", "refused"],
          ["invitation", "confirmed"]
        ],
        "waiting leaves no tries"
      )
      assert.strictEqual(yield* runFor(20), 1)
      assert.strictEqual((yield* read(draft)).status, "DISPATCHED")
      assert.deepStrictEqual(yield* eventTypes("invitation.", "message."), [
        "invitation.sent",
        "invitation.accepted",
        "message.sent"
      ])
      assert.deepStrictEqual(yield* taken, ["invitation:null", "message:Hello hedy-2nd"])
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("gives up on a person who never connects, after three weeks", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("ida-2nd")
      yield* sent(draft)
      yield* runFor(21 * 86_400 - 7_200, 7_200)
      assert.strictEqual((yield* read(draft)).status, "READY_TO_SEND")
      yield* runFor(14_400, 7_200)
      assert.strictEqual((yield* read(draft)).status, "PENDING_REVIEW")
      const { items, statuses } = yield* stored
      assert.deepStrictEqual([items[0]?.state, items[0]?.reason], ["failed", "relation_timeout"])
      assert.strictEqual(statuses["ida-2nd"], "New")
      assert.deepStrictEqual(yield* taken, [])
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("tries again ever less often while the provider is down, then gives up", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("joy-down")
      yield* sent(draft)
      yield* runFor(2)
      assert.strictEqual((yield* stored).items[0]?.attempts, 2, "the first retry comes within 2 s")
      yield* runFor(60)
      assert.strictEqual((yield* stored).items[0]?.attempts, 4)
      yield* runFor(86_400, 1_800)
      const [item] = (yield* stored).items
      assert.deepStrictEqual([item?.state, item?.reason, item?.attempts], ["failed", "unavailable", 20])
      assert.strictEqual((yield* read(draft)).status, "PENDING_REVIEW")
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("puts a refused draft back under review", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("kim-blocked")
      yield* approve(draft)
      yield* runFor(11)
      const after = yield* read(draft)
      assert.deepStrictEqual([after.status, after.approved_at], ["PENDING_REVIEW", null])
      assert.deepStrictEqual(yield* eventTypes("draft.dispatch"), ["draft.dispatch_failed"])
      yield* runFor(60)
      assert.lengthOf((yield* stored).attempts, 1)
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("never repeats a transmission whose process went away", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("lea")
      yield* approve(draft)
      const mode = { isFromCommand: false, invite: false, note: null }
      // The first half of a send, as a process leaves it behind that dies before it hears from the provider.
      yield* runAsService(
        "org_a",
        Effect.flatMap(holdDraft(draft.draft_id), (view) => claimSend(view, view, mode))
      )
      yield* runFor(14)
      assert.strictEqual((yield* stored).items[0]?.state, "sending")
      yield* runFor(2)
      const { attempts, items } = yield* stored
      assert.deepStrictEqual([items[0]?.state, attempts[0]?.outcome], ["ambiguous", "unknown"])
      yield* runFor(300, 10)
      assert.deepStrictEqual(yield* taken, [])
      const again = { draft_id: draft.draft_id, send_now: true }
      assert.strictEqual(yield* verdict("linkedin.draft.approve", again), "409 SEND_OUTCOME_UNKNOWN")
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("sends once, however many dispatchers run at once", () =>
    Effect.gen(function* () {
      yield* agents()
      for (const slug of ["a", "b-slow", "c", "d-2nd"]) yield* approve(yield* draftFor(slug))
      yield* TestClock.adjust("11 seconds")
      const rounds = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 5 }, () => dispatchDue()),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("3 seconds")
      const confirmed = yield* Fiber.join(rounds)
      assert.strictEqual(
        confirmed.reduce((sum, count) => sum + count, 0),
        3
      )
      assert.sameMembers([...(yield* taken)], ["message:Hello a", "message:Hello b-slow", "message:Hello c"])
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("finishes what is on its way when it is stopped", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("mia-slow")
      yield* approve(draft)
      yield* TestClock.adjust("11 seconds")
      const round = yield* Effect.forkChild(dispatchDue())
      yield* TestClock.adjust("1 second")
      const stopping = yield* Effect.forkChild(Fiber.interrupt(round))
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(stopping)
      assert.strictEqual((yield* read(draft)).status, "DISPATCHED")
    }).pipe(Effect.provide(linkedInWorld))
  )
})
