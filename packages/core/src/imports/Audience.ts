/** The audience of a search, for both kinds of LinkedIn search: fingerprint, URL and default name of an import. */

import * as Result from "effect/Result"
import { InvalidInput } from "../kernel/failure/failures.ts"
import { sha256Hex } from "../kernel/schema/Hash.ts"
import type { ImportType } from "../missions/MissionInput.ts"
import { NotAPeopleSearch } from "../outreach/failures.ts"
import { importName, shortLine } from "./salesnav/Explanation.ts"
import * as SalesNav from "./salesnav/SalesNavSearch.ts"

// URLs of classic LinkedIn people searches: parsing, formatting and comparing.
//
// Conditions are parameters: keywords, names and titles as text, facets such as `geoUrn` as a JSON list of ids. Tracking
// parameters are dropped; all others are kept.

/** A people search. */
interface LinkedInSearch {
  readonly keywords: string | null
  /** The other conditions in order, each once: name and value as in the URL. */
  readonly conditions: ReadonlyArray<readonly [name: string, value: string]>
  /** The page of results, from 1. */
  readonly page: number
}

/** Maximum length of a URL. */
export const maxLinkedInUrlLength = 8_000

/** People per page of results. */
export const linkedInResultsPerPage = 10

/** Maximum number of people LinkedIn shows per search. */
export const maxLinkedInResults = 1_000

/** Parameters that do not change the result. */
const ignoredParameters = new Set(["origin", "sid", "searchId", "lipi", "trk", "spellCorrectionEnabled", "page"])

const notPeopleSearch = (reason: string): Result.Result<never, NotAPeopleSearch> =>
  Result.fail(
    new NotAPeopleSearch({
      message:
        `url: ${reason} Search for people on LinkedIn and copy the URL, which starts with ` +
        "https://www.linkedin.com/search/results/people/."
    })
  )

const invalid = (reason: string): Result.Result<never, InvalidInput> =>
  Result.fail(new InvalidInput({ message: `url: ${reason} Open the search on LinkedIn and copy its URL again.` }))

/**
 * Parses a URL; scheme and `www.` are optional. Fails with NOT_A_PEOPLE_SEARCH for another page, and with INVALID_INPUT when
 * it is too long, repeats a condition, or has none.
 */
export const parseLinkedInSearchUrl = (
  text: string
): Result.Result<LinkedInSearch, InvalidInput | NotAPeopleSearch> => {
  if (text.length > maxLinkedInUrlLength) return invalid("the maximum is 8,000 characters.")
  const url = SalesNav.urlOf(text.trim())
  const path = url === undefined ? undefined : SalesNav.linkedInPath(url)
  if (url === undefined || path === undefined) return notPeopleSearch("this is not a www.linkedin.com URL.")
  if (path.startsWith("/sales/")) {
    return notPeopleSearch("this is a Sales Navigator URL; use import.sales-nav.search.")
  }
  if (path !== "/search/results/people") return notPeopleSearch("this is not the path of a people search.")
  const conditions: Array<readonly [string, string]> = []
  let keywords: string | null = null
  const names = new Set<string>()
  for (const [name, value] of url.searchParams) {
    if (`${name}${value}`.includes("\0")) return invalid("must not contain a NUL character.")
    if (value.trim() === "" || (ignoredParameters.has(name) && name !== "page") || name.startsWith("utm_")) continue
    if (names.has(name)) return invalid("each condition is allowed once.")
    names.add(name)
    if (name === "keywords") keywords = value
    else if (name !== "page") conditions.push([name, value])
  }
  const page = SalesNav.pageOf(names.has("page") ? url.searchParams.get("page") : null)
  if (page === undefined) return invalid("page: must be a whole number from 1 to 100.")
  if (SalesNav.foldSpaces(keywords ?? "") === "" && conditions.length === 0) {
    return invalid("the search has neither keywords nor filters.")
  }
  return Result.succeed({ keywords, conditions, page })
}

/** The canonical URL of a search, starting at a page of results. */
export const formatLinkedInSearchUrl = ({ conditions, keywords }: LinkedInSearch, page: number): string => {
  const query = new URLSearchParams()
  if (keywords !== null) query.append("keywords", keywords.toWellFormed())
  for (const [name, value] of conditions) query.append(name.toWellFormed(), value.toWellFormed())
  if (page !== 1) query.append("page", String(page))
  return `https://www.linkedin.com/search/results/people/?${query}`
}

/** A facet's ids, sorted; any other value with white space folded. */
const canonicalValue = (value: string): unknown => {
  if (!value.startsWith("[")) return SalesNav.foldSpaces(value)
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? [...new Set(list.map((item) => JSON.stringify(item)))].sort() : value
  } catch {
    return SalesNav.foldSpaces(value)
  }
}

/** The audience as 64 hexadecimal digits; ignores the page and the order of conditions. */
export const linkedInFingerprint = ({ conditions, keywords }: LinkedInSearch): string => {
  const sorted = conditions.map(([name, value]) => JSON.stringify([name, canonicalValue(value)])).sort()
  return sha256Hex(JSON.stringify(["linkedin", SalesNav.foldSpaces(keywords ?? ""), sorted]))
}

/** The default name of an import: "LinkedIn: ", the keywords, and the day of `isoDate`. At most 120 characters. */
export const linkedInImportName = ({ keywords }: LinkedInSearch, isoDate: string): string =>
  `LinkedIn: ${shortLine(keywords ?? "", 90) || "people search"}, ${isoDate.slice(0, 10)}`

type SalesNavType = "SALES_NAV_SEARCH" | "SALES_NAV_FILTERS"

/** A search as an import sees it. */
export interface Audience {
  readonly type: ImportType
  /** Equal for equal audiences of the same kind of search. */
  readonly fingerprint: string
  /** The URL that is stored and shown with the import. */
  readonly url: string
  /** The URL to search by, starting at a page of results; the first is 1. */
  readonly urlFrom: (page: number) => string
  /** Default name of an import that starts at `at`. */
  readonly nameAt: (at: string) => string
}

/** The audience of a Sales Navigator search. `url` is the URL as sent or built. */
export const salesNavAudience = (type: SalesNavType, search: SalesNav.SalesNavSearch, url: string): Audience => ({
  type,
  fingerprint: SalesNav.fingerprint(search),
  url,
  urlFrom: (page) => SalesNav.formatSalesNavUrl({ ...search, page }),
  nameAt: (at) => importName(search, at)
})

/** The audience of a URL as sent. Fails like {@link SalesNav.parseSalesNavUrl} and {@link parseLinkedInSearchUrl}. */
export const audienceOf = (
  type: SalesNavType | "LINKEDIN_SEARCH",
  url: string
): Result.Result<Audience, InvalidInput | NotAPeopleSearch> =>
  type === "LINKEDIN_SEARCH"
    ? Result.map(parseLinkedInSearchUrl(url), (search) => ({
        type,
        fingerprint: linkedInFingerprint(search),
        url,
        urlFrom: (page) => formatLinkedInSearchUrl(search, page),
        nameAt: (at) => linkedInImportName(search, at)
      }))
    : Result.map(SalesNav.parseSalesNavUrl(url), (search) => salesNavAudience(type, search, url))
