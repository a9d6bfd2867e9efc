/** The actor of a call by a host program; full rights by default. */
import {
  type ActorIdentity,
  type ActorKind,
  type ActorMode,
  type OrganizationId,
  type Scope,
  scopes,
  type UserId
} from "@svc/core"

/** An actor. The host is trusted: it authenticates its own users. */
export interface HostActor {
  /** The organization to act in; default the workspace's own. */
  readonly organizationId?: OrganizationId
  /** The host's id of the person or program, for the audit log. */
  readonly userId?: UserId
  readonly kind?: ActorKind
  readonly mode?: ActorMode
  readonly scopes?: ReadonlyArray<Scope>
}

/** The identity of a host's actor. */
export const identityOf = (actor: HostActor, organizationId: OrganizationId): ActorIdentity => ({
  organizationId: actor.organizationId ?? organizationId,
  userId: actor.userId ?? "usr_host",
  kind: actor.kind ?? "USER",
  mode: actor.mode ?? "full",
  scopes: actor.scopes ?? scopes,
  keyId: null
})
