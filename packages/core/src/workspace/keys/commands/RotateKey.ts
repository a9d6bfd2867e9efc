import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { emit } from "../../../kernel/command/Execution.ts"
import { noPolicies } from "../../../kernel/command/Permission.ts"
import { NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { lockKey, rotateLockedKey } from "../../organizations/changeKey.ts"
import { IssuedKey, KeyIdText, viewOf } from "../KeyView.ts"
import { expiryWithin, refuseSession, rightsRefusal } from "../keyRights.ts"
import { daySeconds, OverlapSeconds } from "../OverlapSeconds.ts"

/** `key.rotate`: replaces a key's secret. */
export const RotateKey = Command.make({
  id: "key.rotate",
  title: "Rotate an API key",
  summary: "Replace an API key's secret",
  description:
    "Creates a new secret for a key, which keeps its id, name and scopes. The old secret stays valid for " +
    "overlap_seconds, so that applications can switch without a gap. A key with more rights than the caller's, " +
    "or valid for longer, cannot be rotated.",
  whenToUse: "Regularly, and when a secret may have leaked; to block a key immediately, use key.revoke.",
  category: "workspace",
  risk: "mutate",
  scope: "keys:manage",
  input: Schema.Struct({ key_id: KeyIdText, overlap_seconds: OverlapSeconds }),
  output: IssuedKey,
  failures: [NotFound, WrongState],
  shownOnce: ["api_key"],
  riskNotes: ["Applications that still use the old secret are refused after the overlap."],
  relatedCommands: ["key.list", "key.revoke"],
  examples: [{ title: "With an overlap of one hour", input: { key_id: "samplerotate", overlap_seconds: 3600 } }],
  run: Effect.fnUntraced(function* ({ key_id, overlap_seconds = daySeconds }) {
    const actor = yield* Actor
    yield* refuseSession(actor)
    const key = yield* lockKey(actor.organizationId, key_id)
    const refused = rightsRefusal(actor, { policies: noPolicies, ...key })
    if (refused !== undefined) return yield* refused
    yield* expiryWithin(key.expiresAt)
    const { event, issued } = yield* rotateLockedKey(key, overlap_seconds)
    yield* emit(event)
    return { key: viewOf(issued.key), api_key: issued.text }
  })
})
