/** Lists of the provider, which come page by page. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { FailedRead, UnipileCall, UnipileClient } from "./UnipileClient.ts"

const List = Schema.Struct({
  items: Schema.Array(Schema.Unknown),
  cursor: Schema.optionalKey(Schema.NullOr(Schema.String))
})
const decodeList = Schema.decodeUnknownOption(List)

/** One page. `next` is the cursor of the following page, null on the last one. */
interface ListPage {
  readonly items: ReadonlyArray<unknown>
  readonly next: string | null
}

/** Reads the body of a list; undefined when it is not one. */
export const listPage = (body: unknown): ListPage | undefined => {
  const list = Option.getOrUndefined(decodeList(body))
  if (list === undefined) return undefined
  const { cursor, items } = list
  const hasNext = cursor !== undefined && cursor !== null && cursor !== "" && cursor.length <= 8_000 && items.length > 0
  return { items, next: hasNext ? cursor : null }
}

const maxPages = 40

/** Reads a list until `visit` returns true or the list ends. More than 40 pages count as an unreadable response. */
export const readPages = (
  client: UnipileClient,
  path: UnipileCall["path"],
  query: UnipileCall["query"],
  visit: (items: ReadonlyArray<unknown>) => boolean
): Effect.Effect<{ readonly _tag: "Read" } | FailedRead> =>
  Effect.gen(function* (): Effect.fn.Return<{ readonly _tag: "Read" } | FailedRead> {
    let cursor: string | undefined
    for (let page = 0; page < maxPages; page++) {
      const result = yield* client.read({ method: "GET", path, query: { ...query, cursor } })
      if (result._tag !== "Found") return result
      const list = listPage(result.body)
      if (list === undefined) break
      if (visit(list.items) || list.next === null) return { _tag: "Read" }
      cursor = list.next
    }
    return { _tag: "Broken", detail: "The provider sent an unexpected response." }
  })
