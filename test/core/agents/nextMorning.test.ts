/** The next working morning of a person, in any time zone. */

import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isOpen, nextMorning, type WorkingHours } from "#core/agents/WorkingHours.ts"
import { dayMillis, wallTime } from "#core/agents/ZonedTime.ts"
import { effort } from "../../support/effort.ts"

const at = (text: string): number => Date.parse(text)
const morning = (hours: WorkingHours, zone: string, from: string): string => {
  const found = nextMorning(hours, zone, at(from))
  return found === undefined ? "never" : new Date(found).toISOString()
}

describe("nextMorning", () => {
  it.each<readonly [string, WorkingHours, string, string, string]>([
    ["without hours, at 9", {}, "UTC", "2026-11-16T08:00:00Z", "2026-11-17T09:00:00.000Z"],
    ["without a zone, in UTC", {}, "", "2026-11-16T08:00:00Z", "2026-11-17T09:00:00.000Z"],
    ["in another zone", {}, "America/New_York", "2026-11-16T20:00:00Z", "2026-11-17T14:00:00.000Z"],
    [
      "on a later date there, though it is the same one in UTC",
      {},
      "Asia/Tokyo",
      "2026-11-16T14:00:00Z",
      "2026-11-17T00:00:00.000Z"
    ],
    ["after the weekend", {}, "Europe/Berlin", "2026-11-20T10:00:00Z", "2026-11-23T08:00:00.000Z"],
    ["after a holiday", { holidays: ["2026-11-17"] }, "UTC", "2026-11-16T10:00:00Z", "2026-11-18T09:00:00.000Z"],
    ["when summer time has ended", {}, "Europe/Berlin", "2026-10-23T06:00:00Z", "2026-10-26T08:00:00.000Z"],
    ["when summer time has begun", {}, "Europe/Berlin", "2026-03-27T07:00:00Z", "2026-03-30T07:00:00.000Z"],
    [
      "when the hour is skipped, right after",
      { sunday: [{ start: "02:30", end: "09:00" }] },
      "Europe/Berlin",
      "2026-03-28T07:00:00Z",
      "2026-03-29T01:00:00.000Z"
    ],
    ["never without a working day", { monday: [] }, "UTC", "2026-11-16T10:00:00Z", "never"]
  ])("is %s", (_, hours, zone, from, expected) => assert.strictEqual(morning(hours, zone, from), expected))

  it("is the first open instant of a later date, with no working day in between", () => {
    const day = fc.constantFrom(
      [],
      [{ start: "09:00", end: "17:00" }],
      [
        { start: "07:30", end: "08:00" },
        { start: "22:00", end: "24:00" }
      ]
    )
    const hours = fc.record<WorkingHours>({
      monday: day,
      tuesday: day,
      wednesday: day,
      saturday: day,
      holidays: fc.uniqueArray(fc.integer({ min: 0, max: 20 }).map((n) => `2026-10-${String(n + 10).padStart(2, "0")}`))
    })
    const zones = fc.constantFrom(
      "UTC",
      "Europe/Berlin",
      "America/New_York",
      "Asia/Kolkata",
      "Pacific/Kiritimati",
      "Australia/Lord_Howe"
    )
    fc.assert(
      fc.property(hours, zones, fc.integer({ min: 0, max: 60 * 86_400 }), (week, zone, seconds) => {
        const now = at("2026-10-01T00:00:00Z") + seconds * 1_000
        const found = nextMorning(week, zone, now)
        const dateOf = (instant: number) => Math.floor(wallTime(zone, instant) / dayMillis)
        const days = [week.monday, week.tuesday, week.wednesday, week.saturday].some((windows) => windows?.length)
        assert.strictEqual(found !== undefined, days)
        if (found === undefined) return
        assert.isAbove(dateOf(found), dateOf(now))
        assert.isTrue(isOpen(week, zone, found))
        // Nothing is open on the dates in between, nor earlier on that date.
        for (let before = found - 15 * 60_000; dateOf(before) > dateOf(now); before -= 15 * 60_000) {
          assert.isFalse(isOpen(week, zone, before), new Date(before).toISOString())
        }
      }),
      { numRuns: effort(200) }
    )
  })
})
