/** Which messages ask for no further contact: a table in twelve languages, and what holds for any text. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readOptOut } from "#core/leads/optOut/readOptOut.ts"
import { cpuMillis } from "../../../support/cpuMillis.ts"
import type { Kind, Sentence } from "./sentences/Sentence.ts"
import { sentences } from "./sentences/sentences.ts"

const read = new Map<string, "certain" | "uncertain" | "none">()

/** Read once, since several tests count the same messages. */
const certaintyOf = (text: string) => {
  const certainty = read.get(text) ?? readOptOut(text)?.certainty ?? "none"
  read.set(text, certainty)
  return certainty
}

const tuned = Object.values(sentences).flatMap((one) => one.tuned)
const heldOut = Object.values(sentences).flatMap((one) => one.heldOut)

const ofKind = (all: ReadonlyArray<Sentence>, kind: Kind) => all.flatMap(([is, text]) => (is === kind ? [text] : []))

/** The share of texts that are found, and which these are for the failure's message. */
const share = (texts: ReadonlyArray<string>, isFound: (text: string) => boolean) => {
  const found = texts.filter(isFound)
  return { share: found.length / texts.length, found }
}

const suppresses = (text: string) => certaintyOf(text) === "certain"

const asks = [
  "STOP",
  "Stop.",
  "please stop, thanks",
  "Unsubscribe",
  "No, remove me from your list.",
  "I’d like to unsubscribe",
  "Please don't contact me again",
  "Do not message me. Ever.",
  "Please do not write again.",
  "Sluta kontakta mig",
  "Inga fler meddelanden tack",
  "Kontakt mig ikke igen",
  "Stop med at skrive til mig",
  "Ikke kontakt meg",
  "Slutt å skrive til meg",
  ...Object.values(sentences).map(({ tuned: [[, first] = ["real", ""]] }) => first)
]

const harmless = [
  "",
  "Thanks, Thursday suits me",
  "We fly non-stop to Berlin",
  "Stop by our office next week",
  "I am not interested at the moment",
  "Please do not remove me from your list!",
  "We help people to unsubscribe from newsletters",
  "N'hésitez pas à me contacter",
  "What does it take to stop month-end from taking a week?",
  "Tack, kontakta mig gärna nästa vecka",
  "Skriv endelig til mig"
]

describe("readOptOut", () => {
  it("is measured with at least 1,700 messages in twelve languages, a third of them held out", () => {
    assert.lengthOf(Object.keys(sentences), 12)
    assert.isAtLeast(tuned.length + heldOut.length, 1700)
    assert.isAtLeast(heldOut.length, (tuned.length + heldOut.length) / 3)
    const texts = [...tuned, ...heldOut].map(([, text]) => text)
    assert.lengthOf(new Set(texts), texts.length)
  })

  for (const [name, all] of [
    ["all messages", [...tuned, ...heldOut]],
    ["the messages that no cue was written for", heldOut]
  ] as const) {
    it(`finds at least 95 % of the real ones among ${name}`, () => {
      const missed = share(ofKind(all, "real"), (text) => !suppresses(text))
      assert.isAtMost(missed.share, 0.05, missed.found.join("\n"))
    })

    it(`suppresses for at most 2 % of the innocent ones among ${name}`, () => {
      const wrong = share(ofKind(all, "innocent"), suppresses)
      assert.isAtMost(wrong.share, 0.02, wrong.found.join("\n"))
    })

    it(`asks a person about at most 10 % of the innocent ones among ${name}`, () => {
      const asked = share(ofKind(all, "innocent"), (text) => certaintyOf(text) !== "none")
      assert.isAtMost(asked.share, 0.1, asked.found.join("\n"))
    })

    it(`suppresses for nothing uncertain, and leaves at least 95 % of it to a person, among ${name}`, () => {
      const uncertain = ofKind(all, "uncertain")
      assert.deepStrictEqual(uncertain.filter(suppresses), [])
      const lost = share(uncertain, (text) => certaintyOf(text) === "none")
      assert.isAtMost(lost.share, 0.05, lost.found.join("\n"))
    })
  }

  it.each(Object.entries(sentences))("takes the tuned messages of %s for what they are", (_, { tuned }) => {
    const expected: Readonly<Record<Kind, ReadonlyArray<string>>> = {
      real: ["certain"],
      innocent: ["none", "uncertain"],
      uncertain: ["uncertain"]
    }
    const wrong = tuned.filter(([kind, text]) => !expected[kind].includes(certaintyOf(text)))
    assert.deepStrictEqual(wrong, [])
  })

  it.each(asks)("hears %j", (text) => assert.strictEqual(certaintyOf(text), "certain"))

  it.each(harmless)("takes %j for what it is", (text) => assert.strictEqual(certaintyOf(text), "none"))

  it("does not mind case, marks, white space and punctuation", () => {
    const noise = fc.constantFrom(" ", "  ", "\n", "\t", "\u00a0", ", ", "… ", "!", " – ")
    fc.assert(
      fc.property(
        fc.constantFrom(...asks),
        noise,
        noise,
        fc.boolean(),
        fc.boolean(),
        (text, before, after, up, nfd) => {
          const cased = up ? text.toUpperCase() : text.toLowerCase()
          const shown = `${before}${nfd ? cased.normalize("NFD") : cased}${after}`
          assert.strictEqual(certaintyOf(shown), "certain", JSON.stringify(shown))
        }
      )
    )
  })

  it("reads any text, quickly, and finds nothing in words that are not said", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const found = readOptOut(text)
        assert.isTrue(found === undefined || found.words.length > 0)
      })
    )
    const repeated = [
      "stop ",
      "do not ",
      "’",
      "\u0301",
      "please stop contacting me, ",
      "请不要",
      '"',
      "“a",
      "a\n",
      "a@"
    ]
    const spent = cpuMillis(() => {
      for (const text of repeated) readOptOut(text.repeat(20_000))
    })
    assert.isBelow(spent, 10_000)
  })

  it("does not change when harmless sentences are said before or after a sentence that asks", () => {
    const whole = asks.filter((text) => text.split(" ").length > 3)
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.constantFrom(...harmless),
        fc.constantFrom(...harmless),
        (ask, a, b) => {
          assert.notStrictEqual(certaintyOf(`${a}. ${ask}. ${b}`), "none")
        }
      )
    )
  })

  it("does not take what is quoted or signed for what is said", () => {
    const quoted = [
      "Thank you, Thursday.\n\nFrom: Ada Martin\nSent: Monday\nTo: Grace\n\nReply STOP or write: remove me from your list.",
      "Thank you, Thursday.\n\n-----Original Message-----\nPlease stop contacting me.",
      "On Monday Ada wrote:\n> Please stop contacting me.\n\nWho wrote that?",
      "Works for me.\n--\nGrace\nPlease remove me from your list"
    ]
    for (const text of quoted) assert.strictEqual(certaintyOf(text), "none", text)
    assert.strictEqual(certaintyOf("> We help with month-end.\n\nPlease stop contacting me."), "certain")
    assert.strictEqual(certaintyOf('"Stop contacting me"'), "certain")
    assert.strictEqual(certaintyOf("Hello\n\nBest regards\nGrace\nPlease stop contacting me."), "uncertain")
    assert.strictEqual(certaintyOf("Hello\n\nBest regards\nGrace\n\nPS: Please stop contacting me."), "certain")
  })
})
