/** Whether an actor may run a command: its scopes and mode, then the policies of key and organization. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../../failure/Failure.ts"
import { isoFromMillis, type OrganizationId } from "../../schema/IdsAndTime.ts"
import { addressesOf, expiryOf } from "../ApprovalRequest.ts"
import type { StoredPrecondition } from "../Envelope.ts"
import { type ActorIdentity, rightsKeyOf } from "../Execution.ts"
import { type ApprovalRules, type CommandPolicy, noPolicies, type PolicyLayers } from "../Permission.ts"
import { denied, type Guarded, permissionOf, refusal } from "../Policy.ts"
import type { Session, SessionFacts, SessionServices } from "../Session.ts"
import { earlierResult } from "./execute.ts"
import { commandResult } from "./present.ts"

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
) {
  const isFree = isDelegated || command.risk === "read"
  const permission = isFree ? "allow" : permissionOf(yield* layersOf(actor, policyOf), command, actor.kind)
  const refused = refusal(actor, command)
  if (refused !== undefined) return yield* refused
  return permission === "deny" ? yield* denied(command.id) : permission
})

/** Whether an actor may run it without asking anybody. */
export const isAllowed = (...call: Parameters<typeof authorize>): Effect.Effect<boolean> =>
  Effect.match(authorize(...call), { onSuccess: (answer) => answer === "allow", onFailure: () => false })

/**
 * Stores a request for approval; retries with the same idempotency key create only one. `pinned` are the fields that pin
 * what the run depends on.
 */
export const requestApproval = Effect.fnUntraced(function* (
  services: SessionServices,
  facts: SessionFacts,
  session: Session,
  rules: ApprovalRules,
  input: unknown,
  pinned: Effect.Effect<Readonly<Record<string, unknown>>, Failure>,
  precondition: Effect.Effect<StoredPrecondition | null, Failure>
) {
  const { actor, commandId, hash } = facts
  const millis = yield* Clock.currentTimeMillis
  const request = {
    id: yield* services.ids.next("apr"),
    organizationId: actor.organizationId,
    commandId,
    commandHash: hash,
    requestedBy: { kind: actor.kind, userId: actor.userId, keyId: rightsKeyOf(actor) },
    createdAt: isoFromMillis(millis),
    expiresAt: isoFromMillis(expiryOf(rules, millis)),
    mailTo: addressesOf(rules)
  }
  return yield* services.transaction.run(
    Effect.gen(function* () {
      const earlier = yield* earlierResult(services, facts)
      if (earlier !== undefined) return earlier
      const stored = { ...Object(input), ...(yield* pinned) }
      return commandResult(
        yield* session.requestApproval({ ...request, input: stored, precondition: yield* precondition })
      )
    })
  )
})
