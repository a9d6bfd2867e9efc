/** One-time links that sign a person in to the review page. */
import * as Effect from "effect/Effect"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { WrongState } from "../../kernel/failure/failures.ts"
import { orNotFound } from "../../kernel/failure/orNotFound.ts"
import type { KeyId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import type { ApiKey } from "../organizations/ApiKey.ts"
import { asOperator, type OperatorNeeds } from "../organizations/asOperator.ts"
import { lockKey } from "../organizations/changeKey.ts"
import { Workspaces } from "../organizations/Workspaces.ts"
import { requirePerson } from "./Identity.ts"
import { issueSession } from "./issueSession.ts"
import { firstToExpire } from "./sessionLife.ts"

/**
 * Stores a link for a person's key, and returns its path below the URL of the service. The code is in the fragment, which
 * browsers send to no server. Fails with APPROVAL_POLICY for any other key, and with WRONG_STATE for a session or a key that has
 * ended.
 */
export const createLink = Effect.fnUntraced(function* (parent: ApiKey) {
  yield* requirePerson({ kind: parent.actorKind, mode: parent.mode })
  const at = yield* now
  const secret = firstToExpire(parent, at)
  const hasEnded = parent.revokedAt !== null || (parent.expiresAt !== null && parent.expiresAt <= at)
  if (parent.session !== undefined || secret === undefined || hasEnded) {
    return yield* new WrongState({ message: "The key is a session, was revoked or has expired. Use another key." })
  }
  const { key, text } = yield* issueSession(parent, secret.hash, "link")
  yield* (yield* Workspaces).createKey(key)
  return { key, path: `/review#link=${text}` }
})

/**
 * Creates a one-time link for a person's key as an operator, and returns its path below the URL of the service. Fails with
 * NOT_FOUND, APPROVAL_POLICY or WRONG_STATE.
 */
export const createSignInLink = Effect.fnUntraced(function* (
  keyId: KeyId
): Effect.fn.Return<string, Failure, OperatorNeeds | Workspaces> {
  const workspaces = yield* Workspaces
  const { organizationId } = yield* orNotFound("key", keyId, workspaces.findKey(keyId))
  return yield* asOperator(
    { organizationId, operation: "operator.session.link.create", input: { keyId }, subject: null },
    Effect.map(Effect.flatMap(lockKey(organizationId, keyId), createLink), ({ key, path }) => ({
      result: path,
      subject: { type: "key", id: key.keyId }
    }))
  )
})
