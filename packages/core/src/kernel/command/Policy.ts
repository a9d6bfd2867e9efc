/**
 * What an actor may do: the scopes and the mode of its key, checked once, in Dispatch, and the policies.
 *
 * A policy can require approval for a command or deny it; without one, everything within the scopes is allowed.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { ApprovalPolicy, ForbiddenScope, type StoreEffect } from "../failure/failures.ts"
import type { OrganizationId } from "../schema/IdsAndTime.ts"
import type { AnyCommand } from "./Command.ts"
import { answers, approvesOrSends, governs, readsOrDrafts } from "./Effects.ts"
import { Actor, type ActorIdentity } from "./Execution.ts"
import { type CommandPolicy, type Permission, type PolicyLayers, permissions, type Scope } from "./Permission.ts"

/** Whether the actor has the scope, directly or through `admin`. */
export const hasScope = (actor: ActorIdentity, scope: Scope): boolean =>
  actor.scopes.includes(scope) || actor.scopes.includes("admin")

/** What the policies say about an AI agent that approves or sends. */
export const agentPermissionOf = ({ key, organization }: PolicyLayers): Permission =>
  key.agents ?? organization.agents ?? "allow"

/**
 * What the policies say about a command and the kind of its actor: the strictest rule applies. Reading is always allowed,
 * and an organization's rule for a risk never blocks a command that governs, so that the rule can be reversed.
 */
export const permissionOf = (
  policies: PolicyLayers,
  { effects, risk }: Pick<Guarded, "effects" | "risk">,
  kind: ActorIdentity["kind"]
): Permission => {
  if (risk === "read" || answers(effects)) return "allow"
  const { key, organization } = policies
  const byRisk = key[risk] ?? (governs(effects) ? undefined : organization[risk]) ?? "allow"
  const byKind = kind === "AI_AGENT" && approvesOrSends(effects) ? agentPermissionOf(policies) : "allow"
  return permissions[Math.max(permissions.indexOf(byRisk), permissions.indexOf(byKind))] ?? "deny"
}

/** The failure for a policy that says `deny`. */
export const denied = (id: string): ApprovalPolicy =>
  new ApprovalPolicy({
    message:
      `A policy of this organization or key denies ${id}. Ask somebody with the scope admin to change it with ` +
      "policy.set."
  })

/** The organization's policy, for actors without a key such as host programs. By default none. */
export const OrganizationPolicies = Context.Reference<(organizationId: OrganizationId) => StoreEffect<CommandPolicy>>(
  "@svc/core/OrganizationPolicies",
  { defaultValue: () => () => Effect.succeed({}) }
)

/** What the rules read of a command. `id` is for messages. */
export type Guarded = Pick<AnyCommand, "id" | "risk" | "scope" | "effects">

const missingScope = (what: string, scope: Scope): ForbiddenScope =>
  new ForbiddenScope({
    message: `${what} requires the scope ${scope}, which this key or actor does not have. Use one with that scope.`
  })

/** Why the actor must not run the command, or undefined if it may. */
export const refusal = (actor: ActorIdentity, command: Guarded): ApprovalPolicy | ForbiddenScope | undefined => {
  if (actor.mode === "draft_only" && !readsOrDrafts(command.effects)) {
    return new ApprovalPolicy({
      message: `A draft-only key can read and write drafts, but not run ${command.id}. Ask a person with a full key to run it.`
    })
  }
  if (actor.kind === "AI_AGENT" && governs(command.effects)) {
    return new ApprovalPolicy({
      message: `Only a person can run ${command.id}. Use a key whose actor kind is USER, and not over MCP.`
    })
  }
  return hasScope(actor, command.scope) ? undefined : missingScope(command.id, command.scope)
}

/** Fails with FORBIDDEN_SCOPE unless the running actor has the scope: for an option that requires more than its command. */
export const requireScope = (scope: Scope, what: string): Effect.Effect<void, ForbiddenScope, Actor> =>
  Effect.flatMap(Actor, (actor) =>
    actor.mode === "draft_only" || !hasScope(actor, scope) ? Effect.fail(missingScope(what, scope)) : Effect.void
  )
