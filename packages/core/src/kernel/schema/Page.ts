/**
 * Keyset pagination with opaque cursors.
 *
 * A cursor holds the sort keys of the last item of a page. It is signed, and valid only for one organization and one list
 * with its filters. Since pages are read by key and not by offset, a deep page costs as much as the first, and inserts do
 * not shift it.
 */

import { randomBytes } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Actor } from "../command/Execution.ts"
import { InvalidCursor } from "../failure/failures.ts"
import { canonicalJson, readSigned, writeSigned } from "./Hash.ts"
import type { InstantText, OrganizationId } from "./IdsAndTime.ts"

/** Default page size. */
export const defaultLimit = 25

/** Input field `limit`: 1 to 100, default 25. */
export const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))
  .annotate({ description: "Page size, 1 to 100; default 25", examples: [25] })
  .pipe(Schema.withDecodingDefaultKey(Effect.succeed(defaultLimit)))

/** Input fields of a command that reads pages. */
export const pageFields = {
  cursor: Schema.optionalKey(
    Schema.String.check(Schema.isBetweenLength(1, 1000)).annotate({
      description: "next_cursor from the previous page; omit for the first page"
    })
  ),
  limit: Limit
}

/** Output field `next_cursor`: null on the last page. */
export const NextCursor = Schema.NullOr(Schema.String).annotate({
  description: "Pass as cursor for the next page; null on the last page"
})

/** The sort keys of the last item of a page: for most lists its creation time and id. */
export type Position = ReadonlyArray<string | number>

/** The page to read: at most `limit` items after `after`, in the order of the list; the first page without. */
export interface PageRequest {
  readonly limit: number
  readonly after?: Position | undefined
}

/** A page; `next` is the position to continue from, undefined on the last page. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly next: Position | undefined
}

/** Makes a page of the `limit + 1` items that a store read; the extra item shows that another page follows. */
export const cutPage = <A>(items: ReadonlyArray<A>, limit: number, positionOf: (item: A) => Position): Page<A> => {
  const page = items.slice(0, limit)
  const last = page.at(-1)
  return { items: page, next: items.length > limit && last !== undefined ? positionOf(last) : undefined }
}

/** The secret that signs cursors: one per database, so that every replica accepts the others' cursors. */
export class CursorSecret extends Context.Service<CursorSecret, string>()("@svc/core/CursorSecret") {}

/** A secret that lasts as long as the process. */
export const layerSecretRandom: Layer.Layer<CursorSecret> = Layer.sync(CursorSecret, () =>
  randomBytes(32).toString("base64url")
)

/** What a cursor is valid for; `filters` is the input of the list without cursor and limit. */
interface CursorScope {
  readonly organizationId: OrganizationId
  readonly list: string
  readonly filters: unknown
}

const purposeOf = ({ filters, list, organizationId }: CursorScope): string =>
  canonicalJson([organizationId, list, filters])

/** Characters of a cursor's signature. */
const signatureLength = 22

/** The cursor of a position; null on the last page. */
const writeCursor = (
  scope: CursorScope,
  position: Position | undefined
): Effect.Effect<string | null, never, CursorSecret> =>
  position === undefined
    ? Effect.succeed(null)
    : Effect.map(CursorSecret, (secret) => writeSigned(secret, purposeOf(scope), [1, ...position], signatureLength))

/** The position of a cursor. Fails with INVALID_CURSOR unless it was issued for this list and organization. */
const readCursor = (
  scope: CursorScope,
  cursor: string | undefined
): Effect.Effect<Position | undefined, InvalidCursor, CursorSecret> => {
  if (cursor === undefined) return Effect.succeed(undefined)
  return Effect.flatMap(CursorSecret, (secret) => {
    const found = readSigned<Position>(secret, purposeOf(scope), cursor, signatureLength)
    return found === undefined
      ? Effect.fail(
          new InvalidCursor({ message: "This cursor does not belong to this list. Start again without a cursor." })
        )
      : Effect.succeed(found.slice(1))
  })
}

/**
 * Reads one page of a list command in the actor's organization. `input` is the command's whole input; all of it except cursor and
 * limit is bound to the cursor. Returns what `read` does, with the cursor; `read` is told `args` before the page.
 */
export const readPage = Effect.fnUntraced(function* <
  I extends { readonly cursor?: string; readonly limit: number },
  P extends Page<unknown>,
  E,
  R,
  const A extends ReadonlyArray<unknown>
>(
  list: string,
  input: I,
  read: (organizationId: OrganizationId, ...args: [...A, PageRequest]) => Effect.Effect<P, E, R>,
  ...args: A
) {
  const { organizationId } = yield* Actor
  const { cursor, limit, ...filters } = input
  const scope: CursorScope = { organizationId, list, filters }
  const after = yield* readCursor(scope, cursor)
  const page = yield* read(organizationId, ...args, { limit, after })
  return { ...page, next_cursor: yield* writeCursor(scope, page.next) }
})

/** A page of items in memory, newest first: by creation time, then by id, both descending. */
export const newestFirst = <A extends { readonly id: string; readonly createdAt: InstantText }>(
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
