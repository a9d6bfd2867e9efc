/**
 * Who acts: the organization, the user, what kind of actor, and what the key allows.
 *
 * Every call has exactly one actor. The organization of everything a command touches is the actor's; it never comes
 * from input. Source: spec "Authentication", contract section 1.8, gap decision G36.
 */
import * as Context from "effect/Context"
import type { PolicyLayers, Scope } from "./Policy.ts"

/** A person, or a program that writes in a person's name. */
export type ActorKind = "USER" | "AI_AGENT"

/** `draft_only` reads and writes drafts, and can neither approve nor send, whatever its scopes say. */
export type ActorMode = "full" | "draft_only"

/**
 * The one who acts, as every command sees it. `keyId` is null for a host program that acts without a key. `policies` is
 * what was read with the key; without it Dispatch asks for the organization's.
 */
export interface ActorIdentity {
  readonly organizationId: string
  readonly userId: string
  readonly kind: ActorKind
  readonly mode: ActorMode
  readonly scopes: ReadonlyArray<Scope>
  readonly keyId: string | null
  readonly policies?: PolicyLayers
}

/** The actor of the running command. */
export class Actor extends Context.Service<Actor, ActorIdentity>()("@svc/core/Actor") {}
