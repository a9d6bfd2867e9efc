/** Until when somebody is away, in several languages; and properties that hold of any text. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { awayUntil } from "#core/email/inbound/awayUntil.ts"
import { bareSubject, threadOf } from "#core/leads/threadOf.ts"

const from = "2026-03-02T09:00:00.000Z"

describe("an absence", () => {
  it.each([
    ["I am out of the office until 8 March 2026.", "2026-03-09"],
    ["I will be back on March 9th, 2026", "2026-03-09"],
    ["I will return on Monday, 9 March.", "2026-03-09"],
    ["I'm away from 2 March to 8 March.", "2026-03-09"],
    ["Out of office through 2026-03-08", "2026-03-09"],
    ["Ich bin bis zum 08.03.2026 nicht im Büro.", "2026-03-09"],
    ["Ab dem 9. März bin ich wieder erreichbar.", "2026-03-09"],
    ["Je suis absente jusqu'au 8 mars 2026.", "2026-03-09"],
    ["De retour le 9 mars", "2026-03-09"],
    ["Estaré fuera hasta el 8 de marzo de 2026.", "2026-03-09"],
    ["Sono assente fino al 8 marzo 2026.", "2026-03-09"],
    ["Ik ben afwezig tot 8 maart 2026.", "2026-03-09"],
    ["Estou ausente até 8 de março de 2026.", "2026-03-09"],
    ["I am back on 3 January.", null],
    ["I was away until 1 March 2026.", null],
    ["I am away until further notice.", null],
    ["I am away until 8 March 2036.", null],
    ["Our offices opened on 5 May 2026.", null],
    ["", null]
  ])("%s", (text, day) => {
    assert.strictEqual(awayUntil(text, from), day === null ? null : `${day}T00:00:00.000Z`)
  })

  it("never ends in the past, nor more than half a year ahead", () => {
    const word = fc.constantFrom(
      ...[
        "until",
        "back",
        "bis",
        "31",
        "29",
        "02",
        "1.",
        "32.",
        "13.",
        "2026",
        "99",
        "/",
        "-",
        "February",
        "März",
        "mai",
        "août"
      ],
      ...["on", " ", ".", "\n", "2026-02-31", "2026-13-40", "31/12/26", "\u0000", "💌"]
    )
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 12 }),
        fc.date({ min: new Date("2000-01-01"), max: new Date("2090-01-01"), noInvalidDate: true }),
        (words, date) => {
          const at = date.toISOString()
          const until = awayUntil(words.join(" "), at)
          if (until === null) return
          assert.isTrue(until > at, until)
          assert.isAtMost(Date.parse(until) - Date.parse(at), 184 * 86_400_000)
        }
      ),
      { numRuns: 5_000 }
    )
  })

  it("takes no longer for a long text", () => {
    const began = performance.now()
    for (const word of ["until ", "31 ", "8. ", "until 8 March ", "20"]) awayUntil(word.repeat(100_000), from)
    assert.isBelow(performance.now() - began, 2_000)
  })
})

describe("a subject", () => {
  it.each([
    ["Re: Invoices", "invoices"],
    ["AW: RE:  Fwd: Invoices  2026 ", "invoices 2026"],
    ["Re[2]: Invoices", "invoices"],
    ["RE：Invoices", "invoices"],
    ["Re:", ""],
    ["Regarding: Invoices", "regarding: invoices"]
  ])("%s is %s without what programs put before it", (subject, bare) => {
    assert.strictEqual(bareSubject(subject), bare)
  })

  it("is the same when it is made bare again, with any prefix before it", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc
        .array(fc.constantFrom("re", "RE", ":", " ", "aw", "[2]", "I", "İ", "fwd", "x", "："), {
          maxLength: 12
        })
        .map((parts) => parts.join(""))
    )
    fc.assert(
      fc.property(text, fc.constantFrom("Re: ", "AW:", "Fwd: Re: ", " re : "), (subject, before) => {
        const bare = bareSubject(subject)
        assert.strictEqual(bareSubject(bare), bare)
        assert.strictEqual(bareSubject(`${before}${subject}`), bare)
        const thread = threadOf(subject, "Ada@Example.com")
        assert.strictEqual(threadOf(`${before}${subject}`, "bob@example.COM"), thread)
      }),
      { numRuns: 3_000 }
    )
  })
})
