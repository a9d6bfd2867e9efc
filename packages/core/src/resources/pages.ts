/** Lists in pages that a model can read: `URI` is the first page, `URI/{cursor}` a further one. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../kernel/command/Actor.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import { type Page, type PageRequest, readPage } from "../kernel/schema/Page.ts"
import type { OrganizationId } from "../kernel/schema/RecordIds.ts"

/** Field of a payload: where the next page is. */
export const NextUri = Schema.NullOr(Schema.String).annotate({ description: "The next page; null on the last page" })

/** The cursor that means the first page. */
export const firstPage = "first"

/** Parameters and failures of a further page. */
export const furtherPage = { params: Schema.Struct({ cursor: Schema.String }), example: { cursor: firstPage } } as const

/** Reads the page of a list at `uri` after a cursor; undefined for the first. Fails with NOT_FOUND for a cursor of another list. */
export const readListPage = Effect.fnUntraced(function* <A, P extends Page<A>, E, R>(
  { cursor, limit, uri }: { readonly cursor: string | undefined; readonly limit: number; readonly uri: string },
  read: (organizationId: OrganizationId, request: PageRequest) => Effect.Effect<P & Page<A>, E, R>
) {
  const { organizationId } = yield* Actor
  const given = cursor === undefined || cursor === firstPage ? {} : { cursor }
  let found: P | undefined
  const { items, nextCursor } = yield* readPage(organizationId, uri, { limit, ...given }, (request) =>
    Effect.tap(read(organizationId, request), (page) =>
      Effect.sync(() => {
        found = page
      })
    )
  ).pipe(
    Effect.catchTag("InvalidCursor", () => Effect.fail(new NotFound({ kind: "page", id: (cursor ?? "").slice(0, 64) })))
  )
  if (found === undefined) return yield* Effect.die("a page was not read")
  return { items, found, next_uri: nextCursor === null ? null : `${uri}/${nextCursor}` }
})
