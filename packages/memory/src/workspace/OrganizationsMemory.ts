/** Organizations and keys in the in-memory store. */

import { type CommandPolicy, type KeyId, noPolicies, type OrganizationId, type PolicyChange } from "@svc/core"
import type { ApiKey, Organization, Workspaces } from "@svc/core/workspace"
import { globalPartition, type MemoryStore, type Tables, table } from "../MemoryStore.ts"

const organizationRows = table<Organization>("organizations")

// A request brings only its key, which names the organization, so this table is global.
/** Keys by id. */
export const keys = table<ApiKey>("api_keys")

const policies = table<CommandPolicy>("organization_policies")

/** The policy of an organization. */
export const policyOf = (tables: Tables, organizationId: string): CommandPolicy =>
  tables.get(policies, globalPartition, organizationId) ?? {}

const withPolicies = (tables: Tables, key: ApiKey): ApiKey => ({
  ...key,
  policies: {
    key: (key.policies ?? noPolicies).key,
    organization: policyOf(tables, key.organizationId)
  }
})

const changedPolicy = (policy: CommandPolicy, change: PolicyChange): CommandPolicy => {
  const named = Object.entries(change).filter(([, rule]) => rule !== undefined)
  const rules = Object.entries({ ...policy, ...Object.fromEntries(named) })
  return Object.fromEntries(rules.filter(([, rule]) => rule !== null))
}

const keyOf = (tables: Tables, keyId: KeyId): ApiKey | undefined => {
  const key = tables.get(keys, globalPartition, keyId)
  return key && withPolicies(tables, key)
}

/** Finds an organization. */
export const organizationOf = (tables: Tables, organizationId: OrganizationId): Organization | undefined =>
  tables.get(organizationRows, globalPartition, organizationId)

/** Every organization, oldest first. */
export const allOrganizations = (tables: Tables): ReadonlyArray<Organization> =>
  tables.all(organizationRows, globalPartition).toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1))

const externalOf = (tables: Tables, externalId: string | null): Organization | undefined =>
  tables.all(organizationRows, globalPartition).find((organization) => organization.externalId === externalId)

const insert = (tables: Tables, organization: Organization, key: ApiKey): void => {
  tables.set(organizationRows, globalPartition, organization.id, organization)
  tables.set(keys, globalPartition, key.keyId, key)
}

/** Organizations and keys in memory. */
export const organizations = (
  store: MemoryStore["Service"]
): Omit<Workspaces["Service"], "approvals" | "audit" | "deleteBefore" | "events"> => ({
  createOrganization: (organization, key) => store.write((tables) => insert(tables, organization, key)),
  createFirstOrganization: (organization, key) =>
    store.write((tables) => {
      if (allOrganizations(tables).length > 0) return false
      insert(tables, organization, key)
      return true
    }),
  createExternalOrganization: (organization) =>
    store.write((tables) => {
      if (externalOf(tables, organization.externalId) !== undefined) return false
      tables.set(organizationRows, globalPartition, organization.id, organization)
      return true
    }),
  findExternalOrganization: (externalId) => store.read((tables) => externalOf(tables, externalId)),
  renameOrganization: (id, name) =>
    store.write((tables) => {
      const organization = organizationOf(tables, id)
      if (organization === undefined || organization.name === name) return false
      tables.set(organizationRows, globalPartition, id, { ...organization, name })
      return true
    }),
  findOrganization: (id) => store.read((tables) => organizationOf(tables, id)),
  listOrganizations: store.read((tables) => allOrganizations(tables).slice(0, 1_000)),
  oldestOrganization: store.read((tables) => allOrganizations(tables)[0]),
  createKey: (key) =>
    store.write((tables) => {
      if (tables.get(keys, globalPartition, key.keyId) !== undefined) return false
      tables.set(keys, globalPartition, key.keyId, key)
      return true
    }),
  findKey: (keyId) => store.read((tables) => keyOf(tables, keyId)),
  holdKey: (organizationId, keyId) =>
    store.read((tables) => {
      const key = keyOf(tables, keyId)
      return key?.organizationId === organizationId ? key : undefined
    }),
  listKeys: (organizationId) =>
    store.read((tables) =>
      tables
        .all(keys, globalPartition)
        .filter((key) => key.organizationId === organizationId)
        .sort((a, b) => (a.createdAt + a.keyId < b.createdAt + b.keyId ? -1 : 1))
        .map((key) => withPolicies(tables, key))
    ),
  updateKey: (key) =>
    store.write((tables) => {
      const stored = tables.get(keys, globalPartition, key.keyId)
      if (stored === undefined || stored.organizationId !== key.organizationId) return
      const { expiresAt, name, revokedAt, scopes, secrets, session } = key
      const changed = { ...stored, expiresAt, name, revokedAt, scopes, secrets, session }
      tables.set(keys, globalPartition, key.keyId, changed)
    }),
  organizationPolicy: (organizationId) => store.read((tables) => policyOf(tables, organizationId)),
  changePolicy: (organizationId, keyId, change) =>
    store.write((tables) => {
      if (keyId === undefined) {
        const policy = changedPolicy(policyOf(tables, organizationId), change)
        tables.set(policies, globalPartition, organizationId, policy)
        return policy
      }
      const key = tables.get(keys, globalPartition, keyId)
      if (key?.organizationId !== organizationId || key.session !== undefined) return undefined
      const policy = changedPolicy(key.policies?.key ?? {}, change)
      tables.set(keys, globalPartition, keyId, { ...key, policies: { ...noPolicies, key: policy } })
      return policy
    }),
  touchKey: (keyId, at) =>
    store.write((tables) => {
      const key = tables.get(keys, globalPartition, keyId)
      if (key === undefined || (key.lastUsedAt ?? "") >= at) return
      tables.set(keys, globalPartition, keyId, { ...key, lastUsedAt: at })
    })
})
