/** Intervals of rates: Wilson's score interval, held to values of the literature and to what it must always be. */

import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { wilson } from "#core/reports/statistics/wilson.ts"
import { effort } from "../../support/effort.ts"

const z = 1.959963984540054

describe("wilson", () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718]
  ])("of %i in %i is %f to %f", (part, whole, low, high) => {
    assert.deepStrictEqual(wilson(part, whole), { rate: Math.round((part / whole) * 10_000) / 10_000, low, high })
  })

  it("is nothing without a case, and says little of one", () => {
    assert.isNull(wilson(0, 0))
    assert.deepStrictEqual(wilson(0, 1), { rate: 0, low: 0, high: 0.7935 })
    assert.deepStrictEqual(wilson(1, 1), { rate: 1, low: 0.2065, high: 1 })
  })

  const cases = fc
    .integer({ min: 1, max: 100_000 })
    .chain((whole) => fc.tuple(fc.integer({ min: 0, max: whole }), fc.constant(whole)))
  const intervalOf = (part: number, whole: number) => wilson(part, whole) ?? assert.fail("has cases")

  it("has the rate inside, from 0 to 1, and mirrors that of the rest", () => {
    fc.assert(
      fc.property(cases, ([part, whole]) => {
        const { high, low, rate } = intervalOf(part, whole)
        assert.isTrue(0 <= low && low <= rate && rate <= high && high <= 1, JSON.stringify({ low, rate, high }))
        assert.strictEqual(low === 0, Math.round(low * 10_000) === 0)
        const rest = intervalOf(whole - part, whole)
        assert.closeTo(rest.low, 1 - high, 1e-9)
        assert.closeTo(rest.high, 1 - low, 1e-9)
        if (part === 0) assert.closeTo(high, z ** 2 / (whole + z ** 2), 5.1e-5)
        if (part === whole) assert.closeTo(low, whole / (whole + z ** 2), 5.1e-5)
      }),
      { numRuns: effort(1_000) }
    )
  })

  it("has the true rates at its ends: they are as far from what was seen as chance goes", () => {
    fc.assert(
      fc.property(cases, ([part, whole]) => {
        const { high, low } = intervalOf(part, whole)
        const seen = part / whole
        for (const end of [low, high]) {
          if (end === 0 || end === 1) continue
          // (seen - end)² = z² end (1 - end) / whole, but for four decimals.
          const far = Math.abs(seen - end)
          const chance = (at: number) => z * Math.sqrt((at * (1 - at)) / whole)
          assert.isAtMost(far, Math.max(chance(Math.max(0, end - 5e-5)), chance(Math.min(1, end + 5e-5))) + 1e-4)
          assert.isAtLeast(far, Math.min(chance(Math.max(0, end - 5e-5)), chance(Math.min(1, end + 5e-5))) - 1e-4)
        }
      }),
      { numRuns: effort(1_000) }
    )
  })

  it("is narrower with more cases of the same rate", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 2, max: 9 }), ([part, whole], times) => {
        const [few, many] = [intervalOf(part, whole), intervalOf(part * times, whole * times)]
        assert.isTrue(few.low <= many.low && many.high <= few.high)
      }),
      { numRuns: effort(500) }
    )
  })
})
