/**
 * Grants: what a person allowed the client of an AI agent to do in their name. A grant is stored as a key of kind AI_AGENT that
 * names the person's key as its parent: it never has more rights than that key has now, and ends with it.
 */
import type { ActorIdentity } from "../../kernel/command/Actor.ts"
import { hasScope } from "../../kernel/command/Policy.ts"
import type { NewEvent } from "../../kernel/journal/Event.ts"
import { type ApiKey, actorOfKey, type ClientGrant } from "../organizations/ApiKey.ts"
import { isParentValid } from "../sessions/sessionLife.ts"

/** How long a client can use its code, in milliseconds. */
export const codeMillis = 60_000

/** How long an access token is valid, in seconds. */
export const accessSeconds = 3600

/** How long a grant lasts without a refresh, in milliseconds. */
export const idleMillis = 30 * 24 * 3_600_000

/** Most access tokens of a grant that are valid at once. */
export const maxAccessTokens = 4

/** What a key was granted; undefined for any other key. */
export const grantOf = ({ session }: ApiKey): ClientGrant | undefined => session?.grant

/** The actor of a grant, with what both the grant and its parent may do; undefined if the parent has ended. */
export const actorOfGrant = (key: ApiKey, parent: ApiKey | undefined, now: string): ActorIdentity | undefined => {
  if (!isParentValid(key, parent, now)) return undefined
  const person = actorOfKey(parent)
  return {
    ...person,
    kind: "AI_AGENT",
    mode: person.mode === "full" ? key.mode : person.mode,
    scopes: key.scopes.filter((scope) => hasScope(person, scope)),
    keyId: key.keyId,
    grantor: { keyId: parent.keyId, scopes: person.scopes }
  }
}

/** Why a grant was revoked: by a person or operator, by its client, or because a used code or refresh token came again. */
export type RevokeReason = "revoked" | "client" | "code_reused" | "refresh_token_reused"

/** The events of revoking a key: one if it is a grant that was not revoked before. */
export const revokedEvents = (key: ApiKey, reason: RevokeReason): ReadonlyArray<NewEvent> =>
  grantOf(key) === undefined || key.revokedAt !== null
    ? []
    : [
        {
          type: "grant.revoked",
          subject: { type: "key", id: key.keyId },
          data: { parent_key_id: key.session?.parentKeyId ?? null, reason }
        }
      ]
