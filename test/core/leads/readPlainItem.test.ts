import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { decoder } from "#core/kernel/schema/Decode.ts"
import { LeadUpsertInput } from "#core/leads/LeadInput.ts"
import { readPlainItem } from "#core/leads/readPlainItem.ts"
import { effort } from "../../support/effort.ts"

const decode = decoder(LeadUpsertInput)
const names = Object.keys(LeadUpsertInput.fields)

/** Texts about the limits of every field, plain ones and others. */
const text = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "a ",
    " a",
    "ü",
    "a\nb",
    "a\tb",
    "\u0000",
    "https://example.com/x y",
    "https://example.com",
    "http://",
    "Europe/Berlin",
    "New"
  ),
  fc.string({ maxLength: 40 }),
  fc
    .record({ length: fc.constantFrom(63, 64, 65, 100, 101, 200, 201, 400, 401, 500, 501, 2_048, 2_049, 4_000, 4_001) })
    .chain(({ length }) =>
      fc.constantFrom("x".repeat(length), `https://example.com/${"x".repeat(length)}`.slice(0, length))
    )
)

describe("readPlainItem", () => {
  it("answers what the schema answers, or leaves the item to it", () => {
    let plain = 0
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names, "unknown"), fc.oneof(text, text, fc.constant(null), fc.constant(1)), {
          maxKeys: 4
        }),
        (item) => {
          const quick = readPlainItem(item)
          if (quick === undefined) return
          plain++
          const slow = decode({ ...item })
          assert.isTrue(Result.isSuccess(slow), JSON.stringify(item))
          if (Result.isSuccess(slow)) assert.deepStrictEqual({ ...quick }, { ...slow.success })
        }
      ),
      { numRuns: effort(3_000), seed: 1 }
    )
    assert.isAbove(plain, effort(100))
  })
})
