/**
 * Parsing and formatting the URL of a Sales Navigator people search.
 *
 * The same search has many spellings (layers of encoding, order, session parameters). Parsing drops session parameters and
 * keeps everything else, even if unknown; a parsed and formatted search parses to the same value.
 */

import * as Result from "effect/Result"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { sha256Hex } from "../../kernel/schema/Hash.ts"
import type { InstantText } from "../../kernel/schema/IdsAndTime.ts"
import { parseUrl } from "../../kernel/schema/TextRules.ts"
import { NotAPeopleSearch } from "../../outreach/failures.ts"
import { filterTypes } from "./FilterVocabulary.ts"
import * as RestLi from "./RestLi.ts"
import { percentEncode } from "./RestLi.ts"
import * as Query from "./SearchQuery.ts"

/** A people search. */
export interface SalesNavSearch extends Query.SearchQuery {
  /** Decimal digits. Without an inline query, only LinkedIn knows the filters. */
  readonly savedSearchId: string | null
  /** The page of results, 1 to 100; not part of the audience. */
  readonly page: number
  /** Whether only results that are new since `lastViewedAt` are shown. */
  readonly newResultsOnly: boolean
  /** Milliseconds since 1970, in digits; not interpreted. */
  readonly lastViewedAt: InstantText | null
  /** Unknown URL parameters, decoded, in order. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
  /** Unknown parts: a filter type, `query.key`, `TYPE.key`, `TYPE.values.key` or `?parameter`. */
  readonly unknown: ReadonlyArray<string>
}

/** Maximum length of a URL. */
export const maxUrlLength = 8_000

/** People per page of results. */
export const resultsPerPage = 25

/** Maximum number of pages that Sales Navigator shows: 2,500 people. */
export const maxPages = 100

const expectation =
  "Expected a people search such as https://www.linkedin.com/sales/search/people?query=(…). Open the search in " +
  "Sales Navigator and copy the URL from the browser."

// Session and tracking parameters are never part of the audience and are dropped.
const sessionParameters = new Set(["sessionId", "searchSessionId", "viewAllFilters", "lipi", "trk", "_ntb"])
const knownParameters = new Set(["query", "savedSearchId", "recentSearchId", "page", "newResultsOnly", "lastViewedAt"])

const unknownIn = (query: Query.SearchQuery, parameters: SalesNavSearch["parameters"]): ReadonlyArray<string> => {
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

/** A search from the given parts, with defaults; derives `unknown`. */
export const makeSalesNavSearch = (parts: Partial<Omit<SalesNavSearch, "unknown">>): SalesNavSearch => {
  const search = {
    ...Query.emptyQuery,
    savedSearchId: null,
    page: 1,
    newResultsOnly: false,
    lastViewedAt: null,
    parameters: [],
    ...parts
  }
  return { ...search, unknown: unknownIn(search, search.parameters) }
}

const notPeopleSearch = (reason: string): Result.Result<never, NotAPeopleSearch> =>
  Result.fail(new NotAPeopleSearch({ message: `url: ${reason} ${expectation}` }))

const invalid = (reason: string): Result.Result<never, InvalidInput> =>
  Result.fail(
    new InvalidInput({ message: `url: ${reason} Open the search in Sales Navigator and copy its URL again.` })
  )

/** The URL in a text, with or without a scheme; undefined if there is none. */
export const urlOf = (text: string): URL | undefined => parseUrl(/^https?:\/\//i.test(text) ? text : `https://${text}`)

/** The path of a page of LinkedIn, without a slash at the end; undefined for any other URL. */
export const linkedInPath = ({ host, password, pathname, username }: URL): string | undefined =>
  /^(www\.)?linkedin\.com$/.test(host) && username === "" && password === "" ? pathname.replace(/\/$/, "") : undefined

/** A page of results from 1 to {@link maxPages}, by default the first; undefined for any other text. */
export const pageOf = (text: string | null | undefined): number | undefined => {
  const page = /^[0-9]{1,3}$/.test(text ?? "1") ? Number(text ?? "1") : 0
  return page >= 1 && page <= maxPages ? page : undefined
}

const peopleSearch = (text: string): Result.Result<URL, NotAPeopleSearch> => {
  const url = urlOf(text)
  if (url === undefined) return notPeopleSearch("this is not a URL.")
  const path = linkedInPath(url)
  if (path === undefined) return notPeopleSearch("this is not a www.linkedin.com URL.")
  if (path === "/sales/search/people") return Result.succeed(url)
  if (path === "/sales/search/company") return notPeopleSearch("this is a company search, not a people search.")
  if (path.startsWith("/sales/lists/people")) {
    return notPeopleSearch(
      "this is a lead list, not a search; reading lists needs a LinkedIn gateway that supports them."
    )
  }
  if (path.startsWith("/search/results"))
    return notPeopleSearch("this is a LinkedIn search, not a Sales Navigator search.")
  if (path.startsWith("/in/") || path.startsWith("/sales/lead/") || path.startsWith("/sales/people/")) {
    return notPeopleSearch("this is one person's profile; use lead.upsert.")
  }
  return notPeopleSearch("this is not the path of a people search.")
}

/**
 * Parses the URL of a people search; scheme and `www.` are optional. Fails with NOT_A_PEOPLE_SEARCH for another page, and
 * with INVALID_INPUT when it is too long or malformed.
 */
export const parseSalesNavUrl = (url: string): Result.Result<SalesNavSearch, InvalidInput | NotAPeopleSearch> =>
  Result.gen(function* () {
    if (url.length > maxUrlLength) {
      return yield* invalid(`${url.length} characters is too long; the maximum is 8,000.`)
    }
    const { searchParams } = yield* peopleSearch(url.trim())
    const known = new Map<string, string>()
    const parameters: Array<readonly [string, string]> = []
    for (const [name, value] of searchParams) {
      if (sessionParameters.has(name) || name.startsWith("utm_")) continue
      // No real search contains NUL, and PostgreSQL cannot store it.
      if (`${name}${value}`.includes("\0") || value.includes("%00"))
        return yield* invalid("must not contain a NUL character.")
      if (!knownParameters.has(name)) parameters.push([name, value])
      else if (known.has(name)) return yield* invalid(`the parameter ${name} is allowed once.`)
      else if (value !== "") known.set(name, value)
    }
    const inline = known.get("query")
    const query = inline === undefined ? Query.emptyQuery : yield* Query.decodeQuery(inline)
    const savedSearchId = known.get("savedSearchId") ?? null
    if (savedSearchId !== null && !/^[0-9]{1,20}$/.test(savedSearchId)) {
      return yield* invalid("savedSearchId: must be digits.")
    }
    const page = pageOf(known.get("page"))
    if (page === undefined) return yield* invalid(`page: must be a whole number from 1 to ${maxPages}.`)
    return makeSalesNavSearch({
      ...query,
      recentSearchId: query.recentSearchId ?? known.get("recentSearchId") ?? null,
      savedSearchId,
      page,
      newResultsOnly: known.get("newResultsOnly") === "true",
      lastViewedAt: known.get("lastViewedAt") ?? null,
      parameters
    })
  })

/**
 * The canonical URL of a search, encoded like LinkedIn's own (parentheses bare), with parameters in a fixed order and
 * filters in their own. May exceed {@link maxUrlLength} when the parsed URL left letters unencoded.
 */
export const formatSalesNavUrl = (search: SalesNavSearch): string => {
  const parameters = [
    ["query", Query.encodeQuery(search)],
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

// The hash that identifies the audience of a URL.
//
// LinkedIn reorders filters and adds history and session parameters, so URLs cannot be compared as text. The canonical text
// contains only what decides who is found. In doubt (unknown keys), two searches count as different: a repeated import
// skips known leads, while a wrong match would import nothing.

/** Replaces runs of white space and control characters by one space, and trims. */
export const foldSpaces = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim()

/** Sorted by code unit, without repetitions: the same on every machine, whatever its locale. */
const sorted = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)].sort()

const extraText = (extra: ReadonlyArray<RestLi.RestLiField>): ReadonlyArray<string> =>
  sorted(extra.map((field) => RestLi.format(RestLi.record([field]))))

const valueText = ({ selection, id, text, extra }: Query.SearchValue): string =>
  JSON.stringify([selection, id === null ? "text" : "id", id ?? foldSpaces(text ?? ""), extraText(extra)])

const filterText = ({ type, values, subFilter, extra }: Query.SearchFilter): string =>
  JSON.stringify([type, subFilter, sorted(values.map(valueText)), extraText(extra)])

/** Whether a filter has an effect: one that was emptied in the browser can remain without values. */
export const narrows = ({ values, subFilter, extra }: Query.SearchFilter): boolean =>
  values.length > 0 || subFilter !== null || extra.length > 0

/** What identifies the audience: the inline query, or its substitute. */
type AudienceKind = "query" | "saved" | "recent" | "parameters"

/** The first one present: inline query, saved search, entry of the search history, other parameters. */
export const audienceKind = (search: SalesNavSearch): AudienceKind => {
  const { keywords, filters, extra } = search
  if (foldSpaces(keywords ?? "") !== "" || filters.some(narrows) || extra.length > 0) return "query"
  if (search.savedSearchId !== null) return "saved"
  return search.recentSearchId !== null ? "recent" : "parameters"
}

/**
 * The text to hash: a JSON list that starts with the kind of audience.
 *
 * `query`: folded keywords, and filters sorted by type with sorted values, each by its id or else its folded text;
 * `saved`, `recent`: the id; `parameters`: the unknown ones. Ignores page, session, history entry, spelling correction,
 * labels of values with an id, and parents.
 */
export const canonicalText = (search: SalesNavSearch): string => {
  const kind = audienceKind(search)
  switch (kind) {
    case "query": {
      const filters = sorted(search.filters.filter(narrows).map(filterText))
      return JSON.stringify([kind, foldSpaces(search.keywords ?? ""), filters, extraText(search.extra)])
    }
    case "saved":
      return JSON.stringify([kind, search.savedSearchId])
    case "recent":
      return JSON.stringify([kind, search.recentSearchId])
    case "parameters":
      return JSON.stringify([kind, sorted(search.parameters.map((parameter) => JSON.stringify(parameter)))])
  }
}

/** The audience of a search as 64 lower-case hexadecimal digits: SHA-256 of {@link canonicalText}. */
export const fingerprint = (search: SalesNavSearch): string => sha256Hex(canonicalText(search))
