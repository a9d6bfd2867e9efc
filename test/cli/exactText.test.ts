/** Texts as they will be sent, in a terminal. */
import { assert, describe, it } from "@effect/vitest"
import { displayWidth } from "effect/cli/CliOutput"
import fc from "fast-check"
import { exactLines } from "#cli/view/detail.ts"

const family = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}"

describe("a text", () => {
  it("shows white space exactly, and never splits an emoji", () => {
    assert.deepStrictEqual(exactLines("a  b\n\n  c  ", 20), ["a  b", "", "  c··"])
    assert.deepStrictEqual(exactLines("one  two three", 8), ["one  two ", "three"])
    assert.deepStrictEqual(exactLines(`ab${family}`, 3), ["ab", family])
    assert.deepStrictEqual(exactLines("x\u202Ey\u200Bz", 20), ["x\ufffdy\ufffdz"])
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 4, max: 40 }), (given, width) => {
        fc.pre(!/\p{C}| $|[\u2028\u2029]/mu.test(given))
        const lines = exactLines(given, width)
        assert.strictEqual(lines.join(""), given)
        for (const line of lines) assert.isAtMost(displayWidth(line.trimEnd()), Math.max(width, 2))
      })
    )
  })
})
