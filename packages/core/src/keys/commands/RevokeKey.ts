import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { notFound } from "../../Failure.ts"
import { now } from "../../Time.ts"
import { Workspaces } from "../../workspace/Workspaces.ts"
import { KeyIdText, KeyView, viewOf } from "../KeyView.ts"

/** `key.revoke`: ends a key. */
export const RevokeKey = Command.make({
  id: "key.revoke",
  title: "Revoke an API key",
  summary: "End a key at once and for good.",
  description:
    "Every replica refuses the key within a second. Ending it again changes nothing. The key of the call itself may be " +
    "revoked too.",
  whenToUse: "When a key is not needed any more, or may be in wrong hands.",
  category: "workspace",
  risk: "mutate",
  scope: "keys:manage",
  input: Schema.Struct({ key_id: KeyIdText }),
  output: Schema.Struct({ key: KeyView }),
  riskNotes: ["Programs that use the key stop working at once."],
  relatedCommands: ["key.list", "key.create"],
  examples: [{ title: "End a key", input: { key_id: "samplerevoke" } }],
  run: Effect.fnUntraced(function* ({ key_id }) {
    const { organizationId } = yield* Actor
    const workspaces = yield* Workspaces
    const key = yield* workspaces.holdKey(organizationId, key_id)
    if (key === undefined) return yield* notFound("key", key_id)
    if (key.revokedAt !== null) return { key: viewOf(key) }
    const revoked = { ...key, revokedAt: yield* now }
    yield* workspaces.updateKey(revoked)
    return { key: viewOf(revoked) }
  })
})
