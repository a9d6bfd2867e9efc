/** Ids are unique, and sort in the order in which they were made. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Ids, idsLayer } from "#core/kernel/schema/IdsAndTime.ts"

const made = Effect.gen(function* () {
  const { next } = yield* Ids
  const ids: Array<string> = []
  for (let n = 0; n < 3_000; n++) {
    ids.push(yield* next("ld"))
    // Several of one millisecond, and enough milliseconds for random bytes to be made again.
    if (n % 3 === 0) yield* TestClock.adjust(1)
  }
  return ids
}).pipe(Effect.provide(idsLayer))

it.effect("ids of a process sort as they were made, and two processes share none", () =>
  Effect.gen(function* () {
    const [ours, theirs] = [yield* made, yield* made]
    for (const ids of [ours, theirs]) {
      assert.deepStrictEqual(ids.toSorted(), ids)
      for (const id of ids) assert.match(id, /^ld_[0-9A-HJKMNP-TV-Z]{26}$/)
    }
    assert.strictEqual(new Set([...ours, ...theirs].map((id) => id.slice(13))).size, 6_000)
  })
)
