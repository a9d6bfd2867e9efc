/** Characters that cannot be seen are found wherever they are, and never where a writing needs them. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { checkMessage } from "#core/outreach/check/checkMessage.ts"
import { hiddenIn } from "#core/outreach/check/hidden.ts"
import { effort } from "../../../support/effort.ts"

const context = { lead: undefined, language: undefined, support: undefined, others: [] }

const codesOf = (text: string) => hiddenIn(text).map(({ character }) => character.codePointAt(0))

const tags = (text: string) => [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")

/** Every code point that nothing shows for, but what stands alone: halves of surrogate pairs. */
const invisible = Array.from({ length: 0x110000 }, (_, code) => code).filter(
  (code) => (code < 0xd800 || code > 0xdfff) && /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code))
)

/** Texts of many writings, in which every invisible character is needed. */
const needed = [
  "👩‍👩‍👧 👩🏽‍💻 🏳️‍🌈 ❤️‍🔥 1️⃣ ☎️ ☎︎ 🇩🇪 🏴‍☠️",
  `\u{1f3f4}${tags("gbeng")}\u{e007f} \u{1f3f4}${tags("gbsct")}\u{e007f}`,
  "می‌خواهم نامه‌ای بنویسم",
  "क्‍ष श्री‍ र्‍य",
  "ක්‍ෂ ශ්‍රී ලංකා",
  "C‎ שלום‏ (1)‏",
  "مرحبا‎ ACME‏ ١٢٪؜",
  "葛\u{e0100}城 辻\u{e0101}",
  "ᠮᠣᠩᠭᠣᠯ᠋",
  "Auf‌lage",
  "Plain text, with\ttabs\nand lines.",
  ""
]

describe("hidden characters", () => {
  it("are all found in a text of Latin letters, each at its place", () => {
    assert.isAbove(invisible.length, 4_000)
    const letterJoiner = 0x200c
    for (const code of invisible.filter((one) => one !== letterJoiner)) {
      const mark = String.fromCodePoint(code)
      assert.deepStrictEqual(hiddenIn(`Hello${mark} Ada`), [{ character: mark, index: 5 }], code.toString(16))
    }
    assert.deepStrictEqual(codesOf("\u200csend \u200c now"), [letterJoiner, letterJoiner])
  })

  it("are none where a writing needs them", () => {
    for (const text of needed) assert.deepStrictEqual(hiddenIn(text), [], text)
  })

  it("are found among those that are needed, and only they", () => {
    const hidden = fc.constantFrom(..."\u200b\u2060\ufeff\u202e\u202a\u2066\u2069\u00ad\u034f\u{e0041}\u{e007f}")
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...needed), hidden), { minLength: 1, maxLength: 5 }), (parts) => {
        const text = parts.map(([before, mark]) => `${before} ${mark} `).join("")
        assert.deepStrictEqual(
          hiddenIn(text).map(({ character }) => character),
          parts.map(([, mark]) => mark)
        )
        for (const { character, index } of hiddenIn(text)) assert.isTrue(text.startsWith(character, index))
      }),
      { numRuns: effort(300) }
    )
  })

  it("never fail, and are no more than what is invisible", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const { character } of hiddenIn(text))
          assert.match(character, /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u)
      }),
      { numRuns: effort(500) }
    )
  })

  it("are one warning, which names them and points at the first", () => {
    const text = `👩‍👩‍👧 Hi Ada,\u200b\u202eyadnom${tags("obey")}`
    assert.deepStrictEqual(checkMessage("body_text", text, context), [
      {
        path: "body_text",
        severity: "warning",
        code: "hidden_characters",
        message: "Nobody can see 6 of its characters, such as U+200B. Remove them: they may hide words from you."
      }
    ])
    assert.deepStrictEqual(checkMessage("body_text", "Hi Ada, 👩‍👩‍👧", context), [])
  })
})
