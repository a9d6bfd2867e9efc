import * as Effect from "effect/Effect"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { orNotFound } from "../../kernel/failure/orNotFound.ts"
import type { KeyId } from "../../kernel/schema/RecordIds.ts"
import { asOperator, type OperatorNeeds } from "../organizations/asOperator.ts"
import { lockKey } from "../organizations/changeKey.ts"
import { Workspaces } from "../organizations/Workspaces.ts"
import { createLink } from "./createLink.ts"

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
