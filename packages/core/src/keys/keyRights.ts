/**
 * What an actor may give away: no key that may do more than the actor itself.
 *
 * Source: issue "a key cannot give scopes that the caller lacks"; G36 and G37.
 */
import type { ActorIdentity, ActorKind } from "../Actor.ts"
import { type Failure, fail } from "../Failure.ts"
import {
  agentPermissionOf,
  hasScope,
  noPolicies,
  type PolicyLayers,
  permissionOf,
  permissions,
  type Scope
} from "../Policy.ts"

/** The rights of a key, given or to be given. */
export interface KeyRights {
  readonly actorKind: ActorKind
  readonly scopes: ReadonlyArray<Scope>
  readonly policies: PolicyLayers
}

const risks = ["mutate", "approval"] as const

/** Why the actor may not hand out a key with these rights; undefined when it may. */
export const excess = (actor: ActorIdentity, rights: KeyRights): Failure | undefined => {
  const lacking = rights.scopes.filter((scope) => !hasScope(actor, scope))
  if (lacking.length > 0) {
    return fail(
      "FORBIDDEN_SCOPE",
      `A key cannot hold scopes that the one who makes it lacks: ${lacking.join(", ")}. Leave them out, or use a key that has them.`
    )
  }
  if (actor.kind === "AI_AGENT" && rights.actorKind === "USER") {
    return fail("FORBIDDEN_SCOPE", "A program cannot hand out a person's key. Send actor_kind: AI_AGENT.")
  }
  const mine = actor.policies ?? noPolicies
  const strictness = (policies: PolicyLayers, risk: (typeof risks)[number]) =>
    permissions.indexOf(permissionOf(policies, { id: "", risk, scope: "admin" }, actor.kind))
  const ofAgents = (policies: PolicyLayers) => permissions.indexOf(agentPermissionOf(policies))
  return risks.some((risk) => strictness(rights.policies, risk) < strictness(mine, risk)) ||
    (actor.kind === "AI_AGENT" && ofAgents(rights.policies) < ofAgents(mine))
    ? fail("APPROVAL_POLICY", "That key may do more than the policy of yours allows. Ask someone with the scope admin.")
    : undefined
}
