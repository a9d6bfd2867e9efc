/** Imports of LinkedIn's own people search, and of searches made of filters. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import {
  formatLinkedInSearchUrl,
  linkedInFingerprint,
  linkedInImportName,
  parseLinkedInSearchUrl
} from "#core/imports/Audience.ts"
import { filterSearch } from "#core/imports/salesnav/filterSearch.ts"
import { formatSalesNavUrl, parseSalesNavUrl } from "#core/imports/salesnav/SalesNavSearch.ts"
import { effort } from "../../support/effort.ts"
import { ask, commands, ok, refused } from "../../support/World.ts"
import { gatewayDown, importWorkspace, Provider, repositories, searchUrl, seeded } from "./importWorkspace.ts"

const into = { mission_id: "spring-outreach" }
const address = (query: string) => `https://www.linkedin.com/search/results/people/?${query}`
const read = (url: string) => Result.getOrThrow(parseLinkedInSearchUrl(url))
const code = (url: string) =>
  Result.match(parseLinkedInSearchUrl(url), { onFailure: (failure) => failure.code, onSuccess: () => "read" })
const scriptProvider = (script: Parameters<Provider["Service"]["script"]>[0]) =>
  Effect.flatMap(Provider, (provider) => provider.script(script))
const asked = Effect.flatMap(Provider, (provider) => provider.asked)
const settled = Effect.repeat(Effect.yieldNow, { times: 600 })

describe("the address of a LinkedIn people search", () => {
  it("is the same audience in any order, spelling and place", () => {
    const one = address(
      "keywords=fintech%20cfo&geoUrn=%5B%22103%22%2C%22104%22%5D&origin=FACETED_SEARCH&sid=abc&page=3"
    )
    const others = [
      address("geoUrn=%5B%22104%22%2C%22103%22%5D&keywords=fintech++cfo"),
      `linkedin.com/search/results/people?utm_source=x&keywords=fintech%20cfo&geoUrn=["104","103"]`
    ]
    for (const other of others) assert.strictEqual(linkedInFingerprint(read(other)), linkedInFingerprint(read(one)))
    assert.strictEqual(read(one).page, 3)
    for (const different of [
      "keywords=fintech",
      'keywords=fintech%20cfo&geoUrn=["103"]',
      "keywords=fintech%20cfo&title=x"
    ]) {
      assert.notStrictEqual(linkedInFingerprint(read(address(different))), linkedInFingerprint(read(one)))
    }
    assert.strictEqual(linkedInImportName(read(one), "2026-11-21T08:00:00Z"), "LinkedIn: fintech cfo, 2026-11-21")
  })

  it("refuses what it is not, and says what to do", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["https://www.linkedin.com/in/ada", "NOT_A_PEOPLE_SEARCH"],
      ["https://www.linkedin.com/search/results/companies/?keywords=x", "NOT_A_PEOPLE_SEARCH"],
      ["https://www.linkedin.com/sales/search/people?query=(keywords%3Ax)", "NOT_A_PEOPLE_SEARCH"],
      ["https://example.com/search/results/people/?keywords=x", "NOT_A_PEOPLE_SEARCH"],
      ["https://www.linkedin.com:8443/search/results/people/?keywords=x", "NOT_A_PEOPLE_SEARCH"],
      ["no address", "NOT_A_PEOPLE_SEARCH"],
      [address(""), "INVALID_INPUT"],
      [address("keywords=%20&origin=x"), "INVALID_INPUT"],
      [address("keywords=a&keywords=b"), "INVALID_INPUT"],
      [address("keywords=a&page=0"), "INVALID_INPUT"],
      [address("keywords=a%00"), "INVALID_INPUT"],
      [address(`keywords=${"a".repeat(8_000)}`), "INVALID_INPUT"]
    ]
    for (const [url, expected] of cases) assert.strictEqual(code(url), expected, url.slice(0, 100))
  })

  it("is printed so that it is read the same, whatever it holds", () => {
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
      .filter((one) => one.trim() !== "" && !one.includes("\0"))
    const name = fc.constantFrom("geoUrn", "network", "title", "x[y]", "a&b")
    fc.assert(
      fc.property(text, fc.uniqueArray(fc.tuple(name, text), { selector: ([key]) => key }), (keywords, conditions) => {
        const search = { keywords, conditions, page: 1 }
        assert.deepStrictEqual(read(formatLinkedInSearchUrl(search, 1)), search)
        assert.strictEqual(read(formatLinkedInSearchUrl(search, 7)).page, 7)
      })
    )
    fc.assert(fc.property(fc.string(), (garbage) => void parseLinkedInSearchUrl(garbage)))
  })
})

describe("import.linkedin.search", () => {
  it.effect("imports the people of a search once, by the token of their profile", () =>
    Effect.gen(function* () {
      yield* seeded
      yield* scriptProvider(() => Effect.void)
      const url = address("keywords=sim-24&origin=x&page=2")
      const found = yield* ok("import.linkedin.search", { url, ...into })
      assert.deepStrictEqual([found.created_count, found.import_type], [24, "LINKEDIN_SEARCH"])
      assert.strictEqual(found.import_name, "LinkedIn: sim-24, 1970-01-01")
      assert.deepStrictEqual(
        (yield* asked).map(({ cursor }) => cursor),
        [null, "10", "20"]
      )
      assert.notInclude((yield* asked)[0]?.url ?? "", "page=2")
      const again = yield* ok("import.linkedin.search", { url: address("keywords=sim-24"), ...into })
      assert.deepStrictEqual([again.already_exists, again.import_id], [true, found.import_id])
      const shown = Object((yield* ok("import.get", { import_id: found.import_id })).import)
      assert.deepStrictEqual([shown.source_url, shown.state], [url, "completed"])
      const sales = yield* ok("import.sales-nav.search", { url: searchUrl("sim-24"), ...into })
      assert.isFalse(sales.already_exists, "another search than that of Sales Navigator")
    }).pipe(Effect.provide(importWorkspace))
  )

  it.effect("keeps its cursor page by page, and goes on after its process died", () =>
    Effect.gen(function* () {
      const begun = yield* Effect.gen(function* () {
        yield* seeded
        yield* scriptProvider((page) => (page === 2 ? Effect.never : Effect.void))
        const search = { url: address("keywords=sim-35"), ...into, wait_seconds: 0 }
        const found = yield* ok("import.linkedin.search", search)
        yield* settled
        return found
      }).pipe(Effect.provide(commands))
      yield* Effect.gen(function* () {
        yield* scriptProvider(() => Effect.void)
        yield* ok("import.resume", { import_id: begun.import_id })
        yield* settled
        const end = Object((yield* ok("import.get", { import_id: begun.import_id })).import)
        assert.deepStrictEqual([end.state, end.created_count, end.progress.seen], ["completed", 35, 35])
        assert.deepStrictEqual(
          (yield* asked).map(({ cursor }) => cursor),
          ["20", "30"]
        )
      }).pipe(Effect.provide(commands))
    }).pipe(Effect.provide(repositories))
  )

  it.effect("refuses what it cannot read, and tells what the provider said", () =>
    Effect.gen(function* () {
      yield* seeded
      const url = address("keywords=x")
      assert.include(yield* refused("import.linkedin.search", { url }), "INVALID_INPUT mission_id")
      assert.include(yield* refused("import.linkedin.search", { url, ...into, limit: 1_001 }), "INVALID_INPUT limit")
      assert.include(
        yield* refused("import.linkedin.search", { url: searchUrl("x"), ...into }),
        "use import.sales-nav.search"
      )
      yield* scriptProvider(() => Effect.fail(gatewayDown))
      const { envelope } = yield* ask("import.linkedin.search", { url, ...into, wait_seconds: 0 })
      assert.isTrue(envelope.ok)
    }).pipe(Effect.provide(importWorkspace))
  )
})

describe("a search made of filters", () => {
  const made = (
    filters: Record<string, ReadonlyArray<string>>,
    exclude = {},
    keywords: string | undefined = undefined
  ) => filterSearch({ filters, exclude, keywords })

  it("takes names and values as people write them", () => {
    const search = Result.getOrThrow(
      made(
        {
          "seniority level": ["Director", "320"],
          COMPANY_HEADCOUNT: ["11-50"],
          current_title: ["CFO"],
          REGION: ["103644278"]
        },
        {
          INDUSTRY: ["Software Development", "99999"]
        }
      )
    )
    const values = search.filters.map(({ type, values: list }) => [
      type,
      list.map(({ id, selection, text }) => [id, text, selection])
    ])
    assert.deepStrictEqual(values, [
      [
        "SENIORITY_LEVEL",
        [
          ["220", "director", "INCLUDED"],
          ["320", "owner or partner", "INCLUDED"]
        ]
      ],
      ["COMPANY_HEADCOUNT", [["C", "11-50", "INCLUDED"]]],
      ["CURRENT_TITLE", [[null, "CFO", "INCLUDED"]]],
      ["REGION", [["103644278", "United States", "INCLUDED"]]],
      [
        "INDUSTRY",
        [
          ["4", "Software Development", "EXCLUDED"],
          ["99999", null, "EXCLUDED"]
        ]
      ]
    ])
    assert.isTrue(Result.isSuccess(made({ SOME_NEW_FILTER: ["x"] })))
  })

  it("refuses what is no filter, nothing at all, and too much", () => {
    const message = (one: ReturnType<typeof made>) => (Result.isFailure(one) ? one.failure.message : "made")
    assert.include(message(made({ "seniority levl": ["x"] })), "Did you mean SENIORITY_LEVEL?")
    assert.include(message(made({})), "at least one value")
    assert.include(message(made({ CURRENT_TITLE: [] })), "at least one value")
    assert.include(
      message(made({ CURRENT_TITLE: Array.from({ length: 100 }, (_, n) => `${n}${"x".repeat(150)}`) })),
      "8,000"
    )
  })

  it("has an address that says the same", () => {
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((one) => one.trim() !== "" && !one.includes("\0"))
    const type = fc.constantFrom("CURRENT_TITLE", "SENIORITY_LEVEL", "REGION")
    fc.assert(
      fc.property(fc.dictionary(type, fc.array(text, { minLength: 1, maxLength: 4 })), text, (filters, keywords) => {
        const search = made(filters, {}, keywords)
        if (Result.isFailure(search)) return assert.fail(search.failure.message)
        const again = parseSalesNavUrl(formatSalesNavUrl(search.success))
        assert.deepStrictEqual(Result.getOrThrow(again).filters, search.success.filters)
      }),
      { numRuns: effort(200) }
    )
  })
})

describe("import.sales-nav.filters", () => {
  it.effect("imports whom they find, and answers the search that was made", () =>
    Effect.gen(function* () {
      yield* seeded
      const input = {
        filters: { CURRENT_TITLE: ["CFO"] },
        exclude: { seniority_level: ["in training"] },
        keywords: "sim-30"
      }
      const found = yield* ok("import.sales-nav.filters", { ...input, ...into })
      assert.deepStrictEqual([found.created_count, found.import_type], [30, "SALES_NAV_FILTERS"])
      assert.deepStrictEqual(found.generated_search_params, {
        keywords: "sim-30",
        filters: [
          { type: "CURRENT_TITLE", values: [{ id: null, text: "CFO", selection_type: "INCLUDED" }] },
          { type: "SENIORITY_LEVEL", values: [{ id: "100", text: "in training", selection_type: "EXCLUDED" }] }
        ]
      })
      const url = String(found.generated_search_url)
      const same = yield* ok("import.sales-nav.search", { url, ...into })
      assert.deepStrictEqual([same.already_exists, same.import_id], [true, found.import_id])
      const options = { responseProfile: "full", dryRun: false, idempotencyKey: "filters-1" } as const
      const first = yield* ok("import.sales-nav.filters", { keywords: "sim-3 key", ...into }, { options })
      assert.deepStrictEqual(
        yield* ok("import.sales-nav.filters", { keywords: "sim-3 key", ...into }, { options }),
        first
      )
      assert.include(yield* refused("import.sales-nav.filters", into), "INVALID_INPUT filters")
    }).pipe(Effect.provide(importWorkspace))
  )
})
