/** All pages of a list. */
import type { Failure } from "@svc/core"
import * as Effect from "effect/Effect"
import { dataOf, type Reply } from "../Target.ts"
import { listIn } from "./show.ts"

/** The cursor of the next page; undefined on the last one. */
export const cursorOf = (reply: Reply): string | undefined => {
  const cursor = dataOf(reply)["next_cursor"]
  return typeof cursor === "string" ? cursor : undefined
}

/** What was read: the rows of the pages as one reply, and the error that ended it early. */
interface ReadPages {
  readonly reply: Reply
  readonly rows: number
  readonly refused: Reply | undefined
}

/**
 * Reads the pages after the first one. `onPage` gets each page as it arrives. An error keeps what was read before it; the
 * reply then has the cursor to continue with.
 */
export const readPages = Effect.fnUntraced(function* <E>(
  first: Reply,
  next: (cursor: string) => Effect.Effect<Reply, Failure>,
  onPage: (page: Reply) => Effect.Effect<void, E>
): Effect.fn.Return<ReadPages, Failure | E> {
  const list = listIn(dataOf(first))
  if (list === undefined) return { reply: first, rows: 0, refused: undefined }
  const rows = [...list.rows]
  let cursor = cursorOf(first)
  let refused: Reply | undefined
  yield* onPage(first)
  while (cursor !== undefined && refused === undefined) {
    const page = yield* next(cursor)
    if (page.status >= 400) refused = page
    else {
      yield* onPage(page)
      for (const row of listIn(dataOf(page))?.rows ?? []) rows.push(row)
      cursor = cursorOf(page)
    }
  }
  const data = { [list.name]: rows, next_cursor: cursor ?? null }
  return { reply: { status: 200, body: { ...Object(first.body), data } }, rows: rows.length, refused }
})
