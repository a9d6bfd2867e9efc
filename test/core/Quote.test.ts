import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { quote } from "#core/kernel/schema/TextRules.ts"

describe("quote", () => {
  it("repeats a short plain text as it is", () => {
    assert.strictEqual(quote("spring-outreach"), '"spring-outreach"')
    assert.strictEqual(quote("Zürich 日本 👍"), '"Zürich 日本 👍"')
  })

  it("shows what a reader cannot see", () => {
    assert.strictEqual(quote("a\u0000b\n"), '"a\\u{0}b\\u{a}"')
    assert.strictEqual(quote("\u202eabc\u2066"), '"\\u{202e}abc\\u{2066}"')
    assert.strictEqual(quote("\ud800"), '"\\u{d800}"')
    assert.strictEqual(quote('"\\'), '"\\"\\\\"')
  })

  it("cuts without halving a character", () => {
    assert.strictEqual(quote("x".repeat(65)), `"${"x".repeat(64)}…"`)
    assert.strictEqual(quote("x".repeat(64)), `"${"x".repeat(64)}"`)
    assert.strictEqual(quote("👍".repeat(33)), `"${"👍".repeat(32)}…"`)
    assert.strictEqual(quote("abcdef", 3), '"abc…"')
  })

  it("never answers more than it may, nor what a terminal would act on", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.integer({ min: 1, max: 99 }), (text, most) => {
        const shown = quote(text, most)
        assert.isAtMost(shown.length, most + 3)
        assert.isTrue(shown.isWellFormed())
        assert.notMatch(shown, /\p{C}/u)
      })
    )
  })
})
