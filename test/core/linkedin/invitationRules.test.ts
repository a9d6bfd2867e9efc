import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { isoFromMillis } from "#core/kernel/schema/IdsAndTime.ts"
import { maxNoteLength, noteFor, reinviteFrom, reinviteSeconds } from "#core/outreach/invitations/requestInvitation.ts"
import {
  type Allowance,
  capsOf,
  countedAs,
  limitResetsAt,
  overrideNames,
  rulesOf,
  tierCaps
} from "#core/outreach/pacing/UsageLimits.ts"

const tier = fc.constantFrom("FREE", "PREMIUM", "SALES_NAVIGATOR")
const start = Date.parse("2026-01-01T00:00:00.000Z")
const instant = fc.integer({ min: 0, max: 100 * 86_400 }).map((seconds) => isoFromMillis(start + seconds * 1_000))
const allowance = fc.record({
  accountId: fc.string({ minLength: 1, maxLength: 8 }),
  tier,
  createdAt: instant,
  ramp: fc.boolean(),
  smart: fc.boolean(),
  limits: fc.record(
    {
      invitationDay: fc.nat(30),
      invitationWithNoteDay: fc.nat(30),
      searchDay: fc.nat(200),
      profileViewDay: fc.nat(90)
    },
    { requiredKeys: [] }
  )
}) satisfies fc.Arbitrary<Allowance>

describe("Invitation rules", () => {
  it("lets a note pass exactly up to the subscription's length, and names the field otherwise", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 320 }), tier, (note, of) => {
        const answer = noteFor(note, of, "invitation_note")
        const most = of === "FREE" ? 200 : 300
        assert.strictEqual(maxNoteLength(of), most)
        assert.strictEqual(Result.isSuccess(answer), note.length <= most)
        if (Result.isFailure(answer)) {
          assert.strictEqual(answer.failure.code, "INVALID_INPUT")
          assert.match(answer.failure.message, /^invitation_note: /)
        }
      })
    )
    assert.isTrue(Result.isSuccess(noteFor(null, "FREE", "note")))
  })

  it("keeps a person for 21 days after the latest withdrawal, and after nothing else", () => {
    const row = fc.record({
      state: fc.constantFrom("withdrawn", "accepted", "failed", "cancelled"),
      endedAt: fc.option(instant)
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), instant, (rows, at) => {
        const from = reinviteFrom(rows, at)
        const ends = rows.flatMap(({ endedAt, state }) =>
          state === "withdrawn" && endedAt !== null ? [Date.parse(endedAt) + reinviteSeconds * 1_000] : []
        )
        const last = Math.max(...ends)
        if (ends.length === 0 || last <= Date.parse(at)) assert.isUndefined(from)
        else assert.strictEqual(from, isoFromMillis(last))
      })
    )
    assert.strictEqual(reinviteSeconds, 21 * 24 * 3_600)
  })

  it("never allows more than the subscription, nor more than was wished", () => {
    fc.assert(
      fc.property(allowance, instant, fc.constantFrom(...overrideNames), (account, at, [action, window, name]) => {
        const cap = capsOf(account, action, at)[window]
        const ceiling = tierCaps[account.tier][action][window]
        const wanted = new Map<string, number>(Object.entries(account.limits)).get(name)
        assert.isAtMost(cap ?? Number.POSITIVE_INFINITY, ceiling ?? Number.POSITIVE_INFINITY)
        if (wanted !== undefined) assert.isAtMost(cap ?? 0, wanted)
        // What no other person sees does not begin slowly.
        if (action === "search" || action === "profile_view" || action === "withdrawal") {
          assert.strictEqual(cap, wanted === undefined ? ceiling : Math.min(wanted, ceiling ?? wanted))
        }
      })
    )
  })

  it("counts an invitation with a note against both limits, and one without against one", () => {
    const action = fc.constantFrom("invitation", "invitation_with_note")
    const done = fc.array(fc.record({ action, at: instant }), { maxLength: 60 })
    fc.assert(
      fc.property(allowance, done, instant, action, (account, uses, at, next) => {
        const rules = rulesOf(account, next, at)
        assert.lengthOf(rules, next === "invitation" ? 1 : 2)
        const held = rules.some(({ caps, counts }) => {
          const times = uses.flatMap((use) => (counts.includes(use.action) && use.at <= at ? [use.at] : []))
          return limitResetsAt(times, caps, at) !== undefined
        })
        const within = (days: number, which: ReadonlyArray<string>) =>
          uses.filter((use) => {
            return which.includes(use.action) && use.at <= at && Date.parse(use.at) > Date.parse(at) - days * 86_400_000
          }).length
        const isFull = (of: "invitation" | "invitation_with_note") => {
          const { day, week } = capsOf(account, of, at)
          return within(1, countedAs[of]) >= (day ?? 1e9) || within(7, countedAs[of]) >= (week ?? 1e9)
        }
        assert.strictEqual(held, isFull("invitation") || (next === "invitation_with_note" && isFull(next)))
      })
    )
  })
})
