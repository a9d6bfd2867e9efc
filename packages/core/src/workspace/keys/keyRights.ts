/** An actor cannot manage a key with more rights than its own, and only an administrator another user's. */

import * as Effect from "effect/Effect"
import { Actor, type ActorIdentity } from "../../kernel/command/Execution.ts"
import * as Permission from "../../kernel/command/Permission.ts"
import { agentPermissionOf, hasScope, permissionOf } from "../../kernel/command/Policy.ts"
import { ApprovalPolicy, ForbiddenScope, InvalidInput, type StoreFailure } from "../../kernel/failure/failures.ts"
import { type InstantText, now } from "../../kernel/schema/IdsAndTime.ts"
import type { ApiKey } from "../organizations/ApiKey.ts"
import { Workspaces } from "../Workspaces.ts"

/** The rights of a key. */
type KeyRights = Required<Pick<ApiKey, "actorKind" | "userId" | "scopes" | "policies">>

const risks = ["mutate", "approval"] as const

/** Why the actor must not create, rotate or revoke a key with these rights, or undefined if it may. */
export const rightsRefusal = (actor: ActorIdentity, rights: KeyRights): ApprovalPolicy | ForbiddenScope | undefined => {
  if (rights.userId !== actor.userId && !hasScope(actor, "admin")) {
    return new ForbiddenScope({
      message: "Another user's keys require the scope admin. Leave user_id out, or use a key that has it."
    })
  }
  const lacking = rights.scopes.filter((scope) => !hasScope(actor, scope))
  if (lacking.length > 0) {
    return new ForbiddenScope({
      message:
        `Your key does not have these scopes, so it cannot manage a key that does: ${lacking.join(", ")}. Leave them out, ` +
        "or use a key that has them."
    })
  }
  if (actor.kind === "AI_AGENT" && rights.actorKind === "USER") {
    return new ForbiddenScope({
      message: "An AI agent cannot manage a person's keys. Ask a person, or send actor_kind: AI_AGENT."
    })
  }
  const mine = actor.policies ?? Permission.noPolicies
  const strictness = (policies: Permission.PolicyLayers, risk: (typeof risks)[number]) =>
    Permission.permissions.indexOf(
      permissionOf(policies, { risk, effects: { does: ["writes"], channels: [] } }, actor.kind)
    )
  const ofAgents = (policies: Permission.PolicyLayers) => Permission.permissions.indexOf(agentPermissionOf(policies))
  return risks.some((risk) => strictness(rights.policies, risk) < strictness(mine, risk)) ||
    (actor.kind === "AI_AGENT" && ofAgents(rights.policies) < ofAgents(mine))
    ? new ApprovalPolicy({
        message: "That key may do more than your key's policy allows. Ask somebody with the scope admin."
      })
    : undefined
}

/** Who hands out a secret, with the policies and the expiry that its key has now. */
interface Issuer {
  readonly actor: ActorIdentity
  readonly expiresAt: InstantText | null
}

/**
 * The caller as one who hands out a secret. What it hands out outlives whatever ends the caller, so its key is locked: nobody revokes
 * it or changes its policy until the transaction ends. Fails with FORBIDDEN_SCOPE if that has happened, for a session, and for
 * an AI agent that signed in.
 */
export const issuer: Effect.Effect<Issuer, ForbiddenScope | StoreFailure, Actor | Workspaces> = Effect.gen(
  function* () {
    const actor = yield* Actor
    const { grantor, keyId, organizationId, parentKeyId } = actor
    if (parentKeyId !== undefined || grantor !== undefined) {
      return yield* new ForbiddenScope({
        message:
          "A session of the review page, and an AI agent that signed in, cannot create or rotate keys or sign-in links. Use " +
          "an API key."
      })
    }
    if (keyId === null) return { actor, expiresAt: null }
    const key = yield* (yield* Workspaces).holdKey(organizationId, keyId)
    if (key === undefined || key.revokedAt !== null) {
      return yield* new ForbiddenScope({ message: "Your key was revoked. Use another key." })
    }
    return { actor: { ...actor, policies: key.policies ?? Permission.noPolicies }, expiresAt: key.expiresAt }
  }
)

/**
 * When a key expires whose secret the issuer gets: at the wanted time, null for never; by default with the issuer's own key. Fails
 * with FORBIDDEN_SCOPE if that one expires before.
 */
export const expiryWithin = (
  { expiresAt }: Issuer,
  wanted: InstantText | null | undefined
): Effect.Effect<InstantText | null, ForbiddenScope> => {
  if (wanted === undefined) return Effect.succeed(expiresAt)
  if (expiresAt === null || (wanted !== null && wanted <= expiresAt)) return Effect.succeed(wanted)
  return Effect.fail(
    new ForbiddenScope({
      message:
        `Your key expires at ${expiresAt}, so you can't create, rotate or sign in with a key that is valid for longer. Send an ` +
        "earlier expires_at or leave it out, or use a key that is valid for as long."
    })
  )
}

/** Fails with INVALID_INPUT, naming the field, if a key would have expired already. */
export const requireFuture = Effect.fnUntraced(function* (field: string, expiry: InstantText | undefined) {
  if (expiry === undefined || expiry > (yield* now)) return
  yield* new InvalidInput({ message: `${field} is in the past. Send a future time, or leave it out.` })
})
