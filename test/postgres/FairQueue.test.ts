/** Who gets the next connection, over random requests of organizations that come and go. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { FairQueue, presence, systemTenant, type Turn } from "#postgres/FairQueue.ts"
import { effort } from "../support/effort.ts"

type Step = { readonly ask: string } | { readonly end: number } | { readonly pass: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ask: fc.constantFrom("a", "a", "a", "b", "c", systemTenant) }) },
  { weight: 5, arbitrary: fc.record({ end: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ pass: fc.constantFrom(1, presence / 2, presence, 3 * presence) }) }
)

/** A queue with what happens to it: who asked when, and who was lent connections since the last look. */
const watched = (size: number, share: number) => {
  let now = 0
  const queue = new FairQueue(size, share, () => now)
  const turns: Array<Turn> = []
  const asked = new Map<string, number>()
  const lent: Array<Turn> = []
  const inState = (state: Turn["state"]) => turns.filter((turn) => turn.state === state)
  const count = (state: Turn["state"], tenant: string) =>
    inState(state).filter((turn) => turn.tenant.name === tenant).length
  /** Whether no other organization asked lately. */
  const isAlone = (tenant: string) =>
    [...asked].every(([other, at]) => other === tenant || other === systemTenant || now - at >= presence)
  return {
    queue,
    inState,
    count,
    isAlone,
    pass: (millis: number) => {
      now += millis
    },
    ask: (tenant: string) => {
      asked.set(tenant, now)
      const turn = queue.ask(tenant)
      turns.push(turn)
      if (turn.state === "lent") lent.push(turn)
      turn.onLent = () => void lent.push(turn)
      return turn
    },
    end: (turn: Turn) => queue.end(turn),
    /** Those that got a connection since the last look, in order. */
    taken: () => lent.splice(0).map(({ tenant }) => tenant.name)
  }
}

describe("a share of the pool", () => {
  it("is kept while others need connections, and no connection idles that somebody may have", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 100 }),
        fc.array(step, { maxLength: 120 }),
        (size, share, steps) => {
          const pool = watched(size, share)
          for (const one of steps) {
            if ("pass" in one) {
              pool.pass(one.pass)
              continue
            }
            const open = [...pool.inState("lent"), ...pool.inState("waiting")]
            if ("ask" in one) pool.ask(one.ask)
            else if (open.length > 0) pool.end(open[one.end % open.length] ?? assert.fail())
            assert.strictEqual(pool.queue.free + pool.inState("lent").length, size)
            for (const tenant of pool.taken()) {
              if (pool.count("lent", tenant) <= pool.queue.most) continue
              assert.isTrue(pool.isAlone(tenant), "over its share")
              // Nor does anybody wait who has less.
              for (const other of pool.inState("waiting")) {
                assert.isAtLeast(other.tenant.lent + 1, pool.count("lent", tenant))
              }
            }
            if (pool.queue.free === 0) continue
            for (const { name: tenant } of pool.inState("waiting").map((turn) => turn.tenant)) {
              assert.isFalse(pool.isAlone(tenant), "waits alone")
              // So one of its own comes back, and nobody waits for ever.
              assert.isAtLeast(pool.count("lent", tenant), pool.queue.most)
            }
          }
          // Whatever was asked for, all are served once connections come back.
          let served = 0
          for (let left = pool.inState("waiting").length; left > 0; left = pool.inState("waiting").length) {
            pool.end(pool.inState("lent")[0] ?? assert.fail("somebody waits though nothing is lent"))
            assert.isBelow(served++, steps.length * 2)
          }
        }
      ),
      { numRuns: effort(400) }
    )
  })

  it("of one alone is everything, and the next connections go to those who come", () => {
    const pool = watched(16, 50)
    const heavy = Array.from({ length: 24 }, () => pool.ask("heavy"))
    assert.lengthOf(pool.inState("lent"), 16)
    pool.taken()
    for (const tenant of ["one", "two", "two", "three"]) pool.ask(tenant)
    for (const turn of heavy.slice(0, 4)) pool.end(turn)
    assert.deepStrictEqual(pool.taken(), ["one", "two", "three", "two"])
    // As long as others were there lately, the rest stays free for them.
    for (const turn of pool.inState("lent").filter(({ tenant }) => tenant.name !== "heavy")) pool.end(turn)
    for (const turn of heavy.slice(4, 10)) pool.end(turn)
    assert.strictEqual(pool.count("lent", "heavy"), 8)
    assert.strictEqual(pool.ask("one").state, "lent")
    pool.pass(presence)
    const [first] = pool.inState("lent").filter(({ tenant }) => tenant.name === "heavy")
    pool.end(first ?? assert.fail())
    assert.lengthOf(pool.inState("waiting"), 0)
  })

  it("of a single connection is a turn", () => {
    const pool = watched(1, 50)
    for (const tenant of ["a", "a", "a", "b", "b", systemTenant]) pool.ask(tenant)
    while (pool.inState("lent").length > 0) pool.end(pool.inState("lent")[0] ?? assert.fail())
    assert.deepStrictEqual(pool.taken(), ["a", "b", systemTenant, "a", "b", "a"])
  })
})
