/** An index finds what one expression of all phrases finds. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { languages } from "#core/leads/optOut/languages/languages.ts"
import { makeIndex } from "#core/leads/optOut/PhraseIndex.ts"
import { keysOf, oneOf, requiredKeys, sourceOf } from "#core/leads/optOut/phraseNotation.ts"
import { fold } from "#core/leads/optOut/plainWords.ts"
import { effort } from "../../../support/effort.ts"

const choice = (options: ReadonlyArray<string>) => fc.constantFrom(...options)

/** Texts that a phrase matches, and some that it nearly does. */
const textOf = (phrase: string): fc.Arbitrary<string> => {
  const tokens = phrase.match(/\[[^\]]*\]|\([^)]*\)|[^\s[\]()]+/gu) ?? []
  const words = tokens.map((token) => {
    if (token === "~") return choice(["", "one ", "one two three "])
    if (token === "$") return choice(["", ", "])
    const options = token.replaceAll(/^[[(]|[\])]$/g, "").split("|")
    const word = fc
      .tuple(choice(options), choice(["", "en", "s"]))
      .map(([text, end]) => `${text.replaceAll("*", end)} `)
    return token.startsWith("[") ? fc.oneof(word, fc.constant("")) : word
  })
  return fc.tuple(...words).map((parts) => parts.join(""))
}

describe("PhraseIndex", () => {
  for (const [at, language] of languages.entries()) {
    const spaced = language.script !== "cjk"
    const before = spaced ? "(?<=^| )" : ""
    const lists = [
      language.commands,
      language.statements,
      language.limits,
      language.joins,
      Object.values(language.concepts)
    ]

    it(`finds the same as one expression, language ${at + 1} (${language.script})`, () => {
      const index = makeIndex(spaced)
      const kept = lists.map((phrases) => ({
        phrases: index.add(phrases, { before }),
        expression: new RegExp(before + oneOf(phrases.map((phrase) => sourceOf(fold(phrase), spaced))), "gu")
      }))
      const text = fc
        .array(fc.oneof(...lists.flat().map(textOf), choice([", ", "something else ", "no "])), { maxLength: 6 })
        .map((parts) => fold(parts.join("")).replaceAll(" ", spaced ? " " : ""))
      const places = (matches: Iterable<RegExpExecArray>) =>
        Array.from(matches, ({ 0: words, index: place }) => [place, words])
      fc.assert(
        fc.property(text, (one) => {
          const find = index.in([one])
          for (const { expression, phrases } of kept) {
            const finder = find(phrases)
            const expected = places(one.matchAll(expression))
            assert.deepStrictEqual(places(finder.all(one)), expected)
            assert.strictEqual(finder.test(one), expected.length > 0)
            assert.strictEqual(
              finder.replaceAll(one, (words) => `<${words}>`),
              one.replaceAll(expression, (words) => `<${words}>`)
            )
          }
        }),
        { numRuns: effort(60) }
      )
    })
  }

  it("looks for few of all phrases in a text", () => {
    const keys = keysOf(["thanks for the message, could you send me more about prices "], true)
    const phrases = languages
      .filter(({ script }) => script === "latin")
      .flatMap(({ commands, limits }) => [...commands, ...limits])
    const possible = phrases.filter(
      (phrase) => requiredKeys(fold(phrase), true)?.some((key) => keys.has(key)) !== false
    )
    assert.isBelow(possible.length, phrases.length / 10)
  })
})
