/** When an approved message leaves and why: what reviewers are told is what the sending machine then does. */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import { ok } from "../../support/World.ts"
import { draftFor, linkedInWorld, stored } from "./linkedInWorld.ts"

const paced = linkedInWorld.pipe(
  Layer.provideMerge(Layer.succeed(SendOptions, { ...defaultSendOptions, pacing: true }))
)

interface Told {
  readonly item_id: string
  readonly leaves_at: string | null
}

const step = 5
const hours = { monday: [{ start: "09:00", end: "14:00" }], tuesday: [{ start: "09:00", end: "18:00" }] }

const departureOf = (draft: { readonly draft_id: string }) =>
  Effect.map(ok("review.get", { item_id: draft.draft_id }), ({ departure }) => departure)

const approved = Effect.fnUntraced(function* (slug: string, more: Record<string, unknown> = {}) {
  const draft = yield* draftFor(slug, more)
  yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
  return draft
})

describe("a departure", () => {
  it.effect(
    "is when the message then leaves",
    () =>
      Effect.gen(function* () {
        // A Monday: the limit of the day is reached before the end of the working hours in Berlin.
        yield* TestClock.setTime(Date.parse("2026-03-23T10:00:00.000Z"))
        const agent = { first_name: "Ada", last_name: "Martin", timezone: "Europe/Berlin" }
        yield* ok("agent.create", { ...agent, working_hours: hours })
        yield* ok("POST /missions", { name: "P", handle: "p", agentHandle: "ada-martin" })
        for (let index = 0; index < 45; index++) {
          yield* approved(`p-${index}`, index % 7 === 0 ? { mission_id: "p" } : {})
        }
        yield* ok("mission.pause", { mission_id: "p" })
        const told: ReadonlyArray<Told> = (yield* ok("review.list", { tab: "approved", limit: 100 })).items
        assert.lengthOf(told, 45)
        const paused = told.filter(({ leaves_at }) => leaves_at === null)
        assert.lengthOf(paused, 7)
        for (let passed = 0; passed < 32 * 3_600; ) {
          // Often while something may leave.
          const wait = passed < 7_200 || passed > 20 * 3_600 ? step : 600
          yield* TestClock.adjust(wait * 1_000)
          yield* dispatchDue()
          passed += wait
        }
        const { attempts, items } = yield* stored
        const leftAt = new Map(
          attempts.map(({ queueItemId, startedAt }) => [
            items.find(({ id }) => id === queueItemId)?.draftId ?? "",
            startedAt
          ])
        )
        assert.strictEqual(leftAt.size, 45 - paused.length)
        const late = told.flatMap(({ item_id, leaves_at }) =>
          leaves_at === null ? [] : [(Date.parse(leftAt.get(item_id) ?? "") - Date.parse(leaves_at)) / 1_000]
        )
        // Each comes up to a round late, and what is late makes the next one late.
        const expected = told.flatMap(({ item_id, leaves_at }) => (leaves_at === null ? [] : [item_id]))
        assert.isTrue(
          late.every((by) => by >= -1),
          `nothing leaves earlier than it was said: ${late.join(" ")}`
        )
        assert.isBelow(Math.max(...late), step * expected.length, late.join(" "))
        const inOrder = (ids: ReadonlyArray<string>, at: (id: string) => string) =>
          ids.toSorted((a, b) => (at(a) < at(b) ? -1 : 1))
        const foreseen = new Map(told.map(({ item_id, leaves_at }) => [item_id, leaves_at ?? ""]))
        assert.deepStrictEqual(
          inOrder(expected, (id) => leftAt.get(id) ?? ""),
          inOrder(expected, (id) => foreseen.get(id) ?? "")
        )
      }).pipe(Effect.provide(paced)),
    600_000
  )

  it.effect("of a lead whose hours are closed delays nobody else's", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-24T09:00:00.000Z"))
      const agent = { first_name: "Ada", last_name: "Martin", timezone: "Europe/Berlin" }
      yield* ok("agent.create", { ...agent, working_hours: { ...hours, useLeadTimezone: true } })
      const far = yield* draftFor("far")
      yield* ok("lead.upsert", { linkedin_url: "https://www.linkedin.com/in/far", timezone: "America/New_York" })
      yield* ok("linkedin.draft.approve", { draft_id: far.draft_id })
      const near = yield* approved("near")
      const told = yield* departureOf(far)
      assert.include(told.reasons, "outside the lead's hours")
      assert.strictEqual(told.leaves_at, "2026-03-24T13:00:00.000Z")
      const { leaves_at } = yield* departureOf(near)
      yield* TestClock.adjust("15 seconds")
      yield* dispatchDue()
      assert.isBelow(Date.parse(leaves_at), Date.parse("2026-03-24T09:00:15.000Z"))
      assert.strictEqual((yield* ok("review.get", { item_id: near.draft_id })).item.state, "sent")
      yield* TestClock.setTime(Date.parse("2026-03-24T13:00:05.000Z"))
      yield* dispatchDue()
      assert.strictEqual((yield* ok("review.get", { item_id: far.draft_id })).item.state, "sent")
    }).pipe(Effect.provide(paced))
  )

  it.effect("says why a message does not leave now", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-22T10:00:00.000Z"))
      const agent = { first_name: "Ada", last_name: "Martin", timezone: "Europe/Berlin", working_hours: hours }
      yield* ok("agent.create", agent)
      yield* ok("POST /missions", { name: "P", handle: "p", agentHandle: "ada-martin" })
      const first = yield* approved("first")
      const second = yield* approved("second")
      const third = yield* approved("third", { mission_id: "p" })
      const told = yield* departureOf(second)
      assert.deepInclude(told, { position_in_line: 2 })
      assert.match(
        told.reasons.join(", "),
        /^in the grace period, outside working hours, second in line, \d+ left today$/
      )
      assert.isAtLeast(Date.parse(told.leaves_at), Date.parse("2026-03-23T08:00:00.000Z"))
      assert.strictEqual((yield* departureOf(first)).leaves_at, "2026-03-23T08:00:00.000Z")
      yield* ok("mission.pause", { mission_id: "p" })
      assert.deepInclude(yield* departureOf(third), {
        leaves_at: null,
        reasons: ["the mission is paused"],
        summary: { start: "Won't send while the mission is paused.", end: null },
        position_in_line: null,
        left_today: null
      })
      yield* TestClock.setTime(Date.parse("2026-03-23T09:00:00.000Z"))
      yield* dispatchDue()
      assert.deepInclude((yield* departureOf(second)).reasons, "rest between messages")
      assert.isNull(yield* departureOf(first))
      const fourth = yield* approved("fourth-2nd")
      assert.strictEqual((yield* departureOf(fourth)).position_in_line, 3)
    }).pipe(Effect.provide(paced))
  )
})
