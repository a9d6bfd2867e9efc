/** Reading a page of keys. An organization has few, so they are read at once and cut in code. */
import * as Effect from "effect/Effect"
import { newestFirst, readPage } from "../Page.ts"
import { Workspaces } from "../workspace/Workspaces.ts"
import { viewOf } from "./KeyView.ts"

/** A page of keys, newest first. */
export const listKeys = Effect.fnUntraced(function* (
  organizationId: string,
  list: string,
  input: { readonly cursor?: string; readonly limit: number }
) {
  const workspaces = yield* Workspaces
  const page = yield* readPage(organizationId, list, input, (request) =>
    Effect.map(workspaces.listKeys(organizationId), (keys) =>
      newestFirst(
        keys.map((key) => ({ ...key, id: key.keyId })),
        request
      )
    )
  )
  return { items: page.items.map(viewOf), nextCursor: page.nextCursor }
})
