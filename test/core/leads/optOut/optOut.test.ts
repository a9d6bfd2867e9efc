/** Which messages certainly ask for no further contact: every phrase of the table, and none of the innocent and uncertain ones. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isOptOut } from "#core/leads/optOut/isOptOut.ts"
import { phrases } from "#core/leads/optOut/phrases.ts"
import { cpuMillis } from "../../../support/cpuMillis.ts"
import { effort } from "../../../support/effort.ts"
import { sentences } from "./sentences/sentences.ts"

const languages = Object.entries(phrases)
const linesOf = (list: string) => list.split(";").map((line) => line.trim().replaceAll(/\s+/g, " "))
const all = Object.values(sentences)

/** A phrase of the lines of a list, with options taken by chance. */
const phraseOf = (lines: ReadonlyArray<string>) =>
  fc.constantFrom(...lines).chain((line) =>
    fc.infiniteStream(fc.nat()).map((stream) =>
      line.replaceAll(/\(([^()]*)\)/g, (_, options: string) => {
        const choices = options.split("|")
        return choices[(stream.next().value ?? 0) % choices.length] ?? ""
      })
    )
  )

const sentence = phraseOf(languages.flatMap(([, one]) => linesOf(one.sentences)))
const phrase = phraseOf(languages.flatMap(([, one]) => [...linesOf(one.sentences), ...linesOf(one.messages)]))

const asks = [
  "STOP",
  "Stop.",
  "please stop, thanks",
  "Unsubscribe",
  "“Unsubscribe”",
  "I’d like to unsubscribe",
  "Please don't contact me again",
  "Please stop writing to me",
  "Hello,\n\nwe have no budget.\nPlease remove me from your mailing list.\n\nBest regards\nGrace",
  "Not for us. Please do not contact me again!\n\nOn Monday Ada wrote:\n> Hello Grace",
  "> We help with month-end.\n\nPlease stop contacting me.",
  "Sluta kontakta mig",
  "Inga fler meddelanden tack",
  "Kontakt mig ikke igen",
  "Stop med at skrive til mig",
  "Ikke kontakt meg",
  "Slutt å skrive til meg",
  ...all.flatMap(({ certain }) => certain)
]

const harmless = [
  "",
  "?!",
  "Thanks",
  "Thanks, Thursday suits me",
  "We fly non-stop to Berlin",
  "Stop by our office next week",
  "Stop! In the name of love",
  "I am not interested at the moment",
  "Please do not remove me from your list!",
  "Unsubscribe?",
  "Stop contacting me? No, go on.",
  "We help people to unsubscribe from newsletters",
  "Stop emailing me. Call me instead.",
  "Don't write to me again. Contact my colleague Bob instead.",
  "N'hésitez pas à me contacter",
  "What does it take to stop month-end from taking a week?",
  "Tack, kontakta mig gärna nästa vecka",
  "Skriv endelig til mig",
  "Ta gerne kontakt med meg igjen"
]

/** What is quoted, signed, or only looks like a sentence. */
const notSaid = [
  "Thank you, Thursday.\n\nFrom: Ada Martin\nSent: Monday\nTo: Grace\n\nRemove me from your list.",
  "Thank you, Thursday.\n\n-----Original Message-----\nPlease stop contacting me.",
  "On Monday Ada wrote:\n> Please stop contacting me.\n\nWho wrote that?",
  "On Monday Ada wrote:\n\nPlease stop contacting me.",
  "Works for me.\n--\nGrace\nPlease remove me from your list",
  'This is what they say. "Remove me from your list." Do you know that?',
  'Look at this. "Stop contacting me". Funny.',
  "They answered. ‘Stop contacting me.’ So what now?",
  "I would never ask you to\nremove me from your list.\nOn the contrary.",
  "Whatever you do, do not... remove me from your list!",
  "Whatever you do, do not… Remove me from your list!",
  "Some say e.g. remove me from your list."
]

describe("isOptOut", () => {
  it("has phrases of fifteen languages", () => {
    assert.deepStrictEqual(
      languages.map(([language]) => language).sort(),
      "ar da de en es fr it ja nl no pl pt ru sv zh".split(" ")
    )
  })

  it.each(languages)("finds every phrase of %s, in its options", (_, { messages, sentences: wholes }) => {
    for (const line of [...linesOf(wholes), ...linesOf(messages)]) {
      fc.assert(
        fc.property(phraseOf([line]), (text) => assert.isTrue(isOptOut(text), text)),
        { numRuns: 20 }
      )
    }
  })

  it.each(asks)("hears %j", (text) => assert.isTrue(isOptOut(text)))

  it.each([...harmless, ...notSaid])("leaves %j to a person", (text) => assert.isFalse(isOptOut(text)))

  it("finds none in innocent and uncertain messages of twelve languages", () => {
    const others = all.flatMap(({ innocent, uncertain }) => [...innocent, ...uncertain])
    assert.isAtLeast(others.length, 500)
    assert.deepStrictEqual(others.filter(isOptOut), [])
  })

  it("does not mind case, marks, white space and punctuation", () => {
    const noise = fc.constantFrom(" ", "  ", "\n", "\t", "\u00a0", ", ", "… ", "!", " – ")
    fc.assert(
      fc.property(phrase, noise, noise, fc.boolean(), fc.boolean(), (text, before, after, up, nfd) => {
        const cased = up ? text.toUpperCase() : text
        const shown = `${before}${nfd ? cased.normalize("NFD") : cased}${after}`
        assert.isTrue(isOptOut(shown), JSON.stringify(shown))
      }),
      { numRuns: effort(1_000) }
    )
  })

  it("finds a sentence among others, and no phrase with more in its sentence", () => {
    const other = fc.constantFrom(...harmless.filter((text) => /^\p{Lu}/u.test(text)))
    fc.assert(
      fc.property(sentence, other, (text, around) => {
        const own = text.replaceAll("¿", "")
        const shown = `${own.charAt(0).toUpperCase()}${own.slice(1)}`
        assert.isTrue(isOptOut(`${around}.\n\n${shown}.\n\n${around}`), shown)
      }),
      { numRuns: effort(500) }
    )
    const more = fc.constantFrom(
      "until Monday",
      "on LinkedIn",
      "jamais dit",
      "vor Ostern",
      "до пятницы",
      "这个月",
      "قبل الاثنين"
    )
    fc.assert(
      fc.property(phrase, more, fc.boolean(), (text, words, before) => {
        const one = text.replaceAll("?", "")
        assert.isFalse(isOptOut(before ? `${words} ${one}` : `${one} ${words}`), one)
      }),
      { numRuns: effort(1_000) }
    )
  })

  it("reads any text, quickly", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        assert.isFalse(isOptOut(`${text} and nothing of the kind x`))
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
      "a@",
      "? ",
      ". "
    ]
    const spent = cpuMillis(() => {
      for (const text of repeated) isOptOut(text.repeat(20_000))
    })
    assert.isBelow(spent, 5_000)
  })
})
