/** One-time links that sign a person in to the review page. */
import * as Effect from "effect/Effect"
import { WrongState } from "../../kernel/failure/failures.ts"
import { now } from "../../kernel/schema/Time.ts"
import type { ApiKey } from "../organizations/ApiKey.ts"
import { Workspaces } from "../organizations/Workspaces.ts"
import { issueSession } from "./issueSession.ts"
import { requirePerson } from "./requirePerson.ts"
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
