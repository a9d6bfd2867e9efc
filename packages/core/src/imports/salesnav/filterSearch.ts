/**
 * Building a Sales Navigator search from named filters.
 *
 * A filter has LinkedIn's name (`SENIORITY_LEVEL`) or a plain one ("seniority level"). A value is an id, the plain name of
 * a known id ("director"), or text.
 */
import * as Result from "effect/Result"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { didYouMean } from "../../kernel/schema/nearestName.ts"
import { quote } from "../../kernel/schema/TextRules.ts"
import { filterTypes } from "./FilterVocabulary.ts"
import { formatSalesNavUrl, makeSalesNavSearch, maxUrlLength } from "./SalesNavSearch.ts"
import type { SearchFilter, SearchValue, Selection } from "./SearchQuery.ts"

/** Values by filter. */
type NamedFilters = Readonly<Record<string, ReadonlyArray<string>>>

/** A search to make. */
interface FiltersToSearch {
  readonly keywords: string | undefined
  readonly filters: NamedFilters
  readonly exclude: NamedFilters
}

const refuse = (problem: string): Result.Result<never, InvalidInput> =>
  Result.fail(new InvalidInput({ message: `filters: ${problem}` }))

const folded = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, " ")

const typesByName: ReadonlyMap<string, string> = new Map(
  [...filterTypes].flatMap(([type, { name }]) => [[folded(type), type] as const, [folded(name), type] as const])
)

const typeOf = (name: string): Result.Result<string, InvalidInput> => {
  const known = typesByName.get(folded(name))
  if (known !== undefined) return Result.succeed(known)
  // LinkedIn adds filters without notice.
  if (/^[A-Z][A-Z_]{1,39}$/.test(name)) return Result.succeed(name)
  const guess = didYouMean(name.toUpperCase().replaceAll(" ", "_"), [...filterTypes.keys()])
  return refuse(`${quote(name)} is not a Sales Navigator filter.${guess || " Send a filter such as SENIORITY_LEVEL."}`)
}

const isId = (text: string): boolean => /^(\d{1,20}|urn:li:\w{1,40}:\d{1,20})$/.test(text)

const valueOf = (type: string, text: string, selection: Selection): SearchValue => {
  const known = filterTypes.get(type)?.values ?? new Map<string, string>()
  const value = (id: string | null, label: string | null): SearchValue => ({
    id,
    text: label,
    selection,
    parentId: null,
    extra: []
  })
  const label = known.get(text)
  if (label !== undefined) return value(text, label)
  const named = [...known].find(([, name]) => folded(name) === folded(text))
  if (named !== undefined) return value(named[0], named[1])
  return isId(text) ? value(text, null) : value(null, text)
}

/** Fails with INVALID_INPUT for an unknown filter, without filters and keywords, and when the URL would be too long. */
export const filterSearch = ({ exclude, filters, keywords }: FiltersToSearch) =>
  Result.gen(function* () {
    const byType = new Map<string, Array<SearchValue>>()
    const given = [
      ...Object.entries(filters).map((entry) => [...entry, "INCLUDED"] as const),
      ...Object.entries(exclude).map((entry) => [...entry, "EXCLUDED"] as const)
    ]
    for (const [name, values, selection] of given) {
      const type = yield* typeOf(name)
      const list = [...(byType.get(type) ?? []), ...values.map((text) => valueOf(type, text, selection))]
      if (list.length > 0) byType.set(type, list)
    }
    const made = [...byType].map(([type, values]): SearchFilter => ({ type, values, subFilter: null, extra: [] }))
    if (made.length === 0 && keywords === undefined) {
      return yield* refuse("at least one value, or keywords, is required.")
    }
    const search = makeSalesNavSearch({ keywords: keywords ?? null, filters: made, spellCorrection: true })
    if (formatSalesNavUrl({ ...search, page: 100 }).length <= maxUrlLength) return search
    return yield* refuse("too many values for one search; its URL may have at most 8,000 characters.")
  })
