import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { CursorText, Limit, NextCursor } from "../../Page.ts"
import { KeyView } from "../KeyView.ts"
import { listKeys } from "../listKeys.ts"

/** `key.list`: the keys of the organization. */
export const ListKeys = Command.make({
  id: "key.list",
  title: "List API keys",
  summary: "Read the API keys of the organization, newest first, without their secrets.",
  description:
    "Answers name, owner, mode, scopes, expiry, revocation and last use of every key. The secret of a key is never shown " +
    "again after it was made.",
  whenToUse: "To see which keys exist, which are unused, and which to rotate or revoke.",
  category: "workspace",
  risk: "read",
  scope: "keys:manage",
  input: Schema.Struct({ cursor: CursorText, limit: Limit }),
  output: Schema.Struct({ keys: Schema.Array(KeyView), next_cursor: NextCursor }),
  relatedCommands: ["key.create", "key.rotate", "key.revoke"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const { items, nextCursor } = yield* listKeys(organizationId, "keys", input)
    return { keys: items, next_cursor: nextCursor }
  })
})
