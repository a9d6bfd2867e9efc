/** Organizations and their keys: the port. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CommandPolicy, PolicyChange } from "../../kernel/command/Permission.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { InstantText, KeyId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { ApiKey } from "./ApiKey.ts"

/** A tenant. */
export interface Organization {
  readonly id: string
  readonly name: string
  /** The id that a host program knows it by, unique in the database; null if it was not created for one. */
  readonly externalId: string | null
  readonly createdAt: InstantText
}

/** Stores organizations and keys. Fails with UNAVAILABLE when the store cannot be reached. */
export class Workspaces extends Context.Service<
  Workspaces,
  {
    /** Stores a new organization with its first key. */
    readonly createOrganization: (organization: Organization, key: ApiKey) => Effect.Effect<void, StoreFailure>
    /** The same, unless an organization exists; returns whether it was stored. Of two concurrent callers one wins. */
    readonly createFirstOrganization: (organization: Organization, key: ApiKey) => Effect.Effect<boolean, StoreFailure>
    /**
     * Stores a new organization without a key, unless one has its external id; returns whether it was stored. Of two
     * concurrent callers one wins, and the other one returns after the winner has committed.
     */
    readonly createExternalOrganization: (organization: Organization) => Effect.Effect<boolean, StoreFailure>
    readonly findExternalOrganization: (externalId: string) => Effect.Effect<Organization | undefined, StoreFailure>
    /** Returns whether the name has changed. */
    readonly renameOrganization: (organizationId: OrganizationId, name: string) => Effect.Effect<boolean, StoreFailure>
    readonly findOrganization: (organizationId: OrganizationId) => Effect.Effect<Organization | undefined, StoreFailure>
    /** At most 1,000 organizations of the database, oldest first. */
    readonly listOrganizations: Effect.Effect<ReadonlyArray<Organization>, StoreFailure>
    /** The organization created first, which a host program uses by default. */
    readonly oldestOrganization: Effect.Effect<Organization | undefined, StoreFailure>
    /** Returns whether it was stored: not if its id is taken. Waits for another transaction that stores the same id. */
    readonly createKey: (key: ApiKey) => Effect.Effect<boolean, StoreFailure>
    /** By its public id, in any organization: the key determines the organization. */
    readonly findKey: (keyId: KeyId) => Effect.Effect<ApiKey | undefined, StoreFailure>
    /** An organization's key, locked until the transaction ends. */
    readonly holdKey: (organizationId: OrganizationId, keyId: KeyId) => Effect.Effect<ApiKey | undefined, StoreFailure>
    /** All keys of an organization, oldest first. */
    readonly listKeys: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ApiKey>, StoreFailure>
    /** Replaces name, scopes, secrets, expiry, revocation and session of a key. */
    readonly updateKey: (key: ApiKey) => Effect.Effect<void, StoreFailure>
    readonly organizationPolicy: (organizationId: OrganizationId) => Effect.Effect<CommandPolicy, StoreFailure>
    /**
     * Changes the given rules of an organization or one of its keys atomically, so that concurrent changes of different
     * rules are all kept. Returns the new policy; undefined if the key does not exist or is a session, which has its
     * parent's.
     */
    readonly changePolicy: (
      organizationId: OrganizationId,
      keyId: KeyId | undefined,
      change: PolicyChange
    ) => Effect.Effect<CommandPolicy | undefined, StoreFailure>
    /** Records when a key was last used; an earlier instant than the stored one changes nothing. */
    readonly touchKey: (keyId: KeyId, at: string) => Effect.Effect<void, StoreFailure>
  }
>()("@svc/core/workspace/Workspaces") {}
