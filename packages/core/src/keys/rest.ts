/** Keys behind REST: what the commands do, with path parameters among the fields. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import * as Command from "../Command.ts"
import { NextCursor } from "../Page.ts"
import { CreateKey } from "./commands/CreateKey.ts"
import { ListKeys } from "./commands/ListKeys.ts"
import { RevokeKey } from "./commands/RevokeKey.ts"
import { OverlapSeconds, RotateKey } from "./commands/RotateKey.ts"
import { KeyIdText, KeyView } from "./KeyView.ts"
import { listKeys } from "./listKeys.ts"

/** GET /api/v1/keys. */
const RestListKeys = Command.make({
  ...ListKeys,
  id: "rest.keys.list",
  visibility: "internal",
  output: Schema.Struct({ keys: Schema.Array(KeyView), nextCursor: NextCursor }),
  compact: (output) => ({ output, warnings: [] }),
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const { items, nextCursor } = yield* listKeys(organizationId, "rest.keys", input)
    return { keys: items, nextCursor }
  })
})

/** POST /api/v1/keys. */
const RestCreateKey = Command.make({ ...CreateKey, id: "rest.keys.create", visibility: "internal" })

/** POST /api/v1/keys/{keyId}/rotate. */
const RestRotateKey = Command.make({
  ...RotateKey,
  id: "rest.keys.rotate",
  visibility: "internal",
  input: Schema.Struct({ keyId: KeyIdText, overlap_seconds: OverlapSeconds }),
  examples: [{ title: "With an hour to change over", input: { keyId: "samplerotate", overlap_seconds: 3600 } }],
  run: ({ keyId, ...rest }) => RotateKey.run({ key_id: keyId, ...rest })
})

/** DELETE /api/v1/keys/{keyId}. */
const RestRevokeKey = Command.make({
  ...RevokeKey,
  id: "rest.keys.revoke",
  visibility: "internal",
  input: Schema.Struct({ keyId: KeyIdText }),
  examples: [{ title: "End a key", input: { keyId: "samplerevoke" } }],
  run: ({ keyId }) => RevokeKey.run({ key_id: keyId })
})

/** The commands behind the REST endpoints of keys. */
export const restCommands = [RestListKeys, RestCreateKey, RestRotateKey, RestRevokeKey] as const
