/** Rotating and revoking keys, inside a transaction: what commands and operators share. */

import * as Effect from "effect/Effect"
import type { ActorKind } from "../../kernel/command/Actor.ts"
import { commandHash } from "../../kernel/command/Envelope.ts"
import { WrongState } from "../../kernel/failure/failures.ts"
import { orNotFound } from "../../kernel/failure/orNotFound.ts"
import { type NewEvent, stampEvents } from "../../kernel/journal/Event.ts"
import { Journal } from "../../kernel/journal/Journal.ts"
import { Ids } from "../../kernel/schema/Ids.ts"
import type { KeyId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { isoFromMillis, now } from "../../kernel/schema/Time.ts"
import { Workspaces } from "../Workspaces.ts"
import { type ApiKey, generateKey, hashSecret, parseKey } from "./ApiKey.ts"

/** Reads a key and locks it until the transaction ends. Fails with NOT_FOUND. */
export const lockKey = (organizationId: OrganizationId, keyId: KeyId) =>
  Effect.flatMap(Workspaces, (workspaces) => orNotFound("key", keyId, workspaces.holdKey(organizationId, keyId)))

/** The key with an additional secret; its valid secrets expire at `until`. Not stored yet. */
export const withNewSecret = (key: ApiKey, at: string, until: string) => {
  const text = generateKey(key.keyId)
  const old = key.secrets
    .filter(({ validUntil }) => validUntil === null || validUntil > at)
    .map((secret) => ({ ...secret, validUntil: [secret.validUntil ?? until, until].sort()[0] ?? until }))
  const secrets = [...old, { hash: hashSecret(parseKey(text)?.secret ?? ""), validUntil: null }]
  return { key: { ...key, secrets }, text }
}

/**
 * Adds a secret to a locked key; the old ones stay valid for `overlapSeconds`. Fails with WRONG_STATE if it is revoked, or is a
 * session.
 */
export const rotateLockedKey = Effect.fnUntraced(function* (key: ApiKey, overlapSeconds: number) {
  if (key.revokedAt !== null) {
    return yield* new WrongState({ message: "A revoked key cannot be rotated. Create a new key." })
  }
  if (key.session !== undefined) {
    return yield* new WrongState({
      message: "A session or grant cannot be rotated. Revoke it, or rotate the key it came from."
    })
  }
  const at = yield* now
  const until = isoFromMillis(Date.parse(at) + overlapSeconds * 1000)
  const issued = withNewSecret(key, at, until)
  yield* (yield* Workspaces).updateKey(issued.key)
  const subject = { type: "key", id: key.keyId }
  return { issued, event: { type: "key.rotated", subject, data: { old_secret_valid_until: until } } as const }
})

/** Revokes a locked key; a revoked key stays as it is. */
export const revokeLockedKey = Effect.fnUntraced(function* (key: ApiKey) {
  if (key.revokedAt !== null) return key
  const revoked: ApiKey = { ...key, revokedAt: yield* now }
  yield* (yield* Workspaces).updateKey(revoked)
  return revoked
})

/** A change of a key by its own user that is no command, such as signing in. */
interface KeyChange {
  readonly key: ApiKey
  /** Such as `session.start`. */
  readonly commandId: string
  /** Default USER. */
  readonly actorKind?: ActorKind
  readonly events?: ReadonlyArray<NewEvent>
}

/** Writes the audit row and the events of a change, in the transaction of the change. */
export const recordKeyChange = Effect.fnUntraced(function* ({
  actorKind = "USER",
  commandId,
  events = [],
  key: { keyId, organizationId, userId }
}: KeyChange) {
  const createdAt = yield* now
  const stamp = { organizationId, actor: { kind: actorKind, id: userId }, keyId, createdAt }
  const audit = {
    id: yield* (yield* Ids).next("aud"),
    organizationId,
    actorKind,
    userId,
    keyId,
    commandId,
    commandHash: commandHash(organizationId, commandId, { key_id: keyId }),
    subject: { type: "key", id: keyId },
    outcome: "ok",
    createdAt
  } as const
  yield* (yield* Journal).append([{ events: yield* stampEvents(events, stamp), audit, idempotency: undefined }])
})
