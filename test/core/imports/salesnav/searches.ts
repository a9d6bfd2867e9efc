/** Generated searches, and addresses written the way browsers and tools write them. */

import * as fc from "fast-check"
import * as RestLi from "#core/imports/salesnav/RestLi.ts"
import { makeSalesNavSearch, type SalesNavSearch } from "#core/imports/salesnav/SalesNavSearch.ts"
import type { SearchFilter, SearchValue } from "#core/imports/salesnav/SearchQuery.ts"

/** Text that needs care: separators, percent signs that look encoded, quotes, spaces, any letter; never empty or NUL. */
export const text = fc
  .oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(..."(),:'%+&=#/ \"2CF8é中😀"), minLength: 1, maxLength: 12 }),
    fc.constantFrom(
      "100%",
      "%28",
      "%2528",
      "5,001-10,000",
      "(VP OR Director)",
      "''",
      "List(",
      " C++ ",
      "Procter & Gamble"
    )
  )
  .filter((value) => !value.includes("\0"))

const orNull = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null> => fc.option(arbitrary, { nil: null })

const digits = fc.nat().map(String)

const restLiValue: fc.Arbitrary<RestLi.RestLiValue> = fc.letrec<{ value: RestLi.RestLiValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.constant(""), text).map(RestLi.scalar),
    fc.array(tie("value"), { maxLength: 3 }).map(RestLi.list),
    fc
      .uniqueArray(fc.tuple(text, tie("value")), { selector: ([key]) => key.trim(), maxLength: 3 })
      .map((fields) => RestLi.record(fields))
  )
})).value

/** Values of the notation, nested a few levels. */
export const value = restLiValue

const extra = fc.uniqueArray(
  fc.tuple(
    text.map((key) => `x${key}`),
    restLiValue
  ),
  {
    selector: ([key]) => key,
    maxLength: 2
  }
)

const searchValue: fc.Arbitrary<SearchValue> = fc
  .record({
    id: orNull(fc.oneof(digits, fc.constantFrom("C", "urn:li:organization:1642"))),
    text: orNull(text),
    selection: fc.constantFrom("INCLUDED", "EXCLUDED"),
    parentId: orNull(digits),
    extra
  })
  .filter((candidate) => candidate.id !== null || candidate.text !== null)

const searchFilter: fc.Arbitrary<SearchFilter> = fc.record({
  type: fc.oneof(fc.constantFrom("SENIORITY_LEVEL", "CURRENT_TITLE", "REGION", "BRAND_NEW_FILTER"), text),
  values: fc.array(searchValue, { maxLength: 4 }),
  subFilter: orNull(text),
  extra
})

/** Whole searches. */
export const search: fc.Arbitrary<SalesNavSearch> = fc
  .record({
    keywords: orNull(text),
    filters: fc.array(searchFilter, { maxLength: 3 }),
    spellCorrection: orNull(fc.boolean()),
    recentSearchId: orNull(digits),
    extra,
    savedSearchId: orNull(digits),
    page: fc.integer({ min: 1, max: 100 }),
    newResultsOnly: fc.boolean(),
    lastViewedAt: orNull(digits),
    parameters: fc.array(
      fc.tuple(
        text.map((name) => `x${name}`),
        fc.oneof(fc.constant(""), text)
      ),
      { maxLength: 2 }
    )
  })
  .map(makeSalesNavSearch)

const people = "https://www.linkedin.com/sales/search/people"

/** Spellings of one address, from the query with its texts encoded once. */
export const spellings = {
  /** As LinkedIn does: colon, comma and percent encoded, parentheses bare. */
  linkedin: (query: string): string => `${people}?query=${encodeURIComponent(query)}`,
  /** Colon and comma bare, percent encoded. */
  bareSeparators: (query: string): string => `${people}?query=${query.replaceAll("%", "%25")}`,
  /** Parentheses encoded as well. */
  encodedParentheses: (query: string): string =>
    `${people}?query=${encodeURIComponent(query).replaceAll("(", "%28").replaceAll(")", "%29")}`,
  /** Lower-case hexadecimal digits. */
  lowerCaseHex: (query: string): string =>
    `${people}?query=${encodeURIComponent(query).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())}`,
  /** Only one layer of encoding: the query as it is. Fits texts without separators. */
  oneLayer: (query: string): string => `${people}?query=${query}`
} as const
