import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { emit } from "../../Execution.ts"
import { fail, notFound } from "../../Failure.ts"
import { noPolicies } from "../../Policy.ts"
import { isoFromMillis, now } from "../../Time.ts"
import { rotated } from "../../workspace/Provisioning.ts"
import { Workspaces } from "../../workspace/Workspaces.ts"
import { IssuedKey, KeyIdText, viewOf } from "../KeyView.ts"
import { excess } from "../keyRights.ts"

const daySeconds = 24 * 60 * 60

/** Input field `overlap_seconds`, of keys and of webhooks. Source: G36. */
export const OverlapSeconds = Schema.optionalKey(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 * daySeconds })).annotate({
    description: "Seconds for which the old secret still holds, 0 to 604800; default 86400"
  })
)

/** `key.rotate`: gives a key a new secret. */
export const RotateKey = Command.make({
  id: "key.rotate",
  title: "Rotate an API key",
  summary: "Give a key a new secret; the old one holds for a while longer.",
  description:
    "Makes a new secret for a key, which keeps its id, name and rights. The old secret holds for overlap_seconds more, so " +
    "that programs can change over without a gap. A key with more rights than the caller's cannot be rotated.",
  whenToUse: "Regularly, and when a secret may have been seen; to end a key at once use key.revoke.",
  category: "workspace",
  risk: "mutate",
  scope: "keys:manage",
  input: Schema.Struct({ key_id: KeyIdText, overlap_seconds: OverlapSeconds }),
  output: IssuedKey,
  shownOnce: ["api_key"],
  riskNotes: ["Programs that still use the old secret are refused when the overlap ends."],
  relatedCommands: ["key.list", "key.revoke"],
  examples: [{ title: "With an hour to change over", input: { key_id: "samplerotate", overlap_seconds: 3600 } }],
  run: Effect.fnUntraced(function* ({ key_id, overlap_seconds = daySeconds }) {
    const actor = yield* Actor
    const workspaces = yield* Workspaces
    const key = yield* workspaces.holdKey(actor.organizationId, key_id)
    if (key === undefined) return yield* notFound("key", key_id)
    if (key.revokedAt !== null) return yield* fail("WRONG_STATE", "A revoked key cannot be rotated. Create a new key.")
    const { actorKind, policies = noPolicies, scopes } = key
    const refused = excess(actor, { actorKind, scopes, policies })
    if (refused !== undefined) return yield* refused
    const at = yield* now
    const until = isoFromMillis(Date.parse(at) + overlap_seconds * 1000)
    const fresh = rotated(key, at, until)
    yield* workspaces.updateKey(fresh.key)
    yield* emit({ type: "key.rotated", subject: { type: "key", id: key_id }, data: { old_secret_valid_until: until } })
    return { key: viewOf(fresh.key), api_key: fresh.text }
  })
})
