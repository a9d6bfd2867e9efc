import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { filterTypes } from "#core/imports/salesnav/FilterVocabulary.ts"
import { formatSalesNavUrl, makeSalesNavSearch, parseSalesNavUrl } from "#core/imports/salesnav/SalesNavSearch.ts"
import type { SearchValue } from "#core/imports/salesnav/SearchQuery.ts"
import type { FailureCode } from "#core/kernel/failure/failureTable.ts"
import { cpuMillis } from "../../../support/cpuMillis.ts"
import { effort } from "../../../support/effort.ts"
import { search, spellings } from "./searches.ts"

const people = "https://www.linkedin.com/sales/search/people"

const value = (parts: Partial<SearchValue>): SearchValue => ({
  id: null,
  text: null,
  selection: "INCLUDED",
  parentId: null,
  extra: [],
  ...parts
})

const filter = (type: string, ...values: ReadonlyArray<SearchValue>) => ({ type, values, subFilter: null, extra: [] })

const read = (url: string) => Result.getOrThrow(parseSalesNavUrl(url))

const refusal = (url: string) => Result.getOrThrow(Result.flip(parseSalesNavUrl(url)))

describe("parseSalesNavUrl", () => {
  it("reads an address as the browser shows it", () => {
    const url =
      `${people}?query=(spellCorrectionEnabled%3Atrue%2CrecentSearchParam%3A(id%3A4876827156%2CdoLogHistory%3Atrue)` +
      "%2Cfilters%3AList((type%3ACURRENT_COMPANY%2Cvalues%3AList((id%3Aurn%253Ali%253Aorganization%253A1642" +
      "%2Ctext%3AProcter%2520%2526%2520Gamble%252C%2520Inc%252E%2CselectionType%3AEXCLUDED%2Cparent%3A(id%3A0))))" +
      "%2C(type%3ACURRENT_TITLE%2Cvalues%3AList((text%3A%2528VP%2520OR%2520Director%2529%2CselectionType%3AINCLUDED))" +
      "%2CselectedSubFilter%3ACURRENT))%2Ckeywords%3Aomni%25C3%25A9%2520C%252B%252B)" +
      "&sessionId=dWkpYPKRTAWlvuhxhajbdQ%3D%3D&viewAllFilters=true&page=3"
    assert.deepStrictEqual(
      read(url),
      makeSalesNavSearch({
        keywords: "omnié C++",
        spellCorrection: true,
        recentSearchId: "4876827156",
        page: 3,
        filters: [
          filter(
            "CURRENT_COMPANY",
            value({
              id: "urn:li:organization:1642",
              text: "Procter & Gamble, Inc.",
              selection: "EXCLUDED",
              parentId: "0"
            })
          ),
          { ...filter("CURRENT_TITLE", value({ text: "(VP OR Director)" })), subFilter: "CURRENT" }
        ]
      })
    )
  })

  const query =
    "(filters:List((type:REGION,values:List((id:103644278,text:United%20States,selectionType:INCLUDED)))),keywords:ai)"
  const expected = makeSalesNavSearch({
    keywords: "ai",
    filters: [filter("REGION", value({ id: "103644278", text: "United States" }))]
  })

  it.each(Object.entries(spellings))("reads the encoding %s", (_, spell) => {
    assert.deepStrictEqual(read(spell(query)), expected)
  })

  it.each([
    "www.linkedin.com/sales/search/people",
    "linkedin.com/sales/search/people",
    "https://linkedin.com/sales/search/people/",
    "http://www.linkedin.com/sales/search/people",
    "  HTTPS://WWW.LINKEDIN.COM/sales/search/people/"
  ])("reads the address spelled %s", (address) => {
    assert.deepStrictEqual(read(`${address}?query=${encodeURIComponent(query)}\n`), expected)
  })

  it("drops session and tracking parameters, keeps what it does not understand", () => {
    const url = `${spellings.linkedin(query)}&searchSessionId=a%3D%3D&sessionId=b&viewAllFilters=true&_ntb=c&utm_source=d&coach=%C3%A9&page=`
    const read_ = read(url)
    assert.deepStrictEqual(read_.parameters, [["coach", "é"]])
    assert.deepStrictEqual(read_.unknown, ["?coach"])
    assert.strictEqual(formatSalesNavUrl(read_), `${spellings.linkedin(query)}&coach=%C3%A9`)
  })

  it("reads saved and recent searches, and the mode of new results", () => {
    const saved = read(
      `${people}?savedSearchId=22040586&newResultsOnly=true&lastViewedAt=1700000000000&sessionId=x%3D%3D`
    )
    assert.deepStrictEqual(
      saved,
      makeSalesNavSearch({ savedSearchId: "22040586", newResultsOnly: true, lastViewedAt: "1700000000000" })
    )
    assert.deepStrictEqual(read(`${people}?recentSearchId=7`), makeSalesNavSearch({ recentSearchId: "7" }))
    assert.deepStrictEqual(
      read(`${people}?query=(recentSearchParam%3A(id%3A7%2CdoLogHistory%3Atrue))`),
      makeSalesNavSearch({ recentSearchId: "7" })
    )
    assert.deepStrictEqual(read(people), makeSalesNavSearch({}))
  })

  it("keeps unknown filter types and keys, and lists them", () => {
    const strange = read(
      spellings.linkedin(
        "(filters:List((type:BRAND_NEW,values:List((id:1,weight:(a:2))),rangeValue:(min:1,max:2)),(type:REGION,values:List((id:1,parent:(id:0,x:y))))),pivot:List(a))"
      )
    )
    assert.deepStrictEqual(strange.unknown, [
      "BRAND_NEW",
      "BRAND_NEW.rangeValue",
      "BRAND_NEW.values.weight",
      "REGION.values.parent",
      "query.pivot"
    ])
    assert.deepStrictEqual(read(formatSalesNavUrl(strange)), strange)
  })

  it("knows every filter type of the vocabulary", () => {
    const filters = [...filterTypes.keys()].map((type) => `(type:${type},values:List((id:1,selectionType:INCLUDED)))`)
    assert.strictEqual(filters.length, 29)
    const all = read(spellings.linkedin(`(filters:List(${filters.join(",")}))`))
    assert.strictEqual(all.filters.length, 29)
    assert.deepStrictEqual(all.unknown, [])
  })

  it("takes a value without selectionType as included, and empty texts as absent", () => {
    assert.deepStrictEqual(
      read(spellings.linkedin("(keywords:,filters:List((type:REGION,values:List((id:1,text:)))))")),
      makeSalesNavSearch({ filters: [filter("REGION", value({ id: "1" }))] })
    )
  })

  const refusals: ReadonlyArray<readonly [url: string, code: FailureCode, says: string]> = [
    ["https://www.linkedin.com/sales/search/company?query=(keywords%3Aai)", "NOT_A_PEOPLE_SEARCH", "company search"],
    [
      "https://www.linkedin.com/sales/lists/people/6912345",
      "NOT_A_PEOPLE_SEARCH",
      "LinkedIn gateway that supports them"
    ],
    [
      "https://www.linkedin.com/search/results/people/?keywords=ai",
      "NOT_A_PEOPLE_SEARCH",
      "LinkedIn search, not a Sales Navigator search"
    ],
    ["https://www.linkedin.com/sales/lead/ACwAAAAdaooB,NAME_SEARCH,x", "NOT_A_PEOPLE_SEARCH", "one person"],
    ["https://www.linkedin.com/in/ada-lovelace", "NOT_A_PEOPLE_SEARCH", "one person"],
    ["https://www.linkedin.com/sales/search/people/x", "NOT_A_PEOPLE_SEARCH", "path"],
    ["https://www.linkedin.com.evil.example/sales/search/people", "NOT_A_PEOPLE_SEARCH", "www.linkedin.com"],
    ["https://ada:secret@www.linkedin.com/sales/search/people", "NOT_A_PEOPLE_SEARCH", "www.linkedin.com"],
    ["https://www.linkedin.com:8443/sales/search/people", "NOT_A_PEOPLE_SEARCH", "www.linkedin.com"],
    ["javascript:alert(1)", "NOT_A_PEOPLE_SEARCH", "Expected a people search"],
    ["", "NOT_A_PEOPLE_SEARCH", "not a URL"],
    ["founders in Berlin", "NOT_A_PEOPLE_SEARCH", "not a URL"],
    [`${people}?query=(keywords%3Aai`, "INVALID_INPUT", "At character 13"],
    [`${people}?query=(keywords%3AC#)`, "INVALID_INPUT", "At character 12"],
    [`${people}?query=ai`, "INVALID_INPUT", "a record"],
    [`${people}?query=(a%3A1)&query=(a%3A1)`, "INVALID_INPUT", "query is allowed once"],
    [`${people}?query=(filters%3Ax)`, "INVALID_INPUT", "url query.filters: expected a list"],
    [`${people}?query=(filters%3AList(x))`, "INVALID_INPUT", "url query.filters[0]: expected a record"],
    [`${people}?query=(filters%3AList((values%3AList())))`, "INVALID_INPUT", "filters[0].type"],
    [
      `${people}?query=(filters%3AList((type%3AX%2Cvalues%3AList(()))))`,
      "INVALID_INPUT",
      "filters[0].values[0]: expected an id"
    ],
    [
      `${people}?query=(filters%3AList((type%3AX%2Cvalues%3AList((id%3A1%2CselectionType%3AMAYBE)))))`,
      "INVALID_INPUT",
      "filters[0].values[0].selectionType: expected INCLUDED or EXCLUDED"
    ],
    [`${people}?query=(keywords%3AList(a))`, "INVALID_INPUT", "query.keywords: expected a text"],
    [`${people}?query=(keywords%3Aa%2500)`, "INVALID_INPUT", "NUL"],
    [`${people}?query=(keywords%3Aa%00)`, "INVALID_INPUT", "NUL"],
    [`${people}?savedSearchId=abc`, "INVALID_INPUT", "savedSearchId: must be digits"],
    [`${people}?page=0`, "INVALID_INPUT", "page: must be a whole number from 1 to 100"],
    [`${people}?page=101`, "INVALID_INPUT", "page: must be"],
    [`${people}?query=(keywords%3A${"a".repeat(8_000)})`, "INVALID_INPUT", "the maximum is 8,000"]
  ]

  it.each(refusals)("refuses %s", (url, code, says) => {
    const failure = refusal(url)
    assert.strictEqual(failure.code, code)
    assert.include(failure.message, says)
    assert.match(failure.message, /[Cc]opy /)
  })

  it("reads 8,000 characters", () => {
    const start = `${people}?query=(keywords:`
    assert.strictEqual(read(`${start}${"a".repeat(7_999 - start.length)})`).keywords?.length, 7_999 - start.length)
    assert.strictEqual(refusal(`${start}${"a".repeat(8_000 - start.length)})`).code, "INVALID_INPUT")
  })

  it("never throws, never echoes more than 100 characters, and stays fast", () => {
    const starts = fc.constantFrom("", `${people}?query=`, `${people}?query=(filters:List(`, `${people}?`, "https://")
    const garbage = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({
        unit: fc.constantFrom("(", ")", ":", ",", "List(", "type", "values", "%25", "%", "&", "=", "#"),
        maxLength: 300
      })
    )
    fc.assert(
      fc.property(starts, garbage, (start, rest) => {
        const result = parseSalesNavUrl(start + rest)
        if (Result.isFailure(result)) assert.isBelow(result.failure.message.length, 500)
        else assert.deepStrictEqual(read(formatSalesNavUrl(result.success)), result.success)
      }),
      { numRuns: effort(2_000) }
    )
    const spent = cpuMillis(() => {
      for (const unit of ["(", "%", "a:", "&", "=", "List(", "/", "\u{1F600}"]) {
        for (const length of [7_000, 50_000]) {
          parseSalesNavUrl(`${people}?query=${unit.repeat(length / unit.length)}`)
          parseSalesNavUrl(unit.repeat(length / unit.length))
        }
      }
    })
    assert.isBelow(spent, 5_000)
  })
})

describe("formatSalesNavUrl", () => {
  it("prints as LinkedIn does", () => {
    const url = formatSalesNavUrl(
      makeSalesNavSearch({
        keywords: "it's (new), 100%",
        page: 2,
        filters: [filter("CURRENT_COMPANY", value({ id: "urn:li:organization:1642", text: "A & B", parentId: "0" }))]
      })
    )
    assert.strictEqual(
      url,
      `${people}?query=(filters%3AList((type%3ACURRENT_COMPANY%2Cvalues%3AList((id%3Aurn%253Ali%253Aorganization%253A1642` +
        "%2Ctext%3AA%2520%2526%2520B%2CselectionType%3AINCLUDED%2Cparent%3A(id%3A0)))))" +
        "%2Ckeywords%3Ait%2527s%2520%2528new%2529%252C%2520100%2525)&page=2"
    )
  })

  it("is read back as the same search", () => {
    fc.assert(
      fc.property(search, (generated) => {
        const url = formatSalesNavUrl(generated)
        fc.pre(url.length <= 8_000)
        assert.deepStrictEqual(read(url), generated)
        assert.strictEqual(formatSalesNavUrl(read(url)), url)
      }),
      { numRuns: effort(1_000) }
    )
  })
})
