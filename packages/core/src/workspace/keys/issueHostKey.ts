/** Keys that a host program issues, with the fields of `key.create` in its own spelling. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { decoder } from "../../kernel/schema/Decode.ts"
import type { OperatorNeeds } from "../organizations/asOperator.ts"
import { createKey, type IssuedKey } from "../organizations/Provisioning.ts"
import type { Workspaces } from "../Workspaces.ts"
import { CreateKey } from "./commands.ts"
import { requireFuture } from "./keyRights.ts"

const { actor_kind, expires_at, mode, name, scopes, user_id } = CreateKey.input.fields

const decode = decoder(
  Schema.Struct({
    organizationId: Schema.String,
    name,
    userId: user_id,
    kind: actor_kind,
    mode,
    scopes,
    expiresAt: expires_at
  })
)

/** Creates a key as an operator does. Fails with INVALID_INPUT, naming the field, and NOT_FOUND. */
export const issueHostKey = Effect.fnUntraced(function* (
  input: unknown
): Effect.fn.Return<IssuedKey, Failure, OperatorNeeds | Workspaces> {
  const { kind, organizationId, ...request } = yield* Effect.fromResult(decode(input))
  yield* requireFuture("expiresAt", request.expiresAt)
  return yield* createKey(organizationId, { ...request, actorKind: kind })
})
