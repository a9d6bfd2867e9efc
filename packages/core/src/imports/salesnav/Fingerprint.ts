/**
 * The hash that identifies the audience of a URL.
 *
 * LinkedIn reorders filters and adds history and session parameters, so URLs cannot be compared as text. The canonical text
 * contains only what decides who is found. In doubt (unknown keys), two searches count as different: a repeated import
 * skips known leads, while a wrong match would import nothing.
 */
import { sha256Hex } from "../../kernel/schema/Hash.ts"
import * as RestLi from "./RestLi.ts"
import type { SalesNavSearch } from "./SalesNavSearch.ts"
import type { SearchFilter, SearchValue } from "./SearchQuery.ts"

/** Replaces runs of white space and control characters by one space, and trims. */
export const foldSpaces = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim()

/** Sorted by code unit, without repetitions: the same on every machine, whatever its locale. */
const sorted = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)].sort()

const extraText = (extra: ReadonlyArray<RestLi.RestLiField>): ReadonlyArray<string> =>
  sorted(extra.map((field) => RestLi.format(RestLi.record([field]))))

const valueText = ({ selection, id, text, extra }: SearchValue): string =>
  JSON.stringify([selection, id === null ? "text" : "id", id ?? foldSpaces(text ?? ""), extraText(extra)])

const filterText = ({ type, values, subFilter, extra }: SearchFilter): string =>
  JSON.stringify([type, subFilter, sorted(values.map(valueText)), extraText(extra)])

/** Whether a filter has an effect: one that was emptied in the browser can remain without values. */
export const narrows = ({ values, subFilter, extra }: SearchFilter): boolean =>
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
