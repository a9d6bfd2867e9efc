import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { WorkingHours } from "#core/agents/WorkingHours.ts"
import { now } from "#core/kernel/schema/IdsAndTime.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import type { QueueEntry } from "#core/outreach/QueueEntry.ts"
import type { UsageWindow } from "#core/outreach/readUsage.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import { ok, verdict } from "../../support/World.ts"
import { draftFor, eventTypes, linkedInWorld, sent, stored } from "./linkedInWorld.ts"

const paced = linkedInWorld.pipe(
  Layer.provideMerge(Layer.succeed(SendOptions, { ...defaultSendOptions, pacing: true }))
)

const agent = (timezone: string, working_hours: WorkingHours, more: Record<string, unknown> = {}) =>
  ok("agent.create", { first_name: "Ada", last_name: "Martin", timezone, working_hours, ...more })

const approve = (draft: { readonly draft_id: string }) => ok("linkedin.draft.approve", { draft_id: draft.draft_id })

const usage = Effect.map(ok<{ windows: ReadonlyArray<UsageWindow> }>("linkedin.usage.get", {}), ({ windows }) =>
  windows.filter(({ action, window }) => action === "message" && window === "day")
)

const queue = Effect.map(ok<{ items: ReadonlyArray<QueueEntry> }>("linkedin.queue.list", {}), ({ items }) => items)

/** Lets time pass in steps, with a round of the dispatcher after each. */
const runFor = Effect.fnUntraced(function* (seconds: number, step: number) {
  for (let passed = 0; passed < seconds; passed += step) {
    yield* TestClock.adjust(step * 1_000)
    yield* dispatchDue()
  }
})

const departures = Effect.map(stored, ({ attempts }) => attempts.map(({ startedAt }) => startedAt))

const seconds = (later: string, earlier: string) => (Date.parse(later) - Date.parse(earlier)) / 1_000

const berlin = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Berlin",
  weekday: "short",
  hour: "2-digit",
  hourCycle: "h23"
})

/** Hour and weekday in Berlin, by the runtime's own calendar and nothing of ours. */
const wall = (instant: string) => {
  const of = Object.fromEntries(berlin.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]))
  return { hour: Number(of["hour"]), weekday: of["weekday"] }
}

describe("Pacing", () => {
  it.effect(
    "keeps hours, rests and limits, as an oracle finds them, and as was foreseen",
    () =>
      Effect.gen(function* () {
        // A Friday, two days before clocks go forward in Berlin.
        yield* TestClock.setTime(Date.parse("2026-03-27T15:30:00.000Z"))
        yield* agent("Europe/Berlin", {
          friday: [{ start: "09:00", end: "18:00" }],
          sunday: [{ start: "01:30", end: "03:30" }],
          monday: [{ start: "09:00", end: "18:00" }],
          holidays: ["2026-04-03"]
        })
        for (let index = 0; index < 90; index++) yield* approve(yield* draftFor(`p-${index}`))
        const [before] = yield* usage
        // Often while something may leave, and seldom while nothing may.
        for (let passed = 0; passed < 12 * 86_400; ) {
          const { hour, weekday } = wall(yield* now)
          const isOpen = weekday === "Sun" ? hour < 4 : ["Mon", "Fri"].includes(weekday ?? "") && hour >= 8 && hour < 18
          const step = isOpen ? 15 : 600
          yield* runFor(step, step)
          passed += step
        }
        const times = yield* departures
        assert.lengthOf(times, 90)
        for (const [index, time] of times.entries()) {
          const { hour, weekday } = wall(time)
          if (weekday === "Sun") assert.isTrue(hour === 1 || hour === 3, `${time}: the hour from two does not exist`)
          else assert.isTrue(["Mon", "Fri"].includes(weekday ?? "") && hour >= 9 && hour < 18, time)
          assert.isFalse(time.startsWith("2026-04-03"), "a holiday")
          const within = times.filter((other) => other <= time && seconds(time, other) < 86_400)
          // A new account: 40 percent of 80, and up to 15 percent less; then 60.
          const ramp = seconds(time, "2026-03-27T15:30:00.000Z") < 7 * 86_400 ? 0.4 : 0.6
          assert.isAtMost(within.length, 80 * ramp)
          const rest = seconds(time, times[index - 1] ?? "1970-01-01T00:00:00.000Z")
          assert.isAtLeast(rest, 45)
        }
        assert.isTrue(times.some((time) => wall(time).weekday === "Sun"))
        const foreseen = before?.forecast.map(({ leaves_at }) => leaves_at) ?? []
        assert.lengthOf(foreseen, 90)
        // Each round comes up to a step late, and what is late makes the next late.
        const late = foreseen.map((leaves, index) => seconds(times[index] ?? "", leaves))
        assert.isTrue(
          late.every((by) => by >= -1),
          "nothing leaves before it was foreseen"
        )
        assert.isBelow(late[0] ?? Number.NaN, 20)
        // What was foreseen for the last minutes of a day may come too late for it, and so for the next day's limit.
        const moved = foreseen.filter((leaves, index) => leaves.slice(0, 10) !== times[index]?.slice(0, 10))
        assert.isAtMost(moved.length, 4, `not on the day that was foreseen: ${moved.join(", ")}`)
      }).pipe(Effect.provide(paced)),
    600_000
  )

  it.effect("says of everything that waits why, and until when", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-27T16:58:00.000Z"))
      yield* agent("Europe/Berlin", {})
      for (const slug of ["a", "b", "c"]) yield* approve(yield* draftFor(slug))
      assert.deepStrictEqual(
        (yield* queue).map(({ not_before, position, reason }) => [reason, position, not_before]),
        [1, 2, 3].map((position) => ["hold", position, "2026-03-27T16:58:10.001Z"])
      )
      yield* runFor(15, 5)
      const resting = yield* queue
      assert.lengthOf(resting, 2)
      assert.strictEqual(resting[0]?.reason, "spacing")
      yield* runFor(900, 15)
      const closed = yield* queue
      assert.isAtLeast(closed.length, 1)
      for (const item of closed) {
        assert.deepInclude(item, { reason: "outside_hours", not_before: "2026-03-30T07:00:00.000Z", attempts: 0 })
      }
      const urgent = yield* draftFor("urgent")
      assert.strictEqual((yield* sent(urgent)).draft.status, "DISPATCHED", "send_now does not wait")
      const [window] = yield* usage
      assert.strictEqual(window?.used, 4 - closed.length, "and is counted")
    }).pipe(Effect.provide(paced))
  )

  it.effect("needs the lead's hours too where the agent says so", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-27T09:00:00.000Z"))
      yield* agent("Europe/Berlin", { useLeadTimezone: true })
      const draft = yield* draftFor("far")
      yield* ok("lead.upsert", { linkedin_url: "https://www.linkedin.com/in/far", timezone: "America/New_York" })
      yield* approve(draft)
      yield* approve(yield* draftFor("near"))
      yield* runFor(600, 15)
      const [item] = yield* queue
      assert.deepInclude(item, { reason: "outside_hours", not_before: "2026-03-27T13:00:00.000Z" })
      assert.lengthOf(yield* queue, 1, "the other one left")
      yield* runFor(4 * 3_600, 60)
      assert.lengthOf(yield* queue, 0)
    }).pipe(Effect.provide(paced))
  )

  it.effect("takes limits below the subscription's, and lowers those above", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-23T09:00:00.000Z"))
      yield* agent("UTC", {}, { smart_deliverability: false })
      const { accounts } = yield* ok<{ accounts: ReadonlyArray<{ account_id: string }> }>("linkedin.account.list", {})
      const account_id = accounts[0]?.account_id
      const set = yield* ok<{ windows: ReadonlyArray<UsageWindow> }>("linkedin.usage.set-limits", {
        account_id,
        limits: { message_day: 2, invitation_week: 9_000 }
      })
      assert.deepStrictEqual(
        set.windows.map(({ limit }) => limit),
        [2, 25, 100, 25, 100, 40, 80, 100]
      )
      for (const slug of ["a", "b", "c"]) yield* approve(yield* draftFor(slug))
      yield* runFor(600, 10)
      const [item] = yield* queue
      const first = (yield* departures)[0] ?? ""
      assert.strictEqual(item?.reason, "usage_limit")
      assert.strictEqual(seconds(item?.not_before ?? "", first), 86_400)
      assert.strictEqual(yield* verdict("linkedin.usage.get", { account_id: "acc_none" }), "404 NOT_FOUND")
      const [window] = yield* usage
      assert.deepInclude(window, { used: 2, limit: 2, remaining: 0 })
      assert.strictEqual(window?.forecast[0]?.leaves_at, item?.not_before)
    }).pipe(Effect.provide(paced))
  )

  it.effect("tells once that four fifths of a limit are used, and that all of it is", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-23T09:00:00.000Z"))
      yield* agent("UTC", {}, { smart_deliverability: false })
      const { accounts } = yield* ok<{ accounts: ReadonlyArray<{ account_id: string }> }>("linkedin.account.list", {})
      const account_id = accounts[0]?.account_id
      yield* ok("linkedin.usage.set-limits", { account_id, limits: { message_day: 5 } })
      for (const slug of ["a", "b", "c"]) yield* approve(yield* draftFor(slug))
      yield* runFor(300, 10)
      assert.deepStrictEqual(yield* eventTypes("usage."), [])
      for (const slug of ["d", "e", "f"]) yield* approve(yield* draftFor(slug))
      yield* runFor(40, 10)
      assert.lengthOf(yield* departures, 4)
      assert.deepStrictEqual(yield* eventTypes("usage."), ["usage.threshold_reached"])
      yield* runFor(900, 10)
      assert.lengthOf(yield* departures, 5)
      assert.deepStrictEqual(yield* eventTypes("usage."), ["usage.threshold_reached", "usage.limit_reached"])
    }).pipe(Effect.provide(paced))
  )
})

describe("The queue", () => {
  it.effect("gives a message back before it leaves, and not after", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-23T09:00:00.000Z"))
      yield* agent("UTC", {})
      const draft = yield* draftFor("ann")
      yield* approve(draft)
      const [item] = yield* queue
      const queue_id = item?.queue_id
      const given = yield* ok<{ item: QueueEntry; draft: { status: string } }>("linkedin.queue.cancel", { queue_id })
      assert.deepInclude(given.item, { state: "cancelled", reason: "item_cancelled", not_before: null, position: null })
      assert.strictEqual(given.draft.status, "PENDING_REVIEW")
      assert.strictEqual(yield* verdict("linkedin.queue.cancel", { queue_id }), "409 WRONG_STATE")
      assert.strictEqual(yield* verdict("linkedin.queue.cancel", { queue_id: "que_none" }), "404 NOT_FOUND")
      yield* runFor(60, 10)
      assert.lengthOf(yield* departures, 0)
    }).pipe(Effect.provide(paced))
  )

  it.effect("is settled by who looked at LinkedIn", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-23T09:00:00.000Z"))
      yield* agent("UTC", {})
      const resolved = Effect.fnUntraced(function* (slug: string, outcome: string) {
        const draft = yield* draftFor(slug)
        const input = { draft_id: draft.draft_id, send_now: true }
        assert.strictEqual(yield* verdict("linkedin.draft.approve", input), "409 SEND_OUTCOME_UNKNOWN")
        const [item] = yield* queue
        assert.deepInclude(item, { state: "ambiguous", reason: "outcome_unknown" })
        const settled = yield* ok<{ item: QueueEntry; draft: { status: string } }>("linkedin.queue.resolve", {
          queue_id: item?.queue_id,
          outcome,
          ...(outcome === "sent" ? { external_message_id: "urn:1" } : {})
        })
        assert.strictEqual(
          yield* verdict("linkedin.queue.resolve", { queue_id: item?.queue_id, outcome }),
          "409 WRONG_STATE"
        )
        return [settled.item.state, settled.draft.status]
      })
      assert.deepStrictEqual(yield* resolved("kay-unknown", "sent"), ["sent", "DISPATCHED"])
      assert.deepStrictEqual(yield* resolved("lee-unknown", "not_sent"), ["failed", "PENDING_REVIEW"])
      assert.lengthOf((yield* stored).messages, 1)
      const [window] = yield* usage
      assert.strictEqual(window?.used, 1, "what was not sent is not counted")
    }).pipe(Effect.provide(paced))
  )
})
