/**
 * A Sales Navigator people search: its address read into a value, and printed again in one spelling.
 *
 * LinkedIn and tools write the same search in many ways (both layers of encoding, other orders, session parameters).
 * Reading drops what belongs to a browser session and keeps all the rest, also what is not understood; printing what
 * was read and reading it again gives the same value.
 *
 * Source: G19.
 */
import * as Result from "effect/Result"
import { type Failure, fail } from "../../Failure.ts"
import { filterTypes } from "./FilterVocabulary.ts"
import { percentEncode } from "./RestLi.ts"
import { decodeQuery, emptyQuery, encodeQuery, type SearchQuery } from "./SearchQuery.ts"

/** A people search, whatever the spelling of its address was. */
export interface SalesNavSearch extends SearchQuery {
  /** Decimal digits. Without inline query the filters are known to LinkedIn only. */
  readonly savedSearchId: string | null
  /** The page of results the address points at, 1 to 100; no part of the audience. */
  readonly page: number
  /** Whether only results that are new since `lastViewedAt` are shown. */
  readonly newResultsOnly: boolean
  /** As in the address (milliseconds since 1970, in digits); not interpreted. */
  readonly lastViewedAt: string | null
  /** URL parameters that are not understood, decoded, in their order. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
  /** What is not understood: a filter type by its name, else `query.key`, `TYPE.key`, `TYPE.values.key` or `?parameter`. */
  readonly unknown: ReadonlyArray<string>
}

/** The longest address that is read, in characters. */
export const maxUrlLength = 8_000

/** People on one page of results. */
export const resultsPerPage = 25

/** Pages of results that Sales Navigator shows at most, whatever it counts: 2,500 people. */
export const maxPages = 100

const expectation =
  "Expected a people search such as https://www.linkedin.com/sales/search/people?query=(…). " +
  "Open the search in Sales Navigator and copy its address from the browser."

// What belongs to one browser session or to tracking: never part of the audience, dropped on reading.
const sessionParameters = new Set(["sessionId", "searchSessionId", "viewAllFilters", "lipi", "trk", "_ntb"])
const knownParameters = new Set(["query", "savedSearchId", "recentSearchId", "page", "newResultsOnly", "lastViewedAt"])

const unknownIn = (query: SearchQuery, parameters: SalesNavSearch["parameters"]): ReadonlyArray<string> => {
  const names = new Set<string>()
  for (const { type, values, extra } of query.filters) {
    if (!filterTypes.has(type)) names.add(type)
    for (const [key] of extra) names.add(`${type}.${key}`)
    for (const value of values) for (const [key] of value.extra) names.add(`${type}.values.${key}`)
  }
  for (const [key] of query.extra) names.add(`query.${key}`)
  for (const [name] of parameters) names.add(`?${name}`)
  return [...names]
}

/** Makes a search of the given parts; the others are empty, the page is 1, and `unknown` is worked out. */
export const makeSalesNavSearch = (parts: Partial<Omit<SalesNavSearch, "unknown">>): SalesNavSearch => {
  const search = {
    ...emptyQuery,
    savedSearchId: null,
    page: 1,
    newResultsOnly: false,
    lastViewedAt: null,
    parameters: [],
    ...parts
  }
  return { ...search, unknown: unknownIn(search, search.parameters) }
}

const notPeopleSearch = (reason: string): Result.Result<never, Failure> =>
  Result.fail(fail("NOT_A_PEOPLE_SEARCH", `url: ${reason} ${expectation}`))

const invalid = (reason: string): Result.Result<never, Failure> =>
  Result.fail(fail("INVALID_INPUT", `url: ${reason} Open the search in Sales Navigator and copy its address again.`))

const readAddress = (text: string): URL | null => {
  try {
    return new URL(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  } catch {
    return null
  }
}

const peopleSearch = (text: string): Result.Result<URL, Failure> => {
  const url = readAddress(text)
  if (url === null) return notPeopleSearch("this is not a web address.")
  const isLinkedIn = url.hostname === "linkedin.com" || url.hostname === "www.linkedin.com"
  if (!isLinkedIn || url.port !== "" || url.username !== "" || url.password !== "") {
    return notPeopleSearch("this is not an address of www.linkedin.com.")
  }
  const path = url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : url.pathname
  if (path === "/sales/search/people") return Result.succeed(url)
  if (path === "/sales/search/company") return notPeopleSearch("this is a search for companies, not for people.")
  if (path.startsWith("/sales/lists/people")) {
    return notPeopleSearch("this is a lead list, not a search; the LinkedIn gateway must support lists to read one.")
  }
  if (path.startsWith("/search/results"))
    return notPeopleSearch("this is a search of LinkedIn itself, not of Sales Navigator.")
  if (path.startsWith("/in/") || path.startsWith("/sales/lead/") || path.startsWith("/sales/people/")) {
    return notPeopleSearch("this is the profile of one person; lead.upsert takes those.")
  }
  return notPeopleSearch("the path is not that of a people search.")
}

/**
 * Reads the address of a people search. The scheme and `www.` may be missing; both encodings of G19 are understood.
 *
 * Fails with `NOT_A_PEOPLE_SEARCH` when the address is of something else, and with `INVALID_INPUT` when it is longer
 * than 8,000 characters or a part of it is malformed; the message says what was expected and what to do.
 */
export const parseSalesNavUrl = (url: string): Result.Result<SalesNavSearch, Failure> =>
  Result.gen(function* () {
    if (url.length > maxUrlLength) {
      return yield* invalid(`${url.length} characters are too many; at most 8,000 are read.`)
    }
    const { searchParams } = yield* peopleSearch(url.trim())
    const known = new Map<string, string>()
    const parameters: Array<readonly [string, string]> = []
    for (const [name, value] of searchParams) {
      if (sessionParameters.has(name) || name.startsWith("utm_")) continue
      // No search means a NUL, in either layer of encoding, and PostgreSQL stores none.
      if (`${name}${value}`.includes("\0") || value.includes("%00")) return yield* invalid("expected no NUL character.")
      if (!knownParameters.has(name)) parameters.push([name, value])
      else if (known.has(name)) return yield* invalid(`expected the parameter ${name} once.`)
      else if (value !== "") known.set(name, value)
    }
    const inline = known.get("query")
    const query = inline === undefined ? emptyQuery : yield* decodeQuery(inline)
    const savedSearchId = known.get("savedSearchId") ?? null
    if (savedSearchId !== null && !/^[0-9]{1,20}$/.test(savedSearchId)) {
      return yield* invalid("savedSearchId: expected digits.")
    }
    const page = known.get("page") ?? "1"
    if (!/^[0-9]{1,3}$/.test(page) || Number(page) < 1 || Number(page) > maxPages) {
      return yield* invalid(`page: expected a whole number from 1 to ${maxPages}.`)
    }
    return makeSalesNavSearch({
      ...query,
      recentSearchId: query.recentSearchId ?? known.get("recentSearchId") ?? null,
      savedSearchId,
      page: Number(page),
      newResultsOnly: known.get("newResultsOnly") === "true",
      lastViewedAt: known.get("lastViewedAt") ?? null,
      parameters
    })
  })

/**
 * Prints a search in one spelling: host `www.linkedin.com`, both encodings applied as LinkedIn does (parentheses
 * bare), parameters in a fixed order, filters in theirs. The result can be longer than the address that was read,
 * also longer than {@link maxUrlLength}, when that one left letters unencoded.
 */
export const formatSalesNavUrl = (search: SalesNavSearch): string => {
  const parameters = [
    ["query", encodeQuery(search)],
    ["savedSearchId", search.savedSearchId ?? ""],
    ["page", search.page === 1 ? "" : String(search.page)],
    ["newResultsOnly", search.newResultsOnly ? "true" : ""],
    ["lastViewedAt", search.lastViewedAt ?? ""]
  ].filter(([, value]) => value !== "")
  const text = [...parameters, ...search.parameters]
    .map(([name = "", value = ""]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join("&")
  return `https://www.linkedin.com/sales/search/people${text === "" ? "" : `?${text}`}`
}
