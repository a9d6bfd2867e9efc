import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { InvalidCursor } from "../../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, newestFirst, readPage } from "../../../kernel/schema/Page.ts"
import { Workspaces } from "../../organizations/Workspaces.ts"
import { KeyView, viewOf } from "../KeyView.ts"

/** `key.list`: the keys of the organization. */
export const ListKeys = Command.make({
  id: "key.list",
  title: "List API keys",
  summary: "List API keys, newest first",
  description:
    "Returns name, owner, mode, scopes, expiry, revocation and last use of every key, of every session of the review " +
    "page, and of every AI agent that a person signed in. Secrets are never shown again after creation.",
  whenToUse: "To see which keys exist, which are unused, and which to rotate or revoke.",
  category: "workspace",
  risk: "read",
  scope: "keys:manage",
  input: Schema.Struct({ cursor: CursorText, limit: Limit }),
  output: Schema.Struct({ keys: Schema.Array(KeyView), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  relatedCommands: ["key.create", "key.rotate", "key.revoke"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const workspaces = yield* Workspaces
    // An organization has few keys, so all of them are read.
    const page = yield* readPage(organizationId, "keys", input, (request) =>
      Effect.map(workspaces.listKeys(organizationId), (keys) =>
        newestFirst(
          keys.map((key) => ({ ...key, id: key.keyId })),
          request
        )
      )
    )
    return { keys: page.items.map(viewOf), next_cursor: page.nextCursor }
  })
})
