/** What a host does as the operator of the service, in process only: organizations and their keys. */
import type { ActorKind, ActorMode, Failure, InstantText, KeyId, OrganizationId, Scope, UserId } from "@svc/core"
import { ensureExternal, issueHostKey } from "@svc/core/internal"
import { createOrganization, type OperatorNeeds, type Workspaces } from "@svc/core/workspace"
import * as Effect from "effect/Effect"

/** An organization of a host. */
export interface HostOrganization {
  readonly id: OrganizationId
  readonly name: string
}

/** The organizations of a host. */
export interface OrganizationsApi {
  /**
   * The organization with the host's own id of a customer or team, created without a key if there is none; of concurrent
   * calls one creates it. Its name follows: a `name` that differs is stored. Without `name`, a new organization is named
   * by its external id and an existing one keeps its name. Both are single lines of at most 200 characters.
   */
  readonly ensure: (input: {
    readonly externalId: string
    readonly name?: string | undefined
  }) => Promise<HostOrganization>
}

/** A key to issue. */
export interface KeyToIssue {
  readonly organizationId: OrganizationId
  /** What the key is for, 1 to 200 characters. */
  readonly name: string
  /** The user that the key acts for; default a new one. */
  readonly userId?: UserId
  /** Who holds the key; default `USER`. */
  readonly kind?: ActorKind
  /** `draft_only` can neither approve nor send, whatever its scopes; default `full`. */
  readonly mode?: ActorMode
  /** Default all, for an AI agent those for drafting. */
  readonly scopes?: ReadonlyArray<Scope>
  /** When it expires, ISO 8601; default never. */
  readonly expiresAt?: InstantText
}

/** Keys that a host issues. */
export interface HostKeysApi {
  /**
   * Creates an API key for an organization. Its text, `apiKey`, is shown only here and not stored. Rejects with
   * INVALID_INPUT naming the field, or NOT_FOUND for an organization that does not exist.
   */
  readonly issue: (key: KeyToIssue) => Promise<{ readonly keyId: KeyId; readonly apiKey: string }>
}

/** Calls of an operator: no actor, scope or policy applies to them, and the audit log of the organization has them. */
export interface OperatorCalls {
  readonly organizations: OrganizationsApi
  readonly keys: HostKeysApi
  /** Creates another organization, with an API key that is shown only here. */
  readonly createOrganization: (
    name: string
  ) => Promise<{ readonly organizationId: OrganizationId; readonly apiKey: string }>
}

/** The calls over running services. */
export const operatorCalls = (
  run: <A>(effect: Effect.Effect<A, Failure, OperatorNeeds | Workspaces>) => Promise<A>
): OperatorCalls => ({
  organizations: {
    ensure: (input) => run(Effect.map(ensureExternal(input), ({ id, name }) => ({ id, name })))
  },
  keys: {
    issue: (input) => run(Effect.map(issueHostKey(input), ({ key, text }) => ({ keyId: key.keyId, apiKey: text })))
  },
  createOrganization: (name) =>
    run(
      Effect.map(createOrganization(name), ({ organization, text }) => ({
        organizationId: organization.id,
        apiKey: text
      }))
    )
})
