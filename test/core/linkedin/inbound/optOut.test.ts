/** Which answers ask for no further contact. Source: G11. */
import { assert, describe, it } from "@effect/vitest"
import { optOutIn } from "@svc/core/linkedin/inbound/optOut"
import * as fc from "fast-check"

const asks = [
  "STOP",
  "Stop.",
  "please stop, thanks",
  "Unsubscribe",
  "No, remove me from your list.",
  "I’d like to unsubscribe",
  "Please don't contact me again",
  "Do not message me. Ever.",
  "Bitte kontaktieren Sie mich nicht mehr.",
  "Löschen Sie meine Daten!",
  "Bitte keine weiteren Nachrichten",
  "Merci de ne plus me contacter.",
  "Ne m'écrivez plus svp",
  "Désabonner",
  "Por favor, no me escriba más",
  "Baja",
  "Non voglio più ricevere questi messaggi",
  "Por favor não me envie mais mensagens",
  "Laat me met rust",
  "Sluta kontakta mig",
  "Kontakt mig ikke igen",
  "Ikke kontakt meg",
  "Proszę nie pisać do mnie",
  "Nie życzę sobie kontaktu"
]

const harmless = [
  "",
  "Thanks, Thursday suits me",
  "We fly non-stop to Berlin",
  "Stop by our office next week",
  "I am not interested at the moment",
  "Please do not remove me from your list!",
  "We help people to unsubscribe from newsletters",
  "Kontaktieren Sie mich gern nächste Woche",
  "N'hésitez pas à me contacter",
  "Puede contactarme el lunes",
  "What does it take to stop month-end from taking a week?",
  "Contact me!"
]

describe("optOutIn", () => {
  it.each(asks)("hears %j", (text) => assert.isDefined(optOutIn(text)))

  it.each(harmless)("takes %j for what it is", (text) => assert.isUndefined(optOutIn(text)))

  it("does not mind case, marks, quotes, white space and punctuation", () => {
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
          assert.isDefined(optOutIn(shown), JSON.stringify(shown))
        }
      )
    )
  })

  it("reads any text, quickly, and finds nothing in words that are not said", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const found = optOutIn(text)
        assert.isTrue(found === undefined || found.length > 0)
      })
    )
    const started = performance.now()
    for (const text of ["stop ".repeat(10_000), "do not ".repeat(7_000), "’".repeat(50_000), "\u0301".repeat(50_000)]) {
      optOutIn(text)
    }
    assert.isBelow(performance.now() - started, 1_000)
  })

  it("does not change when harmless sentences are said before or after a sentence that asks", () => {
    const sentences = asks.filter((text) => text.split(" ").length > 3)
    fc.assert(
      fc.property(
        fc.constantFrom(...sentences),
        fc.constantFrom(...harmless),
        fc.constantFrom(...harmless),
        (ask, a, b) => {
          assert.isDefined(optOutIn(`${a}. ${ask}. ${b}`))
        }
      )
    )
  })
})
