/** Laws of when a message leaves and why: what holds it is said, and nothing else is. */

import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { freshPace, openingFrom } from "#core/outreach/pacing/Pacing.ts"
import { forecast } from "#core/outreach/readUsage.ts"
import { freshRow, type Message } from "#core/outreach/Transmission.ts"
import type { AccountUsage } from "#core/outreach/TransmissionsRepo.ts"
import { departureOf } from "#core/review/departure.ts"
import { effort } from "../../support/effort.ts"

const at = "2026-03-23T10:00:00.000Z"
const after = (seconds: number): string => new Date(Date.parse(at) + seconds * 1_000).toISOString()
const instant = fc.option(fc.integer({ min: -7_200, max: 7_200 }).map(after), { nil: null })
const window = fc.constantFrom("00:00-24:00", "00:00-24:00", "08:00-10:00", "12:00-18:00").map((text) => {
  const [start = "", end = ""] = text.split("-")
  return [{ start, end }]
})

const facts = fc
  .record({
    monday: window,
    limit: fc.constantFrom(0, 3, 50, 50),
    done: fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 5 }),
    nextAt: instant,
    stoppedUntil: fc.option(instant, { nil: null, freq: 1 }),
    notBefore: fc.integer({ min: -7_200, max: 1_800 }).map(after),
    state: fc.constantFrom("queued", "queued", "queued", "waiting_relation", "sending", "sent", "cancelled"),
    mission: fc.constantFrom(null, "ACTIVE", "ACTIVE", "PAUSED", "DRAFT"),
    bypass: fc.constantFrom(false, false, false, true),
    smart: fc.boolean(),
    ramp: fc.boolean(),
    held: fc.constantFrom(false, false, false, true),
    isLinked: fc.constantFrom(true, true, true, false),
    leadTimezone: fc.constantFrom("", "America/New_York"),
    useLeadTimezone: fc.boolean()
  })
  .map(({ bypass, done, isLinked, leadTimezone, limit, mission, monday, notBefore, state, stoppedUntil, ...rest }) => {
    const row = {
      ...freshRow,
      kind: "message",
      id: "que_1",
      accountId: "acc_1",
      state,
      bypass,
      notBefore
    } as unknown as Message
    const usage: AccountUsage = {
      ...freshPace,
      nextAt: rest.nextAt,
      message: { ...freshPace.message, stoppedUntil },
      limits: { messageDay: limit },
      ramp: rest.ramp,
      smart: rest.smart,
      accountId: "acc_1",
      tier: "PREMIUM",
      createdAt: "2026-03-20T00:00:00.000Z",
      timezone: "UTC",
      workingHours: { monday, tuesday: monday, useLeadTimezone: rest.useLeadTimezone },
      done: done.toSorted((a, b) => b - a).map((seconds) => ({ action: "message", at: after(-seconds) })),
      waiting: [
        {
          id: "que_1",
          kind: "message",
          bypass,
          notBefore,
          leadTimezone: leadTimezone === "" ? null : leadTimezone,
          action: "message"
        }
      ]
    }
    return {
      view: {
        row,
        mission: mission === null ? null : { status: mission },
        lead: { timezone: leadTimezone },
        position: 1
      },
      usage: isLinked ? usage : undefined,
      leavesAt: forecast(usage, "message", at, true)[0]?.leavesAt ?? undefined,
      paced: true,
      held: rest.held
    } as const
  })

const holds = /grace period|temporary failure|refused more|outside|limit of|rest between/

describe("a departure", () => {
  it("is known of what is queued, and of nothing else", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const isQueued = given.view.row.state === "queued" || given.view.row.state === "waiting_relation"
        assert.strictEqual(departureOf(given, at) !== null, isQueued)
      })
    )
  })

  it("has a time, or says for whom it waits", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const departure = departureOf(given, at)
        if (departure === null) return
        const { bypass, state } = given.view.row
        const isClosed = !bypass && given.view.mission !== null && given.view.mission.status !== "ACTIVE"
        const waits = state === "waiting_relation" || isClosed || given.held || given.usage === undefined
        if (waits) assert.deepStrictEqual([departure.leaves_at, departure.reasons.length], [null, 1])
        else assert.strictEqual(departure.leaves_at, given.leavesAt ?? null)
        const isForGood = /never meet|no working hours|limit of messages/
        assert.isTrue(
          waits || given.leavesAt !== undefined || departure.reasons.some((reason) => isForGood.test(reason))
        )
      })
    )
  })

  it("is now unless something holds it, and what holds it is said", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const departure = departureOf(given, at)
        if (departure?.leaves_at == null) return
        const said = departure.reasons.filter((reason) => holds.test(reason))
        assert.strictEqual(
          departure.leaves_at > at,
          said.length > 0,
          `${departure.leaves_at} ${departure.reasons.join()}`
        )
      }),
      { numRuns: effort(1_000) }
    )
  })

  it("names hours and what is left only where they count", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const departure = departureOf(given, at)
        if (departure?.leaves_at == null || given.usage === undefined) return
        const { bypass, notBefore } = given.view.row
        const { stoppedUntil } = given.usage.message
        const [from = at] = [at, notBefore ?? at, stoppedUntil ?? at].toSorted().toReversed()
        const isOutside = !bypass && openingFrom(given.usage, undefined, from) > from
        assert.strictEqual(departure.reasons.includes("outside working hours"), isOutside)
        assert.strictEqual(departure.left_today === null, bypass)
        assert.isAtLeast(departure.left_today ?? 0, 0)
        assert.isAtMost(departure.left_today ?? 0, given.usage.limits.messageDay ?? 0)
      })
    )
  })
})
