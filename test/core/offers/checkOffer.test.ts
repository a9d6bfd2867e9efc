import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { checkOffer, scoreOf } from "#core/offers/check/checkOffer.ts"
import { textsOf } from "#core/offers/check/offerTexts.ts"
import type { OfferContent } from "#core/offers/Offer.ts"
import { applyWrite, emptyContent } from "#core/offers/OfferInput.ts"
import { cpuMillis } from "../../support/cpuMillis.ts"
import { effort } from "../../support/effort.ts"

const good = applyWrite(emptyContent, {
  name: "Invoice automation",
  one_liner: "Invoices that book themselves",
  value_proposition: "Finance teams close the month 4 days earlier.",
  landing_page_url: "https://acme.com/invoices",
  references: [
    { type: "CASE_STUDY", content: "Acme closed in two days instead of six after one quarter.", company: "Acme" }
  ],
  problem_solutions: [
    { problem: "Month-end takes a week", solution: "Invoices are booked on arrival", feature: "Auto" }
  ],
  differentiators: [{ title: "No template to maintain", description: "It reads any layout." }],
  resources: [{ type: "GUIDE", title: "Closing in two days", url: "https://acme.com/guide" }]
})

const found = (change: Partial<OfferContent>): ReadonlyArray<string> =>
  checkOffer({ ...good, ...change }).findings.map(({ code, path, severity }) => `${severity} ${code} ${path}`)

const reference = (change: Partial<OfferContent["references"][number]>): Partial<OfferContent> => {
  const [first] = good.references
  return first === undefined ? {} : { references: [{ ...first, ...change }] }
}

describe("checkOffer", () => {
  it("has nothing to say of an offer with proof", () => {
    assert.deepStrictEqual(checkOffer(good), { score: 100, findings: [] })
  })

  it("names what is missing, worst first", () => {
    assert.deepStrictEqual(
      checkOffer(emptyContent).findings.map(({ code, path, severity }) => `${severity} ${code} ${path}`),
      [
        "error missing name",
        "error missing one_liner",
        "error missing value_proposition",
        "warning no_proof references",
        "warning missing problem_solutions",
        "warning missing differentiators",
        "info missing landing_page_url",
        "info missing resources"
      ]
    )
  })

  it("finds placeholders in every text", () => {
    assert.deepStrictEqual(found({ description: "Made for {{company}} and [Industry]." }), [
      "error placeholder description",
      "error placeholder description"
    ])
    assert.deepStrictEqual(found({ landingPageUrl: "https://acme.com/?c={{company}}" }), [
      "error placeholder landing_page_url"
    ])
    assert.deepStrictEqual(found({ landingPageUrl: "https://acme.com/%7B%7Bcompany%7D%7D" }), [
      "error placeholder landing_page_url"
    ])
  })

  it("finds addresses that lead nowhere", () => {
    const severityOf = (url: string) => found({ landingPageUrl: url })[0]
    const cases: ReadonlyArray<readonly [string, string | undefined]> = [
      ["https://www.acme.com/a?b=c#d", undefined],
      ["https://münchen.de/", undefined],
      ["https://www.example.com/audit", "warning dead_address landing_page_url"],
      ["https://shop.test", "warning dead_address landing_page_url"],
      ["https://notexample.com", undefined],
      ["http://localhost:3000/", "warning dead_address landing_page_url"],
      ["https://intranet/page", "error dead_address landing_page_url"],
      ["https://https//acme.com", "error dead_address landing_page_url"],
      ["https://10.0.0.7/x", "warning dead_address landing_page_url"],
      ["https://[::1]/x", "warning dead_address landing_page_url"],
      ["https://your-company.com", "warning dead_address landing_page_url"],
      ["https://acme.com/page.", "warning dead_address landing_page_url"],
      ["https://bit.ly/abc", "warning short_address landing_page_url"],
      ["http://acme.com", "info insecure_address landing_page_url"]
    ]
    for (const [url, expected] of cases) assert.strictEqual(severityOf(url), expected, url)
  })

  it("weighs proof", () => {
    assert.deepStrictEqual(found(reference({ content: "Great!" })), ["warning weak_proof references[0].content"])
    assert.deepStrictEqual(found(reference({ company: null })), ["warning anonymous_proof references[0].company"])
    assert.deepStrictEqual(found(reference({ company: null, author: "Jo" })), [])
    assert.deepStrictEqual(found(reference({ type: "STATS", content: "Customers are much happier than before." })), [
      "warning unsourced_proof references[0].source",
      "warning no_figure references[0].content"
    ])
    const plain = reference({ content: "Acme closes its books sooner than it used to." })
    assert.deepStrictEqual(found({ ...plain, valueProposition: "Close earlier." }), [
      "info no_figure value_proposition"
    ])
  })

  it("finds repetitions whatever their case and punctuation", () => {
    const twice = [
      { title: "No templates", description: "No templates!" },
      { title: "no TEMPLATES.", description: null }
    ]
    assert.deepStrictEqual(found({ differentiators: twice }), [
      "warning duplicate differentiators[1].title",
      "warning duplicate differentiators[0].description"
    ])
    assert.deepStrictEqual(found({ oneLiner: "Invoice  Automation." }), ["warning duplicate one_liner"])
    const urls = ["https://acme.com/a", "https://acme.com/a"]
    const resources = urls.map((url) => ({
      type: "GUIDE" as const,
      title: url,
      description: null,
      url,
      publishedAt: null
    }))
    assert.deepStrictEqual(found({ resources }), ["warning duplicate resources[1].url"])
  })

  it("minds length, sentences and shouting", () => {
    assert.deepStrictEqual(found({ oneLiner: "x ".repeat(71).trim() }), ["warning too_long one_liner"])
    assert.deepStrictEqual(found({ oneLiner: "It books invoices. It sleeps never" }), [
      "info several_sentences one_liner"
    ])
    assert.deepStrictEqual(found({ description: "CLOSE YOUR BOOKS TODAY WITH US" }), ["info shouting description"])
  })

  const word = fc.oneof(
    fc.constantFrom("best-in-class", "{{name}}", "[Company]", "%NAME%", "Acme", "30%", "https://x.test", "!!!", ""),
    fc.string({ unit: "binary" })
  )
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "))
  const orNull = fc.option(text)
  const url = fc.option(fc.oneof(fc.webUrl(), text))
  const content: fc.Arbitrary<OfferContent> = fc.record({
    name: text,
    oneLiner: text,
    valueProposition: text,
    description: orNull,
    landingPageUrl: url,
    salesBriefUrl: url,
    isDraft: fc.boolean(),
    references: fc.array(
      fc.record({
        type: fc.constantFrom("TESTIMONIAL" as const, "STATS" as const, "OTHER" as const),
        title: orNull,
        content: text,
        author: orNull,
        jobTitle: orNull,
        company: orNull,
        companyLocation: orNull,
        companySize: orNull,
        industry: orNull,
        keyResult: orNull,
        source: orNull,
        publishedAt: fc.constant(null),
        url,
        tags: fc.constant(null),
        metadata: fc.constant(null)
      }),
      { maxLength: 3 }
    ),
    problemSolutions: fc.array(fc.record({ problem: text, solution: text, feature: text }), { maxLength: 3 }),
    differentiators: fc.array(fc.record({ title: text, description: orNull }), { maxLength: 3 }),
    resources: fc.array(
      fc.record({
        type: fc.constant("GUIDE" as const),
        title: text,
        description: orNull,
        url,
        publishedAt: fc.constant(null)
      }),
      { maxLength: 3 }
    )
  })

  it("never throws, answers the same twice, worst first, with paths that exist and short messages", () => {
    const ranks: Readonly<Record<string, number>> = { error: 0, warning: 1, info: 2 }
    const place = /^(?:[a-z_]+|(references|problem_solutions|differentiators|resources)\[(\d+)\]\.[a-z_]+)$/
    fc.assert(
      fc.property(content, (offer) => {
        const { findings, score } = checkOffer(offer)
        assert.deepStrictEqual(checkOffer(offer), { findings, score })
        assert.isTrue(Number.isInteger(score) && score >= 0 && score <= 100)
        const counts = {
          references: offer.references.length,
          problem_solutions: offer.problemSolutions.length,
          differentiators: offer.differentiators.length,
          resources: offer.resources.length
        }
        let worst = 0
        for (const { message, path, severity } of findings) {
          const [, list, index] = place.exec(path) ?? assert.fail(`no such path: ${path}`)
          if (list !== undefined) assert.isBelow(Number(index), Number(Reflect.get(counts, list)))
          assert.isAtLeast(ranks[severity] ?? -1, worst)
          worst = ranks[severity] ?? 0
          assert.isTrue(message.isWellFormed())
          assert.isBelow(message.length, 300)
        }
        if (findings.length < 100) assert.strictEqual(score, scoreOf(findings))
      }),
      { numRuns: effort(300) }
    )
  })

  it("a better offer never scores less: filling in what is missing takes findings away", () => {
    fc.assert(
      fc.property(content, (offer) => {
        const filled = { ...offer, references: good.references, problemSolutions: good.problemSolutions }
        const bare = { ...offer, references: [], problemSolutions: [] }
        assert.isAtLeast(checkOffer(filled).score, checkOffer(bare).score)
      })
    )
  })

  it("takes 20,000 characters of anything in a moment", () => {
    for (const piece of ["[", "{", "%a", "x", "<", "aA ", "best-in-", "1.", "\u0301", "__a", "insert "]) {
      const long = piece.repeat(20_000 / piece.length)
      const landingPageUrl = `https://acme.com/${long}`
      const filled = { ...good, description: long, oneLiner: long, references: [], landingPageUrl }
      assert.isBelow(
        cpuMillis(() => checkOffer(filled)),
        500,
        piece
      )
    }
    assert.isNotEmpty(textsOf(good))
  })
})
