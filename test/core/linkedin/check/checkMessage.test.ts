import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  checkMessage,
  hasOtherLetters,
  type MessageContext,
  templateOf,
  wrongName
} from "#core/outreach/check/checkMessage.ts"
import { claimsOf, numbersOf } from "#core/outreach/check/claims.ts"
import { effort } from "../../../support/effort.ts"

describe("wrongName", () => {
  const others = ["Alan Turing", "Élodie Martin", "Jörg Müller-Lüdenscheidt", "Pat O'Brien", "Will Rush"].map(
    (name) => ({
      name,
      company: "",
      text: ""
    })
  )

  it("finds the name of another lead, or an unknown one, at the end of the opening words, in any language", () => {
    const cases: ReadonlyArray<readonly [text: string, quote: string, isOther: boolean]> = [
      ["Hi Alan, how are you?", "Alan", true],
      ["  Hello Alan Turing!\nI", "Turing", true],
      ["Dear Mr. Turing,", "Turing", true],
      ["Alan - a question", "Alan", true],
      ["Bonjour Elodie,", "Elodie", true],
      ["Sehr geehrter Herr Müller-Lüdenscheidt,", "Müller-Lüdenscheidt", true],
      ["Hey O'Brien: hello", "O'Brien", true],
      ["Hello Alan", "Alan", true],
      ["Hi Bob, hello", "Bob", false],
      ["Dobrý den, Bob", "", false],
      ["Доброе утро Иван!", "Иван", false]
    ]
    for (const [text, quote, isOther] of cases) {
      const expected = quote === "" ? undefined : { quote, isOther }
      assert.deepStrictEqual(wrongName(text, "Hiroshi Rossi", others), expected, text)
    }
  })

  it("takes the lead's own name, and words that address nobody, for none", () => {
    const cases: ReadonlyArray<readonly [text: string, name: string]> = [
      ["Hi Grace, how are you?", "Grace Hopper"],
      ["GRACE, how are you?", "Grace Hopper"],
      ["Hola Jose,", "José García"],
      ["Hi Grace and Alan, hello", "Grace Hopper"],
      ["Hi Al, hello", "Alan Turing"],
      ["Hi Alan, hello", "Al Turing"],
      ["Bob, hello", "Maria Rossi"],
      ["Hi there, Alan", "Maria Rossi"],
      ["Hi, I saw your talk", "Maria Rossi"],
      ["Will you be in Paris, Maria?", "Maria Rossi"],
      ["I met your colleague called Alan, and", "Maria Rossi"],
      ["hi alan, hello", "Maria Rossi"],
      ["Hi Alan,", ""],
      ["", "Maria Rossi"]
    ]
    for (const [text, name] of cases) assert.isUndefined(wrongName(text, name, others), text)
  })
})

describe("hasOtherLetters", () => {
  const texts: Readonly<Record<string, string>> = {
    en: "I saw that you are hiring for the finance team.",
    ru: "Здравствуйте, у меня к вам один вопрос о закрытии месяца.",
    ja: "ご質問があります。お時間をいただけますでしょうか。",
    zh: "您好，我想请教一个关于月末结账的问题，方便聊聊吗？",
    ko: "안녕하세요, 월말 마감에 대해 한 가지 여쭤보고 싶습니다.",
    ar: "مرحبا، لدي سؤال واحد حول إغلاق الشهر",
    el: "Καλημέρα σας, έχω μια ερώτηση για το κλείσιμο του μήνα."
  }
  const alike = new Set(["ja zh", "ko zh"])

  it("tells languages of other letters apart, by their tags", () => {
    for (const [language, text] of Object.entries(texts)) {
      for (const tag of Object.keys(texts)) {
        const expected = language !== tag && !alike.has(`${tag} ${language}`)
        assert.strictEqual(hasOtherLetters(text, tag), expected, `${language} for ${tag}`)
      }
    }
    for (const tag of ["uk", "bg-BG", "sr-Cyrl"]) assert.isFalse(hasOtherLetters(texts["ru"] ?? "", tag), tag)
    for (const tag of ["fr", "de-AT", "sr-Latn", "vi"]) assert.isTrue(hasOtherLetters(texts["ru"] ?? "", tag), tag)
    assert.isFalse(hasOtherLetters(texts["zh"] ?? "", "zh-Hant-TW"))
  })

  it("says nothing of short texts and of tags without a known script", () => {
    for (const tag of ["xx", "qaa", "", "not a tag", "en-Zzzz"])
      assert.isFalse(hasOtherLetters(texts["en"] ?? "", tag), tag)
    assert.isFalse(hasOtherLetters("Привет", "en"))
    assert.isFalse(hasOtherLetters("", "en"))
    assert.isFalse(hasOtherLetters("12345678901234567890", "en"))
  })
})

describe("claims", () => {
  const values = (text: string) => claimsOf(text).map(({ kind, value }) => `${kind} ${value}`)

  it("reads figures of every kind", () => {
    assert.deepStrictEqual(values("save 80% or 12.5 % or 3‰"), ["percentage 80", "percentage 12.5", "percentage 3"])
    assert.deepStrictEqual(values("3x faster, 10× more"), ["multiple 3", "multiple 10"])
    assert.deepStrictEqual(values("$1,200 or €5k or 3 million or 20 EUR"), [
      "money 1200",
      "money 5000",
      "number 3000000",
      "money 20"
    ])
    assert.deepStrictEqual(values("1.200 customers, 11,5 hours, 12'000 users, 1 234 567 people"), [
      "number 1200",
      "number 11.5",
      "number 12000",
      "number 1234567"
    ])
    const small = claimsOf("4 days earlier, or 0", 0).map(({ value }) => value)
    assert.deepStrictEqual(small, [4])
  })

  it("leaves alone what claims nothing", () => {
    for (const text of [
      "in 2026 or 1999",
      "at 10:30, 3pm, 14 h",
      "a 15-minute call, 20 min, 30 minutes",
      "B2B, Q3, Office365, 1st, 24/7, 12/05",
      "see https://x.com/40%25/2?p=300 or mail 99@acme.com",
      "1. first\n2) second",
      "2 questions, 9 days, forty people",
      "+49 170 1234567",
      ""
    ]) {
      assert.deepStrictEqual(values(text), [], text)
    }
  })

  it("every figure of a text is among its numbers, so a text supports itself", () => {
    const piece = fc.oneof(
      fc.constantFrom("3x", "80%", "$1,200", "4 days", "5k", "1.200", "2 million", "12 hours", " ", "x", "\n"),
      fc.string({ unit: "binary" })
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join(" ")
        const known = numbersOf(text)
        for (const { value } of claimsOf(text)) assert.isTrue(known.has(value), `${value} in ${JSON.stringify(text)}`)
      }),
      { numRuns: effort(500) }
    )
  })
})

describe("templateOf", () => {
  const text = (name: string, company: string) =>
    `Hi ${name}, is closing the month at ${company} still done by hand every time?`

  it("is the same for every person, and for every way of writing", () => {
    const names = fc.stringMatching(/^[A-Z][a-z]{2,10}( [A-Z][a-z]{2,10})?$/)
    const words = new Set(
      text("", "")
        .toLowerCase()
        .match(/[a-z]+/g)
    )
    const own = names.filter(
      (name) =>
        !name
          .toLowerCase()
          .split(" ")
          .some((part) => words.has(part))
    )
    const reference = templateOf({ text: text("Zyx", "Qwv"), name: "Zyx", company: "Qwv" })
    assert.isDefined(reference)
    fc.assert(
      fc.property(own, own, (name, company) => {
        assert.strictEqual(templateOf({ text: text(name, company), name, company }), reference)
        assert.strictEqual(templateOf({ text: text(name, company).toUpperCase(), name, company }), reference)
      })
    )
  })

  it("is nothing for short texts, and differs where something else is said", () => {
    const someone = { name: "Grace", company: "" }
    assert.isUndefined(templateOf({ ...someone, text: "Thanks a lot, Grace!" }))
    const a = templateOf({ ...someone, text: text("Grace", "Acme") })
    assert.notStrictEqual(a, templateOf({ ...someone, text: `${text("Grace", "Acme")} It was good to meet you.` }))
  })
})

describe("checkMessage", () => {
  const context: MessageContext = {
    lead: { name: "Grace Hopper", company: "Example Corp", wasWritten: false },
    language: "en",
    support: { texts: ["Teams save 30%"], hasOffer: true },
    others: [
      { leadId: "ld_1", name: "Alan", company: "", text: "Hi Alan, this very text goes to everybody in the list." }
    ]
  }

  it("never throws, answers the same twice, and keeps messages short", () => {
    const piece = fc.oneof(
      fc.constantFrom("Hi Alan,", "{{name}}", "80%", "https://x.com", "Здравствуйте", "und die Sie für mit"),
      fc.string({ unit: "binary" })
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join(" ")
        const findings = checkMessage("body_text", text, context)
        assert.deepStrictEqual(checkMessage("body_text", text, context), findings)
        for (const { message, path } of findings) {
          assert.strictEqual(path, "body_text")
          assert.isTrue(message.isWellFormed())
          assert.isBelow(message.length, 300)
        }
      }),
      { numRuns: effort(300) }
    )
  })

  it("takes 50,000 characters of anything in a moment", () => {
    for (const piece of [
      "Hi ",
      "1.",
      "1 ",
      "1,111",
      "{{",
      "[a",
      "https://",
      "www.",
      "a@",
      "four ",
      "Hi A",
      "\u0301",
      "1)\n",
      "é "
    ]) {
      const text = piece.repeat(50_000 / piece.length)
      // The best of three, in CPU time: other processes may be at work.
      const millis = [1, 2, 3].map(() => {
        const before = process.cpuUsage()
        checkMessage("body_text", text, { ...context, support: { texts: [text], hasOffer: true } })
        return process.cpuUsage(before).user / 1_000
      })
      assert.isBelow(Math.min(...millis), 1_000, piece)
    }
  })
})
