import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { KeyId } from "../../kernel/schema/RecordIds.ts"
import { isoFromMillis } from "../../kernel/schema/Time.ts"
import { type ApiKey, generateKey, type KeySession } from "../organizations/ApiKey.ts"
import { issueKey } from "../organizations/Provisioning.ts"
import { linkMillis, sessionMillis } from "./sessionLife.ts"

/**
 * A session of a key, or a link to one, not stored yet. It ends with the parent's secret of this hash; `keyId` is that of the
 * link that becomes a session.
 */
export const issueSession = Effect.fnUntraced(function* (
  parent: ApiKey,
  parentSecretHash: string,
  state: KeySession["state"],
  keyId?: KeyId
) {
  const { name, organizationId, scopes, userId } = parent
  const [environment, millis] = state === "link" ? ["link", linkMillis] : ["session", sessionMillis]
  const expiresAt = isoFromMillis((yield* Clock.currentTimeMillis) + millis)
  const text = generateKey(keyId, environment)
  const { key } = yield* issueKey(organizationId, userId, { name, scopes, expiresAt }, text)
  const session: KeySession = { state, parentKeyId: parent.keyId, parentSecretHash }
  return { key: { ...key, session }, text }
})
