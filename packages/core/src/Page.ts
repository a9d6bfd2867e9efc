/**
 * Pages of a list: how many, where from, and the opaque cursor between two pages.
 *
 * A cursor names the last item of a page by its sort keys, is bound to one organization and one list with its filters,
 * and is signed: any other cursor is refused. Lists are read by key and never by offset, so a page deep in a list costs
 * what the first costs and inserts do not shift it. Source: gap decision G28, contract section 7.
 */

import { randomBytes } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type Failure, fail } from "./Failure.ts"
import { canonicalJson, constantTimeEqual, hmacBase64Url } from "./Hash.ts"

/** Items of a page when nothing else is asked for. */
export const defaultLimit = 25

/** Input field `limit`: 1 to 100, default 25. */
export const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))
  .annotate({ description: "How many items a page holds at most, 1 to 100; default 25", examples: [25] })
  .pipe(Schema.withDecodingDefaultKey(Effect.succeed(defaultLimit)))

/** Input field `cursor`. */
export const CursorText = Schema.optionalKey(
  Schema.String.check(Schema.isBetweenLength(1, 1000)).annotate({
    description: "The next_cursor of the page before; leave it out for the first page"
  })
)

/** Output field `next_cursor`: null on the last page. */
export const NextCursor = Schema.NullOr(Schema.String).annotate({
  description: "Pass it as cursor for the next page; null when this page is the last"
})

/** The sort keys of the last item of a page: for most lists its creation instant and id. */
export type Position = ReadonlyArray<string | number>

/** A page asked for: at most `limit` items after `after`, in the list's own order. */
export interface PageRequest {
  readonly limit: number
  readonly after: Position | undefined
}

/** A page read; `next` is the position to go on from, undefined on the last page. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly next: Position | undefined
}

/** Cuts a page out of the `limit + 1` items a store read: one more than asked for tells that another page follows. */
export const cutPage = <A>(items: ReadonlyArray<A>, limit: number, positionOf: (item: A) => Position): Page<A> => {
  const page = items.slice(0, limit)
  const last = page.at(-1)
  return { items: page, next: items.length > limit && last !== undefined ? positionOf(last) : undefined }
}

/** The deployment's secret for signing cursors: one per database, so every replica accepts the others' cursors. */
export class CursorSecret extends Context.Service<CursorSecret, string>()("@svc/core/CursorSecret") {}

/** A secret that lives as long as the process. */
export const layerSecretRandom: Layer.Layer<CursorSecret> = Layer.sync(CursorSecret, () =>
  randomBytes(32).toString("base64url")
)

/** What a cursor belongs to; `filters` is the input of the list without cursor and limit. */
export interface CursorScope {
  readonly organizationId: string
  readonly list: string
  readonly filters: unknown
}

const signature = (secret: string, scope: CursorScope, body: string): string =>
  hmacBase64Url(secret, `${canonicalJson([scope.organizationId, scope.list, scope.filters])}\n${body}`).slice(0, 22)

/** Writes the cursor of a position; null stays null. */
export const writeCursor = (
  scope: CursorScope,
  position: Position | undefined
): Effect.Effect<string | null, never, CursorSecret> =>
  position === undefined
    ? Effect.succeed(null)
    : Effect.map(CursorSecret, (secret) => {
        const body = Buffer.from(JSON.stringify([1, ...position])).toString("base64url")
        return `${body}.${signature(secret, scope, body)}`
      })

/** Reads a cursor back. Fails with INVALID_CURSOR unless this list of this organization gave it out. */
export const readCursor = (
  scope: CursorScope,
  cursor: string | undefined
): Effect.Effect<Position | undefined, Failure, CursorSecret> => {
  if (cursor === undefined) return Effect.succeed(undefined)
  return Effect.flatMap(CursorSecret, (secret) => {
    const [body = "", mark = "", ...rest] = cursor.split(".")
    if (rest.length > 0 || !constantTimeEqual(mark, signature(secret, scope, body))) {
      return Effect.fail(
        fail("INVALID_CURSOR", "cursor is not one that this list gave out. Start again without a cursor.")
      )
    }
    const [, ...position]: ReadonlyArray<string | number> = JSON.parse(Buffer.from(body, "base64url").toString("utf8"))
    return Effect.succeed(position)
  })
}

/**
 * Reads one page of a list command: cursor in, cursor out. `input` is the command's whole input; all of it except
 * cursor and limit binds the cursor.
 */
export const readPage = <I extends { readonly cursor?: string; readonly limit: number }, A, E, R>(
  organizationId: string,
  list: string,
  input: I,
  read: (page: PageRequest) => Effect.Effect<Page<A>, E, R>
): Effect.Effect<
  { readonly items: ReadonlyArray<A>; readonly nextCursor: string | null },
  E | Failure,
  R | CursorSecret
> =>
  Effect.gen(function* () {
    const { cursor, limit, ...filters } = input
    const scope: CursorScope = { organizationId, list, filters }
    const after = yield* readCursor(scope, cursor)
    const page = yield* read({ limit, after })
    return { items: page.items, nextCursor: yield* writeCursor(scope, page.next) }
  })

/** Newest first: creation instant, then id, both descending; the order of most lists. For stores that hold all rows. */
export const newestFirst = <A extends { readonly id: string; readonly createdAt: string }>(
  items: ReadonlyArray<A>,
  { limit, after }: PageRequest
): Page<A> => {
  const keyOf = (item: A) => `${item.createdAt} ${item.id}`
  const bound = after?.join(" ")
  const rest = items
    .filter((item) => bound === undefined || keyOf(item) < bound)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
  return cutPage(rest, limit, (item) => [item.createdAt, item.id])
}
