/** Whether an actor may run a command: its scopes and mode, then the policies of key and organization. */

import * as Effect from "effect/Effect"
import type { Failure } from "../../failure/Failure.ts"
import type { OrganizationId } from "../../schema/RecordIds.ts"
import type { ActorIdentity } from "../Actor.ts"
import { type CommandPolicy, noPolicies, type PolicyLayers } from "../Permission.ts"
import { denied, type Guarded, permissionOf, refusal } from "../Policy.ts"

type PolicyOf = (organizationId: OrganizationId) => Effect.Effect<CommandPolicy, Failure>

/** The policies that apply to an actor. */
export const layersOf = (
  { organizationId, policies }: ActorIdentity,
  policyOf: PolicyOf
): Effect.Effect<PolicyLayers, Failure> =>
  policies === undefined
    ? Effect.map(policyOf(organizationId), (organization) => ({ ...noPolicies, organization }))
    : Effect.succeed(policies)

/**
 * Whether to run it or to store it for a person to decide. Fails with FORBIDDEN_SCOPE or APPROVAL_POLICY. A delegated run was
 * approved by a person, so policies do not apply again.
 */
export const authorize = Effect.fnUntracedEager(function* (
  command: Guarded,
  actor: ActorIdentity,
  policyOf: PolicyOf,
  isDelegated: boolean
): Effect.fn.Return<"allow" | "ask", Failure> {
  const isFree = isDelegated || command.risk === "read"
  const permission = isFree ? "allow" : permissionOf(yield* layersOf(actor, policyOf), command, actor.kind)
  const refused = refusal(actor, command)
  if (refused !== undefined) return yield* refused
  return permission === "deny" ? yield* denied(command.id) : permission
})

/** Whether an actor may run it without asking anybody. */
export const isAllowed = (...call: Parameters<typeof authorize>): Effect.Effect<boolean> =>
  Effect.match(authorize(...call), { onSuccess: (answer) => answer === "allow", onFailure: () => false })
