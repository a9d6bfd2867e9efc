import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  addOutcomes,
  decide,
  isStale,
  noCounts,
  RowOutcome,
  rowsSeen,
  shownState,
  staleAfterMillis
} from "#core/imports/ImportRun.ts"
import { isoFromMillis } from "#core/kernel/schema/IdsAndTime.ts"

const now = Date.parse("2026-11-21T08:00:00.000Z")
const run = (state: "running" | "completed" | "failed" | "interrupted", age: number, created = 5) => ({
  state,
  updatedAt: isoFromMillis(now - age),
  counts: { ...noCounts, created }
})

describe("ImportRun", () => {
  it("counts every row once", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ outcome: fc.constantFrom(...RowOutcome.literals) })),
        fc.array(fc.record({ outcome: fc.constantFrom(...RowOutcome.literals) })),
        (first, second) => {
          const counts = addOutcomes(addOutcomes(noCounts, first), second)
          assert.strictEqual(rowsSeen(counts), first.length + second.length)
          assert.deepStrictEqual(counts, addOutcomes(noCounts, [...second, ...first]))
        }
      )
    )
  })

  it("starts, continues or returns", () => {
    assert.strictEqual(decide(undefined, false, now), "start")
    assert.strictEqual(decide(undefined, true, now), "start")
    for (const state of ["completed", "failed", "interrupted"] as const) {
      assert.strictEqual(decide(run(state, 0), false, now), "return")
      assert.strictEqual(decide(run(state, 0), true, now), "continue")
      assert.strictEqual(decide(run(state, 0, 0), false, now), "continue")
    }
  })

  it("leaves a living run alone and takes a dead one over", () => {
    assert.strictEqual(decide(run("running", staleAfterMillis), true, now), "return")
    assert.strictEqual(decide(run("running", staleAfterMillis + 1), false, now), "continue")
    assert.isFalse(isStale(run("completed", staleAfterMillis * 2), now))
  })

  it("shows a silent run as interrupted, as lists do", () => {
    const staleBefore = isoFromMillis(now - staleAfterMillis)
    assert.strictEqual(shownState(run("running", staleAfterMillis), staleBefore), "running")
    assert.strictEqual(shownState(run("running", staleAfterMillis + 1), staleBefore), "interrupted")
    assert.strictEqual(shownState(run("failed", staleAfterMillis + 1), staleBefore), "failed")
  })
})
