/**
 * A search told to a person: what it finds in plain words, what to beware of, and a name for its import.
 *
 * Texts out of the address are strangers' text: they are folded to one line and cut before they are shown.
 *
 * Source: G19 (volume), G20 (name), catalogue 4.1 (import.sales-nav.parse).
 */
import { filterName, valueName } from "./FilterVocabulary.ts"
import { audienceKind, foldSpaces, narrows } from "./Fingerprint.ts"
import { maxPages, resultsPerPage, type SalesNavSearch } from "./SalesNavSearch.ts"
import type { SearchFilter, Selection } from "./SearchQuery.ts"

const shownFilters = 10
const shownValues = 5
const longestName = 60

/** At most `max` code points on one line, without control characters; an ellipsis stands for the rest. */
const short = (text: string, max: number): string => {
  const points = [...foldSpaces(text.replace(/\p{Surrogate}/gu, "\uFFFD"))]
  return points.length > max ? `${points.slice(0, max - 1).join("")}…` : points.join("")
}

const enumerate = (parts: ReadonlyArray<string>, max: number, joiner: "and" | "or"): string => {
  const shown = parts.length > max ? [...parts.slice(0, max), `${parts.length - max} more`] : parts
  const [last = "", ...others] = shown.toReversed()
  return others.length === 0 ? last : `${others.reverse().join(", ")} ${joiner} ${last}`
}

const describeFilter = ({ type, values }: SearchFilter): string => {
  const names = (selection: Selection): string => {
    const chosen = values.filter((value) => value.selection === selection)
    return enumerate(
      chosen.map((value) => short(valueName(type, value), longestName)),
      shownValues,
      "or"
    )
  }
  const unwanted = names("EXCLUDED")
  const choice = [names("INCLUDED"), unwanted === "" ? "" : `not ${unwanted}`].filter((part) => part !== "").join(", ")
  const name = short(filterName(type), longestName)
  return choice === "" ? name : `${name} (${choice})`
}

const describePeople = (search: SalesNavSearch): string => {
  switch (audienceKind(search)) {
    case "query": {
      const keywords = short(search.keywords ?? "", 200)
      const filters = enumerate(search.filters.filter(narrows).map(describeFilter), shownFilters, "and")
      const conditions = [
        keywords === "" ? "" : `match the keywords "${keywords}"`,
        filters === "" ? "" : `pass the filters ${filters}`,
        search.extra.length === 0 ? "" : "meet conditions that are not understood here"
      ]
      return `people who ${conditions.filter((part) => part !== "").join(" and ")}`
    }
    case "saved":
      return `the people of saved search ${search.savedSearchId}`
    case "recent":
      return `the people of recent search ${short(search.recentSearchId ?? "", longestName)}`
    case "parameters":
      return search.parameters.length === 0
        ? "everybody, as no condition is set,"
        : "people by address parameters that are not understood here"
  }
}

const tooMany = `more than 2,500 results (${maxPages} pages of ${resultsPerPage}) cannot be read`

const audienceWarning = (search: SalesNavSearch): string | null => {
  switch (audienceKind(search)) {
    case "saved":
      return (
        `The address names only saved search ${search.savedSearchId}: LinkedIn keeps its conditions, they can change ` +
        "without notice, and they open only in the account that saved them."
      )
    case "recent":
      return (
        "The address names only an entry of the search history, which LinkedIn drops after a while and opens only in the " +
        "account it belongs to. Copy the address again once the results are shown."
      )
    case "parameters":
      return `The search has no filter and no keywords; ${tooMany}. Add filters in Sales Navigator and copy the address again.`
    case "query": {
      const values = search.filters.flatMap((filter) => filter.values)
      if (!search.filters.some(narrows))
        return `The search has no filter, so it is wide; ${tooMany}. Add filters to narrow it.`
      return values.length > 0 && values.every((value) => value.selection === "EXCLUDED")
        ? `The filters only exclude, so the search is very wide; ${tooMany}. Include at least one value.`
        : null
    }
  }
}

const warningsOf = (search: SalesNavSearch): ReadonlyArray<string> => {
  const unknown = search.unknown.map((name) => short(name, longestName))
  return [
    audienceWarning(search),
    search.page === 1
      ? null
      : `The address points at page ${search.page}, which is not part of the search; use start_page to begin there.`,
    search.newResultsOnly
      ? "The address shows only results that are new since the search was last opened, so an import can find few or none."
      : null,
    unknown.length === 0
      ? null
      : `Not understood, kept as it is: ${enumerate(unknown, shownFilters, "and")}. Check in Sales Navigator that the search finds who you mean.`
  ].filter((warning) => warning !== null)
}

/** A search as one paragraph in plain words, and what to know before importing it, each in a sentence or two. */
export const explain = (
  search: SalesNavSearch
): { readonly explanation: string; readonly warnings: ReadonlyArray<string> } => ({
  explanation: `Finds ${describePeople(search)} in Sales Navigator. At most 2,500 of them can be read.`,
  warnings: warningsOf(search)
})

/**
 * The default name of an import: "Sales Navigator: ", the keywords or else the first two filters, and the date.
 * `isoDate` is a date or an instant in ISO 8601, of which the day is used. At most 120 characters (code points).
 *
 * Source: G20. A search with neither is named after its saved search or its entry in the search history.
 */
export const importName = (search: SalesNavSearch, isoDate: string): string => {
  const inline =
    foldSpaces(search.keywords ?? "") || search.filters.filter(narrows).slice(0, 2).map(describeFilter).join("; ")
  const saved = search.savedSearchId === null ? "" : `saved search ${search.savedSearchId}`
  const recent = search.recentSearchId === null ? "" : `recent search ${search.recentSearchId}`
  return `Sales Navigator: ${short(inline || saved || recent || "all people", 90)}, ${isoDate.slice(0, 10)}`
}
