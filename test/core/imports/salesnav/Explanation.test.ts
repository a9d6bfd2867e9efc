import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { explain, importName } from "#core/imports/salesnav/Explanation.ts"
import { parseSalesNavUrl } from "#core/imports/salesnav/SalesNavSearch.ts"
import { search, spellings } from "./searches.ts"

const people = "https://www.linkedin.com/sales/search/people"
const read = (url: string) => Result.getOrThrow(parseSalesNavUrl(url))
const query = (text: string) => read(spellings.linkedin(text))

const seniority =
  "(type:SENIORITY_LEVEL,values:List((id:310,text:Chefetage),(id:220),(id:100,selectionType:EXCLUDED),(id:999,text:Odd)))"
const headcount = "(type:COMPANY_HEADCOUNT,values:List((id:C)))"
const region = "(type:REGION,values:List((id:103644278,selectionType:EXCLUDED)))"

describe("explain", () => {
  it("tells keywords and filters in plain words, ids by their known meaning", () => {
    const { explanation, warnings } = explain(
      query(`(keywords:ai%20agents,filters:List(${seniority},${headcount},${region}))`)
    )
    assert.strictEqual(
      explanation,
      'Finds people who match the keywords "ai agents" and pass the filters seniority level (CXO, director or Odd, ' +
        "not in training), company headcount (11-50) and region (not United States) in Sales Navigator. " +
        "At most 2,500 of them can be read."
    )
    assert.deepStrictEqual(warnings, [])
  })

  it("cuts long lists", () => {
    const values = Array.from({ length: 9 }, (_, index) => `(id:${index},text:Title ${index})`).join(",")
    assert.include(
      explain(query(`(filters:List((type:CURRENT_TITLE,values:List(${values}))))`)).explanation,
      "current title (Title 0, Title 1, Title 2, Title 3, Title 4 or 4 more)"
    )
  })

  it.each([
    ["no filters or keywords", people, ["no filters and no keywords", "2,500"]],
    ["keywords only", `${people}?query=(keywords%3Aai)`, ["no filters, so it is very broad", "2,500"]],
    ["saved search only", `${people}?savedSearchId=12`, ["only to saved search 12"]],
    ["history only", `${people}?recentSearchId=12`, ["only to an entry of the search history"]],
    ["only excluding", spellings.linkedin(`(filters:List(${region}))`), ["only exclude", "2,500"]],
    ["page", `${spellings.linkedin(`(filters:List(${headcount}))`)}&page=4`, ["page 4", "start_page"]],
    [
      "new results",
      `${spellings.linkedin(`(filters:List(${headcount}))`)}&newResultsOnly=true`,
      ["only results that are new"]
    ],
    ["unknown", spellings.linkedin(`(filters:List(${headcount},(type:BRAND_NEW,values:List((id:1)))))`), ["BRAND_NEW"]]
  ])("warns of: %s", (_, url, says) => {
    const { warnings } = explain(read(url))
    assert.strictEqual(warnings.length, 1)
    for (const words of says) assert.include(warnings[0], words)
  })

  it("says each warning that applies", () => {
    assert.strictEqual(explain(read(`${people}?savedSearchId=1&page=2&newResultsOnly=true&foo=1`)).warnings.length, 4)
  })

  it("stays one line of bounded length for any search", () => {
    fc.assert(
      fc.property(search, (generated) => {
        const { explanation, warnings } = explain(generated)
        for (const sentence of [explanation, ...warnings]) {
          assert.notMatch(sentence, /[\p{Cc}\p{Surrogate}]/u)
          assert.isBelow(sentence.length, 5_000)
          assert.match(sentence, /\.$/)
        }
      })
    )
  })
})

describe("importName", () => {
  it.each([
    ["keywords first", `(keywords:ai%20%20agents,filters:List(${headcount}))`, "ai agents"],
    [
      "two filters",
      `(filters:List(${headcount},${region},${seniority}))`,
      "company headcount (11-50); region (not United States)"
    ]
  ])("names by %s", (_, text, subject) => {
    assert.strictEqual(importName(query(text), "2026-11-02T10:00:00.000Z"), `Sales Navigator: ${subject}, 2026-11-02`)
  })

  it("names searches without a query", () => {
    assert.strictEqual(
      importName(read(`${people}?savedSearchId=12`), "2026-11-02"),
      "Sales Navigator: saved search 12, 2026-11-02"
    )
    assert.strictEqual(
      importName(read(`${people}?recentSearchId=3`), "2026-11-02"),
      "Sales Navigator: recent search 3, 2026-11-02"
    )
    assert.strictEqual(importName(read(people), "2026-11-02"), "Sales Navigator: all people, 2026-11-02")
  })

  it("takes keywords without a visible character as absent", () => {
    const blank = query("(keywords:%0A%01%20)")
    assert.strictEqual(importName(blank, "2026-11-02"), "Sales Navigator: all people, 2026-11-02")
    assert.include(explain(blank).explanation, "everybody")
  })

  it("is one line of at most 120 characters for any search", () => {
    const long = search.map((generated) => ({ ...generated, keywords: (generated.keywords ?? "").repeat(30) || null }))
    fc.assert(
      fc.property(long, (generated) => {
        const name = importName(generated, "2026-11-02")
        assert.isAtMost([...name].length, 120)
        assert.notMatch(name, /[\p{Cc}\p{Surrogate}]/u)
        assert.match(name, /^Sales Navigator: \S.*, 2026-11-02$/u)
      })
    )
  })
})
