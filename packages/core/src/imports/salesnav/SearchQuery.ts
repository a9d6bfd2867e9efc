/**
 * The `query` parameter of a Sales Navigator people search as typed values.
 *
 * Unknown filter types are filters like any other, and unknown keys go to `extra`. Decoding the output of
 * {@link encodeQuery} returns the same query.
 */
import * as Result from "effect/Result"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import * as RestLi from "./RestLi.ts"

export type Selection = "INCLUDED" | "EXCLUDED"

/** A filter value. At least one of `id`, `text` and `extra` is set; empty texts are null. */
export interface SearchValue {
  readonly id: string | null
  readonly text: string | null
  readonly selection: Selection
  /** The id inside `parent:(id:N)`. */
  readonly parentId: string | null
  /** Unknown keys, in order. */
  readonly extra: ReadonlyArray<RestLi.RestLiField>
}

/** One filter, for instance of type `SENIORITY_LEVEL`. */
export interface SearchFilter {
  readonly type: string
  readonly values: ReadonlyArray<SearchValue>
  /** `selectedSubFilter`. */
  readonly subFilter: string | null
  /** Unknown keys, in order. */
  readonly extra: ReadonlyArray<RestLi.RestLiField>
}

/** The decoded `query` parameter. */
export interface SearchQuery {
  readonly keywords: string | null
  readonly filters: ReadonlyArray<SearchFilter>
  /** `spellCorrectionEnabled`; null when absent. */
  readonly spellCorrection: boolean | null
  /** The entry in LinkedIn's search history; only part of the audience when nothing else is given. */
  readonly recentSearchId: string | null
  /** Unknown keys, in order. */
  readonly extra: ReadonlyArray<RestLi.RestLiField>
}

/** The empty query. */
export const emptyQuery: SearchQuery = {
  keywords: null,
  filters: [],
  spellCorrection: null,
  recentSearchId: null,
  extra: []
}

type Decoded<A> = Result.Result<A, InvalidInput>
type Fields = ReadonlyArray<RestLi.RestLiField>

const refuse = (path: string, expected: string): Result.Result<never, InvalidInput> =>
  Result.fail(
    new InvalidInput({
      message: `${path}: expected ${expected}. Open the search in Sales Navigator and copy its URL again.`
    })
  )

const valueOf = (fields: Fields, key: string): RestLi.RestLiValue | undefined =>
  fields.find(([name]) => name === key)?.[1]

const without = (fields: Fields, keys: ReadonlyArray<string>): Fields => fields.filter(([name]) => !keys.includes(name))

const textAt = (fields: Fields, key: string, path: string): Decoded<string | null> => {
  const value = valueOf(fields, key)
  if (value === undefined) return Result.succeed(null)
  return value._tag === "Scalar" ? Result.succeed(value.text || null) : refuse(`${path}.${key}`, "a text")
}

const itemsAt = <A>(
  fields: Fields,
  key: string,
  path: string,
  decodeItem: (fields: Fields, path: string) => Decoded<A>
): Decoded<ReadonlyArray<A>> => {
  const value = valueOf(fields, key)
  if (value === undefined) return Result.succeed([])
  if (value._tag !== "List") return refuse(`${path}.${key}`, "a list, List(…)")
  return Result.all(
    value.items.map((item, index) => {
      const itemPath = `${path}.${key}[${index}]`
      return item._tag === "Record" ? decodeItem(item.fields, itemPath) : refuse(itemPath, "a record, (key:value,…)")
    })
  )
}

/** The id of a parent in its known form; other forms go to `extra`. */
const parentIdOf = (fields: Fields): string | null => {
  const parent = valueOf(fields, "parent")
  if (parent?._tag !== "Record" || parent.fields.length !== 1) return null
  const id = valueOf(parent.fields, "id")
  return id?._tag === "Scalar" ? id.text || null : null
}

const decodeValue = (fields: Fields, path: string): Decoded<SearchValue> =>
  Result.gen(function* () {
    const id = yield* textAt(fields, "id", path)
    const text = yield* textAt(fields, "text", path)
    const selection = (yield* textAt(fields, "selectionType", path)) ?? "INCLUDED"
    if (selection !== "INCLUDED" && selection !== "EXCLUDED") {
      return yield* refuse(`${path}.selectionType`, "INCLUDED or EXCLUDED")
    }
    const parentId = parentIdOf(fields)
    const known = ["id", "text", "selectionType", ...(parentId === null ? [] : ["parent"])]
    const extra = without(fields, known)
    if (id === null && text === null && extra.length === 0) return yield* refuse(path, "an id or text")
    return { id, text, selection, parentId, extra }
  })

const decodeFilter = (fields: Fields, path: string): Decoded<SearchFilter> =>
  Result.gen(function* () {
    const type = yield* textAt(fields, "type", path)
    if (type === null) return yield* refuse(`${path}.type`, "the name of a filter, such as SENIORITY_LEVEL")
    const values = yield* itemsAt(fields, "values", path, decodeValue)
    const subFilter = yield* textAt(fields, "selectedSubFilter", path)
    return { type, values, subFilter, extra: without(fields, ["type", "values", "selectedSubFilter"]) }
  })

/**
 * Decodes the `query` parameter without the outer URL encoding. Fails with INVALID_INPUT when it is malformed; the message
 * names the path, for example `url query.filters[0].values[1].selectionType`.
 */
export const decodeQuery = (text: string): Decoded<SearchQuery> =>
  Result.gen(function* () {
    const path = "url query"
    const value = yield* RestLi.parse(text)
    if (value._tag !== "Record") return yield* refuse(path, "a record, (key:value,…)")
    const { fields } = value
    const spelling = yield* textAt(fields, "spellCorrectionEnabled", path)
    if (spelling !== null && spelling !== "true" && spelling !== "false") {
      return yield* refuse(`${path}.spellCorrectionEnabled`, "true or false")
    }
    const recent = valueOf(fields, "recentSearchParam")
    if (recent !== undefined && recent._tag !== "Record") return yield* refuse(`${path}.recentSearchParam`, "a record")
    return {
      keywords: yield* textAt(fields, "keywords", path),
      filters: yield* itemsAt(fields, "filters", path, decodeFilter),
      spellCorrection: spelling === null ? null : spelling === "true",
      recentSearchId: recent === undefined ? null : yield* textAt(recent.fields, "id", `${path}.recentSearchParam`),
      extra: without(fields, ["keywords", "filters", "spellCorrectionEnabled", "recentSearchParam"])
    }
  })

const textField = (key: string, text: string | null): Fields => (text === null ? [] : [[key, RestLi.scalar(text)]])

const encodeValue = (value: SearchValue): RestLi.RestLiValue =>
  RestLi.record([
    ...textField("id", value.id),
    ...textField("text", value.text),
    ["selectionType", RestLi.scalar(value.selection)],
    ...(value.parentId === null ? [] : [["parent", RestLi.record(textField("id", value.parentId))] as const]),
    ...value.extra
  ])

const encodeFilter = (filter: SearchFilter): RestLi.RestLiValue =>
  RestLi.record([
    ["type", RestLi.scalar(filter.type)],
    ...(filter.values.length === 0 ? [] : [["values", RestLi.list(filter.values.map(encodeValue))] as const]),
    ...textField("selectedSubFilter", filter.subFilter),
    ...filter.extra
  ])

/** Encodes a query in canonical form, keys in LinkedIn's order; the empty query becomes an empty text. */
export const encodeQuery = (query: SearchQuery): string => {
  const recent = RestLi.record([...textField("id", query.recentSearchId), ["doLogHistory", RestLi.scalar("true")]])
  const fields: Fields = [
    ...(query.spellCorrection === null ? [] : textField("spellCorrectionEnabled", String(query.spellCorrection))),
    ...(query.recentSearchId === null ? [] : [["recentSearchParam", recent] as const]),
    ...(query.filters.length === 0 ? [] : [["filters", RestLi.list(query.filters.map(encodeFilter))] as const]),
    ...textField("keywords", query.keywords),
    ...query.extra
  ]
  return fields.length === 0 ? "" : RestLi.format(RestLi.record(fields))
}
