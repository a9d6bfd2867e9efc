/** What leaves on each of the next days, for any account and queue. */

import { assert, describe, it, vi } from "@effect/vitest"
import * as fc from "fast-check"
import { freshPace } from "#core/outreach/pacing/Pacing.ts"
import { forecast } from "#core/outreach/readUsage.ts"
import type { AccountUsage, WaitingTurn } from "#core/outreach/TransmissionsRepo.ts"
import { queueForecastOf } from "#core/reports/forecast/queueForecast.ts"
import { effort } from "../../support/effort.ts"

const zones = ["", "UTC", "Asia/Tokyo", "America/St_Johns", "Pacific/Kiritimati", "Europe/Berlin"] as const
const weekdays = { monday: [{ start: "09:00", end: "17:00" }], thursday: [{ start: "22:00", end: "24:00" }] }

const instant = fc.date({ min: new Date("2026-10-01"), max: new Date("2026-12-31"), noInvalidDate: true })

const waiting = fc.record({
  action: fc.constantFrom("message" as const, "invitation" as const, "invitation_with_note" as const),
  bypass: fc.boolean(),
  notBefore: instant.map((date) => date.toISOString()),
  leadTimezone: fc.constantFrom(null, "Asia/Tokyo")
})

const usage = fc
  .record({
    timezone: fc.constantFrom(...zones),
    workingHours: fc.constantFrom({}, weekdays),
    smart: fc.boolean(),
    messageDay: fc.integer({ min: 1, max: 20 }),
    waiting: fc.array(waiting, { maxLength: 25 })
  })
  .map(
    ({ messageDay, waiting: queue, ...rest }): AccountUsage => ({
      ...freshPace,
      ...rest,
      limits: { messageDay },
      accountId: "acc_1",
      tier: "FREE",
      createdAt: "2026-09-01T00:00:00.000Z",
      done: [],
      waiting: queue.map(
        (one, index): WaitingTurn => ({
          ...one,
          id: `lq_${String(index).padStart(4, "0")}`,
          kind: one.action === "message" ? "message" : "invitation"
        })
      )
    })
  )

const localDate = (zone: string, at: Date): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone === "" ? "UTC" : zone, dateStyle: "short" }).format(at)

describe("a forecast of the queue", () => {
  it("has seven days of the account from today, and counts every waiting item once", () => {
    fc.assert(
      fc.property(fc.array(usage, { maxLength: 3 }), instant, fc.boolean(), (usages, at, paced) => {
        const accounts = usages.map((one, index) => ({ usage: one, handle: `agent-${index}`, name: `Agent ${index}` }))
        const { days, later } = queueForecastOf(accounts, at.toISOString(), paced)
        assert.lengthOf(days, accounts.length * 7)
        for (const [index, { timezone }] of usages.entries()) {
          const mine = days.slice(index * 7, index * 7 + 7)
          const first = Date.parse(localDate(timezone, at))
          assert.deepStrictEqual(
            mine.map(({ date }) => date),
            Array.from({ length: 7 }, (_, ahead) => new Date(first + ahead * 86_400_000).toISOString().slice(0, 10))
          )
          assert.isTrue(mine.every(({ account }) => account.agent_handle === `agent-${index}`))
          for (const { invitations, messages } of mine) {
            assert.strictEqual(messages.limit === null, !paced)
            assert.strictEqual(invitations.limit === null, !paced)
          }
        }
        const leaving = days.reduce(
          (sum, { invitations, messages }) => sum + invitations.leaves + messages.leaves,
          later
        )
        assert.strictEqual(
          leaving,
          usages.reduce((sum, one) => sum + one.waiting.length, 0)
        )
      }),
      { numRuns: effort(150) }
    )
  })

  it("looks a year ahead and no further, once for each time zone, for what no hours or limits let leave", () => {
    const at = "2026-10-05T08:00:00.000Z"
    const morning = [{ start: "09:00", end: "11:00" }]
    const apart = ["Asia/Tokyo", "Australia/Sydney", "Pacific/Honolulu", "America/Los_Angeles", "America/Denver"]
    const queued = (leadTimezone: string | null, place: number): WaitingTurn => {
      const id = `lq_${String(place).padStart(4, "0")}`
      return { id, kind: "message", action: "message", bypass: false, notBefore: at, leadTimezone }
    }
    const account = (messageDay: number, all: ReadonlyArray<WaitingTurn>): AccountUsage => ({
      ...freshPace,
      timezone: "Europe/Berlin",
      workingHours: { monday: morning, tuesday: morning, friday: morning, useLeadTimezone: true },
      smart: true,
      limits: { messageDay },
      accountId: "acc_1",
      tier: "FREE",
      createdAt: "2026-09-01T00:00:00.000Z",
      done: [],
      waiting: all
    })
    const asked = vi.spyOn(Intl.DateTimeFormat.prototype, "formatToParts")
    try {
      const never = Array.from({ length: 100 }, (_, place) => queued(apart[place % apart.length] ?? null, place))
      const leaving = forecast(account(20, [...never, queued(null, 100)]), "message", at, true)
      assert.deepStrictEqual(leaving.map(({ leavesAt, queueId }) => `${queueId} ${leavesAt}`).toSorted(), [
        ...never.map(({ id }) => `${id} null`),
        "lq_0100 2026-10-05T08:00:00.000Z"
      ])
      const [refused] = forecast(account(0, [queued(null, 0)]), "message", at, true)
      assert.isNull(refused?.leavesAt)
      assert.isBelow(asked.mock.calls.length, (apart.length + 1) * 500)
    } finally {
      asked.mockRestore()
    }
  })
})
