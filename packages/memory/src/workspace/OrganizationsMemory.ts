/** Organizations and keys in the in-memory store. */

import type { CommandPolicy, KeyId, PolicyChange } from "@svc/core"
import { noPolicies } from "@svc/core/internal"
import type { ApiKey, Organization, Workspaces } from "@svc/core/workspace"
import { everywhere, globalTable, type MemoryStore, type Tables, touchLastUsed } from "../MemoryStore.ts"

/** Organizations by id. */
export const organizationRows = globalTable<Organization>("organizations")

/** Keys by id: a request brings only its key, which names the organization. */
export const keys = globalTable<ApiKey>("api_keys")

const policies = globalTable<CommandPolicy>("organization_policies")

/** The policy of an organization. */
export const policyOf = (tables: Tables, organizationId = tables.organizationId): CommandPolicy =>
  tables.get(policies, organizationId) ?? {}

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
  const key = tables.get(keys, keyId)
  return key && withPolicies(tables, key)
}

/** Every organization, oldest first. */
export const allOrganizations = (tables: Tables): ReadonlyArray<Organization> =>
  tables.all(organizationRows).toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1))

const externalOf = (tables: Tables, externalId: string | null): Organization | undefined =>
  tables.all(organizationRows).find((organization) => organization.externalId === externalId)

const insert = (tables: Tables, organization: Organization, key: ApiKey): void => {
  tables.set(organizationRows, organization.id, organization)
  tables.set(keys, key.keyId, key)
}

/** Organizations and keys in memory. */
export const organizations = (
  store: MemoryStore["Service"]
): Omit<Workspaces["Service"], "approvals" | "audit" | "deleteBefore" | "events"> => ({
  createOrganization: (organization, key) => store.write(everywhere, (tables) => insert(tables, organization, key)),
  createFirstOrganization: (organization, key) =>
    store.write(everywhere, (tables) => {
      if (allOrganizations(tables).length > 0) return false
      insert(tables, organization, key)
      return true
    }),
  createExternalOrganization: (organization) =>
    store.write(everywhere, (tables) => {
      if (externalOf(tables, organization.externalId) !== undefined) return false
      tables.set(organizationRows, organization.id, organization)
      return true
    }),
  findExternalOrganization: (externalId) => store.read(everywhere, (tables) => externalOf(tables, externalId)),
  renameOrganization: store.writing((tables, name) => {
    const organization = tables.get(organizationRows, tables.organizationId)
    if (organization === undefined || organization.name === name) return false
    tables.set(organizationRows, organization.id, { ...organization, name })
    return true
  }),
  findOrganization: store.reading((tables) => tables.get(organizationRows, tables.organizationId)),
  listOrganizations: store.read(everywhere, (tables) => allOrganizations(tables).slice(0, 1_000)),
  oldestOrganization: store.read(everywhere, (tables) => allOrganizations(tables)[0]),
  createKey: (key) =>
    store.write(everywhere, (tables) => {
      if (tables.get(keys, key.keyId) !== undefined) return false
      tables.set(keys, key.keyId, key)
      return true
    }),
  findKey: (keyId) => store.read(everywhere, (tables) => keyOf(tables, keyId)),
  holdKey: store.reading((tables, keyId) => {
    const key = keyOf(tables, keyId)
    return key?.organizationId === tables.organizationId ? key : undefined
  }),
  listKeys: store.reading((tables) =>
    tables
      .where(keys, (key) => key.organizationId === tables.organizationId)
      .toSorted((a, b) => (a.createdAt + a.keyId < b.createdAt + b.keyId ? -1 : 1))
      .map((key) => withPolicies(tables, key))
  ),
  updateKey: (key) =>
    store.write(everywhere, (tables) => {
      const stored = tables.get(keys, key.keyId)
      if (stored === undefined || stored.organizationId !== key.organizationId) return
      const { expiresAt, name, revokedAt, scopes, secrets, session } = key
      const changed = { ...stored, expiresAt, name, revokedAt, scopes, secrets, session }
      tables.set(keys, key.keyId, changed)
    }),
  organizationPolicy: store.reading((tables) => policyOf(tables)),
  changePolicy: store.writing((tables, keyId, change) => {
    const { organizationId } = tables
    if (keyId === undefined) {
      const policy = changedPolicy(policyOf(tables), change)
      tables.set(policies, organizationId, policy)
      return policy
    }
    const key = tables.get(keys, keyId)
    if (key?.organizationId !== organizationId || key.session !== undefined) return undefined
    const policy = changedPolicy(key.policies?.key ?? {}, change)
    tables.set(keys, keyId, { ...key, policies: { ...noPolicies, key: policy } })
    return policy
  }),
  touchKey: (keyId, at) => store.write(everywhere, (tables) => touchLastUsed(tables, keys, keyId, at))
})
