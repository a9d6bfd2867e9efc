/**
 * The address of a people search of LinkedIn itself, as it is copied from the browser: read, printed, and told from others.
 *
 * Conditions are parameters: keywords, names and titles as text, facets such as `geoUrn` as a JSON list of ids. LinkedIn
 * adds others that say where a click came from. All that are not known to say only that are kept and passed on.
 * Source: mission research 5.2 (search by the address of the search); G19 for the same of Sales Navigator.
 */
import * as Result from "effect/Result"
import { type Failure, fail } from "../../Failure.ts"
import { sha256Hex } from "../../Hash.ts"
import { foldSpaces } from "../salesnav/Fingerprint.ts"

/** A people search. */
export interface LinkedInSearch {
  readonly keywords: string | null
  /** The other conditions in their order, each once: name and value as in the address. */
  readonly conditions: ReadonlyArray<readonly [name: string, value: string]>
  /** The page of results that the address points at, from 1. */
  readonly page: number
}

/** The longest address that is read, in characters. */
export const maxLinkedInUrlLength = 8_000

/** People on a page of results. */
export const linkedInResultsPerPage = 10

/** The most people that LinkedIn shows of one search. */
export const mostLinkedInResults = 1_000

/** Parameters that say where a click came from. */
const unimportant = new Set(["origin", "sid", "searchId", "lipi", "trk", "spellCorrectionEnabled", "page"])

const notPeopleSearch = (reason: string): Result.Result<never, Failure> =>
  Result.fail(
    fail(
      "NOT_A_PEOPLE_SEARCH",
      `url: ${reason} Search for people on LinkedIn and copy the address, which begins with ` +
        "https://www.linkedin.com/search/results/people/."
    )
  )

const invalid = (reason: string): Result.Result<never, Failure> =>
  Result.fail(fail("INVALID_INPUT", `url: ${reason} Open the search on LinkedIn and copy its address again.`))

const readAddress = (text: string): URL | undefined => {
  const whole = /^https?:\/\//i.test(text) ? text : `https://${text}`
  return URL.canParse(whole) ? new URL(whole) : undefined
}

/**
 * Reads an address. The scheme and `www.` may be missing. Fails with NOT_A_PEOPLE_SEARCH when it is of something else, and
 * with INVALID_INPUT when it is too long, says a condition twice, or has none.
 */
export const parseLinkedInSearchUrl = (text: string): Result.Result<LinkedInSearch, Failure> => {
  if (text.length > maxLinkedInUrlLength) return invalid("at most 8,000 characters are read.")
  const url = readAddress(text.trim())
  const isLinkedIn = url?.hostname === "linkedin.com" || url?.hostname === "www.linkedin.com"
  if (url === undefined || !isLinkedIn || url.port !== "" || url.username !== "" || url.password !== "") {
    return notPeopleSearch("this is not an address of www.linkedin.com.")
  }
  const path = url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : url.pathname
  if (path.startsWith("/sales/")) {
    return notPeopleSearch("this is an address of Sales Navigator; import.sales-nav.search takes those.")
  }
  if (path !== "/search/results/people") return notPeopleSearch("the path is not that of a people search.")
  const conditions: Array<readonly [string, string]> = []
  let keywords: string | null = null
  const names = new Set<string>()
  for (const [name, value] of url.searchParams) {
    if (`${name}${value}`.includes("\0")) return invalid("expected no NUL character.")
    if (value.trim() === "" || (unimportant.has(name) && name !== "page") || name.startsWith("utm_")) continue
    if (names.has(name)) return invalid("expected each condition once.")
    names.add(name)
    if (name === "keywords") keywords = value
    else if (name !== "page") conditions.push([name, value])
  }
  const page = names.has("page") ? (url.searchParams.get("page") ?? "1") : "1"
  if (!/^[0-9]{1,3}$/.test(page) || Number(page) < 1 || Number(page) > 100) {
    return invalid("page: expected a whole number from 1 to 100.")
  }
  if (foldSpaces(keywords ?? "") === "" && conditions.length === 0) {
    return invalid("the search has neither keywords nor filters.")
  }
  return Result.succeed({ keywords, conditions, page: Number(page) })
}

/** Prints a search in one spelling, from a page of results on. */
export const formatLinkedInSearchUrl = ({ conditions, keywords }: LinkedInSearch, page: number): string => {
  const query = new URLSearchParams()
  if (keywords !== null) query.append("keywords", keywords.toWellFormed())
  for (const [name, value] of conditions) query.append(name.toWellFormed(), value.toWellFormed())
  if (page !== 1) query.append("page", String(page))
  return `https://www.linkedin.com/search/results/people/?${query}`
}

/** A facet's ids in one order; any other value as it is, white space folded. */
const canonicalValue = (value: string): unknown => {
  if (!value.startsWith("[")) return foldSpaces(value)
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? [...new Set(list.map((item) => JSON.stringify(item)))].sort() : value
  } catch {
    return foldSpaces(value)
  }
}

/** The audience as 64 hexadecimal digits: equal for equal conditions in whatever order, on whatever page. */
export const linkedInFingerprint = ({ conditions, keywords }: LinkedInSearch): string => {
  const sorted = conditions.map(([name, value]) => JSON.stringify([name, canonicalValue(value)])).sort()
  return sha256Hex(JSON.stringify(["linkedin", foldSpaces(keywords ?? ""), sorted]))
}

/** The default name of an import: "LinkedIn: ", the keywords, and the day of `isoDate`. At most 120 characters. */
export const linkedInImportName = ({ keywords }: LinkedInSearch, isoDate: string): string => {
  const words = [...foldSpaces((keywords ?? "").toWellFormed())]
  const shown = words.length > 90 ? `${words.slice(0, 89).join("")}…` : words.join("")
  return `LinkedIn: ${shown === "" ? "people search" : shown}, ${isoDate.slice(0, 10)}`
}
