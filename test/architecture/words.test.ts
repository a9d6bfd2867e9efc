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
  "Nobody with this",
  "Keep an address and its",
  "Answer what would result",
  "Repeating the run with the same key",
  "cursor of the page before",
  "try again: no",
  "Say where a lead stands",
  "Write down what you know",
  "write in the name of",
  "at once and for good",
  "holds for a while longer",
  "Whether the process lives",
  "But for the name",
  "is neither in the offer",
  "was gone on with",
  "is none that this list",
  "none of this server",
  "Say whom",
  "Somebody looked",
  "none of the organization's business",
  "hold for good",
  "for whom something waits",
  "cannot say what is due",
  "claiming what did not happen",
  "addresses worthless",
  "nothing answers",
  "commands show every status",
  "No lead has any of",
  "Left at once",
  "Try what happens",
  "hands out no rights"
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
