/** Organizations and their keys: the port. Source: gap decision G36. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { CommandPolicy } from "../Policy.ts"
import type { ApiKey } from "./ApiKey.ts"

/** A tenant. */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

/** Stores organizations and keys. Fails with UNAVAILABLE when the store cannot be reached. */
export class Workspaces extends Context.Service<
  Workspaces,
  {
    /** Stores a new organization with its first key, at once. */
    readonly createOrganization: (organization: Organization, key: ApiKey) => Effect.Effect<void, Failure>
    /** The same, unless any organization exists; answers whether it was done. Two callers at once: one wins. */
    readonly createFirstOrganization: (organization: Organization, key: ApiKey) => Effect.Effect<boolean, Failure>
    readonly findOrganization: (organizationId: string) => Effect.Effect<Organization | undefined, Failure>
    /** The organization that was made first: what a host program that names none works in. */
    readonly oldestOrganization: Effect.Effect<Organization | undefined, Failure>
    readonly createKey: (key: ApiKey) => Effect.Effect<void, Failure>
    /** By its public id, of whatever organization: the key is what tells the organization. */
    readonly findKey: (keyId: string) => Effect.Effect<ApiKey | undefined, Failure>
    /** An organization's key, locked until the transaction ends. */
    readonly holdKey: (organizationId: string, keyId: string) => Effect.Effect<ApiKey | undefined, Failure>
    /** All keys of an organization, oldest first. */
    readonly listKeys: (organizationId: string) => Effect.Effect<ReadonlyArray<ApiKey>, Failure>
    /** Replaces what can change of a key: secrets, expiry, revocation. */
    readonly updateKey: (key: ApiKey) => Effect.Effect<void, Failure>
    readonly organizationPolicy: (organizationId: string) => Effect.Effect<CommandPolicy, Failure>
    /** Replaces the policy of an organization, or of one of its keys; answers whether there is such a key. */
    readonly setPolicy: (
      organizationId: string,
      keyId: string | undefined,
      policy: CommandPolicy
    ) => Effect.Effect<boolean, Failure>
    /** Notes when a key was last used; an earlier instant than the noted one changes nothing. */
    readonly touchKey: (keyId: string, at: string) => Effect.Effect<void, Failure>
  }
>()("@svc/core/workspace/Workspaces") {}
