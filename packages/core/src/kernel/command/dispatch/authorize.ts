/** Whether an actor may run a command: its scopes and mode, then the policies of key and organization. */

import * as Effect from "effect/Effect"
import type { Failure } from "../../failure/Failure.ts"
import type { OrganizationId } from "../../schema/RecordIds.ts"
import type { ActorIdentity } from "../Actor.ts"
import type { AnyCommand } from "../Command.ts"
import { type CommandPolicy, noPolicies, type PolicyLayers } from "../Permission.ts"
import { denied, permissionOf, refusal } from "../Policy.ts"

/** Run it, store it for a person to decide, or refuse it. */
type Authorization = "allow" | "ask" | Failure

type PolicyOf = (organizationId: OrganizationId) => Effect.Effect<CommandPolicy, Failure>

/** The policies that apply to an actor. */
export const layersOf = (
  { organizationId, policies }: ActorIdentity,
  policyOf: PolicyOf
): Effect.Effect<PolicyLayers, Failure> =>
  policies === undefined
    ? Effect.map(policyOf(organizationId), (organization) => ({ ...noPolicies, organization }))
    : Effect.succeed(policies)

/** Authorizes a run. A delegated run was approved by a person, so policies do not apply again. */
export const authorize = Effect.fnUntracedEager(function* (
  command: AnyCommand,
  actor: ActorIdentity,
  policyOf: PolicyOf,
  isDelegated: boolean
): Effect.fn.Return<Authorization, Failure> {
  const isFree = isDelegated || command.risk === "read"
  const permission = isFree ? "allow" : permissionOf(yield* layersOf(actor, policyOf), command, actor.kind)
  return refusal(actor, command) ?? (permission === "deny" ? denied(command.id) : permission)
})
