/** Phrases that no native speaker would write, which the page and the terminal had once. */
import { assert, describe, it } from "@effect/vitest"
import { sourcesIn } from "../support/sources.ts"

const phrases = [
  "Nothing is on its way",
  "Only messages take that",
  "can't be done with this kind",
  "Reject for",
  "was opened and is without",
  "queue could not be read",
  "does nothing until a text",
  "can't be undone after that",
  "no words in common",
  "No reply and no post",
  "Lowest score",
  "role that owns nothing",
  "Request other texts",
  "settle them with",
  "Nobody with this"
]

describe("what people read in the page and the terminal", () => {
  it.for(phrases)("never says %s", (phrase) => {
    const found = sourcesIn("packages", ".ts", ".tsx").filter(
      ({ path, text }) => /\/src\//.test(path) && text.includes(phrase)
    )
    assert.deepStrictEqual(
      found.map(({ path }) => path),
      []
    )
  })
})
