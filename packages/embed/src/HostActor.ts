/** Who acts when a host program calls: what it says, and full rights where it says nothing. Source: contract 5. */
import type { ActorIdentity, ActorKind, ActorMode } from "@svc/core/Actor"
import { type Scope, scopes } from "@svc/core/Policy"

/** An actor as a host names it. A host is trusted: it checks its own users and says who acts, and with which rights. */
export interface HostActor {
  /** The organization to act in; the workspace's own when left out. */
  readonly organizationId?: string
  /** The host's own id of the person or program, kept with what it does. */
  readonly userId?: string
  readonly kind?: ActorKind
  readonly mode?: ActorMode
  readonly scopes?: ReadonlyArray<Scope>
}

/** The identity of a host's actor. */
export const identityOf = (actor: HostActor, organizationId: string): ActorIdentity => ({
  organizationId: actor.organizationId ?? organizationId,
  userId: actor.userId ?? "usr_host",
  kind: actor.kind ?? "USER",
  mode: actor.mode ?? "full",
  scopes: actor.scopes ?? scopes,
  keyId: null
})
