/**
 * Explaining a search: in plain words, with warnings, and a default name for its import.
 *
 * Texts from the URL are untrusted: they are folded to one line and cut before they are shown.
 */
import { filterName, valueName } from "./FilterVocabulary.ts"
import { audienceKind, foldSpaces, maxPages, narrows, resultsPerPage, type SalesNavSearch } from "./SalesNavSearch.ts"
import type { SearchFilter, Selection } from "./SearchQuery.ts"

const shownFilters = 10
const shownValues = 5
const maxNameLength = 60

/** At most `max` code points on one line, without control characters; an ellipsis stands for the rest. */
export const shortLine = (text: string, max: number): string => {
  const points = [...foldSpaces(text.toWellFormed())]
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
      chosen.map((value) => shortLine(valueName(type, value), maxNameLength)),
      shownValues,
      "or"
    )
  }
  const unwanted = names("EXCLUDED")
  const choice = [names("INCLUDED"), unwanted === "" ? "" : `not ${unwanted}`].filter((part) => part !== "").join(", ")
  const name = shortLine(filterName(type), maxNameLength)
  return choice === "" ? name : `${name} (${choice})`
}

const describePeople = (search: SalesNavSearch): string => {
  switch (audienceKind(search)) {
    case "query": {
      const keywords = shortLine(search.keywords ?? "", 200)
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
      return `the people of recent search ${shortLine(search.recentSearchId ?? "", maxNameLength)}`
    case "parameters":
      return search.parameters.length === 0
        ? "everybody, as there are no filters or keywords,"
        : "people by URL parameters that are not recognized"
  }
}

const tooMany = `at most 2,500 results (${maxPages} pages of ${resultsPerPage}) can be read`

const audienceWarning = (search: SalesNavSearch): string | null => {
  switch (audienceKind(search)) {
    case "saved":
      return (
        `The URL refers only to saved search ${search.savedSearchId}: its filters are stored at LinkedIn, can change ` +
        "without notice, and are only available to the account that saved them."
      )
    case "recent":
      return (
        "The URL refers only to an entry of the search history, which LinkedIn deletes after a while and shows only to " +
        "the account it belongs to. Copy the URL again from the results page."
      )
    case "parameters":
      return `The search has no filters and no keywords; ${tooMany}. Add filters in Sales Navigator and copy the URL again.`
    case "query": {
      const values = search.filters.flatMap((filter) => filter.values)
      if (!search.filters.some(narrows))
        return `The search has no filters, so it is very broad; ${tooMany}. Add filters to narrow it.`
      return values.length > 0 && values.every((value) => value.selection === "EXCLUDED")
        ? `The filters only exclude, so the search is very broad; ${tooMany}. Include at least one value.`
        : null
    }
  }
}

const warningsOf = (search: SalesNavSearch): ReadonlyArray<string> => {
  const unknown = search.unknown.map((name) => shortLine(name, maxNameLength))
  return [
    audienceWarning(search),
    search.page === 1
      ? null
      : `The URL points to page ${search.page}, which is not part of the search; use start_page to begin there.`,
    search.newResultsOnly
      ? "The URL shows only results that are new since the search was last opened, so an import may find few or none."
      : null,
    unknown.length === 0
      ? null
      : `Not recognized, kept as is: ${enumerate(unknown, shownFilters, "and")}. Check in Sales Navigator that the ` +
        "search finds the people you mean."
  ].filter((warning) => warning !== null)
}

/** A paragraph in plain words, and what to know before importing the search. */
export const explain = (
  search: SalesNavSearch
): { readonly explanation: string; readonly warnings: ReadonlyArray<string> } => ({
  explanation: `Finds ${describePeople(search)} in Sales Navigator. At most 2,500 of them can be read.`,
  warnings: warningsOf(search)
})

/**
 * The default name of an import: "Sales Navigator: ", the keywords or else the first two filters, and the date.
 * `isoDate` is a date or an instant in ISO 8601, of which the day is used. At most 120 characters (code points).
 */
export const importName = (search: SalesNavSearch, isoDate: string): string => {
  const inline =
    foldSpaces(search.keywords ?? "") || search.filters.filter(narrows).slice(0, 2).map(describeFilter).join("; ")
  const saved = search.savedSearchId === null ? "" : `saved search ${search.savedSearchId}`
  const recent = search.recentSearchId === null ? "" : `recent search ${search.recentSearchId}`
  return `Sales Navigator: ${shortLine(inline || saved || recent || "all people", 90)}, ${isoDate.slice(0, 10)}`
}
