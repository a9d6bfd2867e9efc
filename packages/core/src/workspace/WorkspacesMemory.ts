/** Organizations and keys in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore, type Tables, table } from "../MemoryStore.ts"
import { type CommandPolicy, noPolicies } from "../Policy.ts"
import type { ApiKey } from "./ApiKey.ts"
import { type Organization, Workspaces } from "./Workspaces.ts"

// Keys tell the organization, so these two tables are global: one partition for all.
const everyone = "*"

/** Organizations by id. */
export const organizations = table<Organization>("organizations")

const keys = table<ApiKey>("api_keys")

const policies = table<CommandPolicy>("organization_policies")

const withPolicies = (tables: Tables, key: ApiKey): ApiKey => ({
  ...key,
  policies: {
    key: (key.policies ?? noPolicies).key,
    organization: tables.get(policies, everyone, key.organizationId) ?? {}
  }
})

const keyOf = (tables: Tables, keyId: string): ApiKey | undefined => {
  const key = tables.get(keys, everyone, keyId)
  return key && withPolicies(tables, key)
}

/** An organization, for other stores that show its name. */
export const organizationOf = (tables: Tables, organizationId: string): Organization | undefined =>
  tables.get(organizations, everyone, organizationId)

/** Every organization, for a look over all of them. */
export const allOrganizations = (tables: Tables): ReadonlyArray<Organization> => tables.all(organizations, everyone)

const insert = (tables: Tables, organization: Organization, key: ApiKey): void => {
  tables.set(organizations, everyone, organization.id, organization)
  tables.set(keys, everyone, key.keyId, key)
}

/** Keeps organizations and keys in memory. */
export const layer: Layer.Layer<Workspaces, never, MemoryStore> = Layer.effect(
  Workspaces,
  Effect.map(MemoryStore, (store) =>
    Workspaces.of({
      createOrganization: (organization, key) => store.write((tables) => insert(tables, organization, key)),
      createFirstOrganization: (organization, key) =>
        store.write((tables) => {
          if (allOrganizations(tables).length > 0) return false
          insert(tables, organization, key)
          return true
        }),
      findOrganization: (id) => store.read((tables) => tables.get(organizations, everyone, id)),
      oldestOrganization: store.read(
        (tables) => allOrganizations(tables).toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1))[0]
      ),
      createKey: (key) => store.write((tables) => tables.set(keys, everyone, key.keyId, key)),
      findKey: (keyId) => store.read((tables) => keyOf(tables, keyId)),
      holdKey: (organizationId, keyId) =>
        store.read((tables) => {
          const key = keyOf(tables, keyId)
          return key?.organizationId === organizationId ? key : undefined
        }),
      listKeys: (organizationId) =>
        store.read((tables) =>
          tables
            .all(keys, everyone)
            .filter((key) => key.organizationId === organizationId)
            .sort((a, b) => (a.createdAt + a.keyId < b.createdAt + b.keyId ? -1 : 1))
            .map((key) => withPolicies(tables, key))
        ),
      updateKey: (key) =>
        store.write((tables) => {
          const stored = tables.get(keys, everyone, key.keyId)
          if (stored === undefined || stored.organizationId !== key.organizationId) return
          const { expiresAt, revokedAt, secrets } = key
          tables.set(keys, everyone, key.keyId, { ...stored, expiresAt, revokedAt, secrets })
        }),
      organizationPolicy: (organizationId) =>
        store.read((tables) => tables.get(policies, everyone, organizationId) ?? {}),
      setPolicy: (organizationId, keyId, policy) =>
        store.write((tables) => {
          if (keyId === undefined) {
            tables.set(policies, everyone, organizationId, policy)
            return true
          }
          const key = tables.get(keys, everyone, keyId)
          if (key === undefined || key.organizationId !== organizationId) return false
          tables.set(keys, everyone, keyId, { ...key, policies: { ...noPolicies, key: policy } })
          return true
        }),
      touchKey: (keyId, at) =>
        store.write((tables) => {
          const key = tables.get(keys, everyone, keyId)
          if (key === undefined || (key.lastUsedAt ?? "") >= at) return
          tables.set(keys, everyone, keyId, { ...key, lastUsedAt: at })
        })
    })
  )
)
