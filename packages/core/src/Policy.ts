/**
 * What an actor may do: the scopes of a key and its mode, checked once, in Dispatch.
 *
 * A policy may add a question or a refusal for commands of some risk; without one everything that the scopes hold is
 * allowed. Source: gap decisions G26 and G37; contract sections 1.8 and 7 (draft-only keys).
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Actor, type ActorIdentity } from "./Actor.ts"
import { type Failure, fail } from "./Failure.ts"

/** Every scope that a key can hold. */
export const scopes = [
  "offers:read",
  "offers:write",
  "leads:read",
  "leads:write",
  "leads:merge",
  "missions:read",
  "missions:write",
  "agents:read",
  "agents:write",
  "imports:read",
  "imports:run",
  "linkedin:read",
  "linkedin:draft",
  "linkedin:approve",
  "linkedin:send",
  "email:read",
  "email:send",
  "email:approve",
  "events:read",
  "webhooks:manage",
  "keys:manage",
  "audit:read",
  "privacy:manage",
  "admin"
] as const

/** A right of a key, `resource:verb`. `admin` holds every other scope. */
export type Scope = (typeof scopes)[number]

const reading = scopes.filter((scope) => scope.endsWith(":read") && scope !== "audit:read")

/** Named sets of scopes that `svc keys create --scopes` takes beside single scopes. */
export const scopeBundles: Readonly<Record<"read_only" | "drafter" | "approver" | "full", ReadonlyArray<Scope>>> = {
  read_only: reading,
  drafter: [...reading, "linkedin:draft", "leads:write"],
  approver: [...reading, "linkedin:draft", "leads:write", "linkedin:approve", "email:approve"],
  full: scopes
}

/** Whether the actor holds the scope, itself or through `admin`. */
export const hasScope = (actor: ActorIdentity, scope: Scope): boolean =>
  actor.scopes.includes(scope) || actor.scopes.includes("admin")

/** What may happen when an actor runs a command of some risk: do it, ask a person first, or refuse. */
export const permissions = ["allow", "ask", "deny"] as const

/** See {@link permissions}. */
export type Permission = (typeof permissions)[number]

/**
 * What is said about commands by their risk, and about programs that approve or send, whatever the risk; what is not said
 * is left to the next layer, and in the end allowed.
 */
export interface CommandPolicy {
  readonly approval?: Permission
  readonly mutate?: Permission
  readonly agents?: Permission
}

/** A key's own policy, which goes first, and its organization's. Source: G26. */
export interface PolicyLayers {
  readonly key: CommandPolicy
  readonly organization: CommandPolicy
}

/** No policy at all: everything is allowed. */
export const noPolicies: PolicyLayers = { key: {}, organization: {} }

/** Commands that undo a policy or settle what it asked for: the organization's own policy never stops them. */
const settling: ReadonlySet<string> = new Set(["policy.set", "approval.resolve"])

/** Scopes of commands that let a message out. */
const lettingOut: ReadonlySet<Scope> = new Set(["linkedin:approve", "linkedin:send"])

/** What the policies say about a program that approves or sends. Source: issue "forbidden per organization". */
export const agentPermissionOf = ({ key, organization }: PolicyLayers): Permission =>
  key.agents ?? organization.agents ?? "allow"

/** What the policies say about a command by an actor of some kind: the stricter rule counts. Reading is always allowed. */
export const permissionOf = (
  policies: PolicyLayers,
  { id, risk, scope }: Guarded,
  kind: ActorIdentity["kind"]
): Permission => {
  if (risk === "read") return "allow"
  const { key, organization } = policies
  const byRisk = key[risk] ?? (settling.has(id) ? undefined : organization[risk]) ?? "allow"
  const byKind = kind === "AI_AGENT" && lettingOut.has(scope) ? agentPermissionOf(policies) : "allow"
  return permissions[Math.max(permissions.indexOf(byRisk), permissions.indexOf(byKind))] ?? "deny"
}

/** The refusal by a policy that says `deny`. */
export const denied = (id: string): Failure =>
  fail(
    "APPROVAL_POLICY",
    `A policy of this organization or key refuses ${id}. Ask someone with the scope admin to change it with policy.set.`
  )

/** The policies of organizations for actors without a key, such as host programs. Without a store: none. */
export const OrganizationPolicies = Context.Reference<
  (organizationId: string) => Effect.Effect<CommandPolicy, Failure>
>("@svc/core/OrganizationPolicies", { defaultValue: () => () => Effect.succeed({}) })

/** What Policy needs to know of a command. */
export interface Guarded {
  readonly id: string
  readonly risk: "read" | "mutate" | "approval"
  readonly scope: Scope
}

/** The refusal of a command for an actor, or undefined when the actor may run it. */
export const refusal = (actor: ActorIdentity, command: Guarded): Failure | undefined => {
  if (actor.mode === "draft_only" && command.risk !== "read" && command.scope !== "linkedin:draft") {
    return fail(
      "APPROVAL_POLICY",
      `A draft-only key can read and write drafts, but not run ${command.id}. Ask a person with a full key to do it.`
    )
  }
  if (hasScope(actor, command.scope)) return undefined
  return fail(
    "FORBIDDEN_SCOPE",
    `${command.id} needs the scope ${command.scope}, which this key lacks. Use a key with that scope.`
  )
}

/** Fails with FORBIDDEN_SCOPE unless the running actor holds the scope: for a command with an option that needs more. */
export const requireScope = (scope: Scope, what: string): Effect.Effect<void, Failure, Actor> =>
  Effect.flatMap(Actor, (actor) =>
    actor.mode === "draft_only" || !hasScope(actor, scope)
      ? Effect.fail(
          fail("FORBIDDEN_SCOPE", `${what} needs the scope ${scope}, which this key lacks. Use a key with that scope.`)
        )
      : Effect.void
  )
