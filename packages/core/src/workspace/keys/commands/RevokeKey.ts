import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { emit } from "../../../kernel/command/Execution.ts"
import { noPolicies } from "../../../kernel/command/Permission.ts"
import { NotFound } from "../../../kernel/failure/failures.ts"
import { revokedEvents } from "../../authorization/grantLife.ts"
import { lockKey, revokeLockedKey } from "../../organizations/changeKey.ts"
import { KeyIdText, KeyView, viewOf } from "../KeyView.ts"
import { rightsRefusal } from "../keyRights.ts"

/** `key.revoke`: revokes a key. */
export const RevokeKey = Command.make({
  id: "key.revoke",
  title: "Revoke an API key",
  summary: "Revoke an API key immediately",
  description:
    "Every replica refuses the key, its sessions and the AI agents it signed in within a second. Revoking it again changes nothing. The calling key can revoke " +
    "itself; a key with more rights, or another user's, takes the scope admin.",
  whenToUse: "When a key is no longer needed, or may have leaked.",
  category: "workspace",
  risk: "mutate",
  scope: "keys:manage",
  input: Schema.Struct({ key_id: KeyIdText }),
  output: Schema.Struct({ key: KeyView }),
  failures: [NotFound],
  riskNotes: ["Applications that use the key stop working immediately."],
  relatedCommands: ["key.list", "key.create"],
  examples: [{ title: "Revoke a key", input: { key_id: "samplerevoke" } }],
  run: Effect.fnUntraced(function* ({ key_id }) {
    const actor = yield* Actor
    const key = yield* lockKey(actor.organizationId, key_id)
    const refused = key_id === actor.keyId ? undefined : rightsRefusal(actor, { policies: noPolicies, ...key })
    if (refused !== undefined) return yield* refused
    yield* Effect.forEach(revokedEvents(key, "revoked"), emit)
    return { key: viewOf(yield* revokeLockedKey(key)) }
  })
})
