/** Suppressions in the in-memory store. */

import { randomBytes } from "node:crypto"
import type { InstantText, LeadId, OrganizationId } from "@svc/core"
import { compareText, domainsOf, erasedReason, longestFirst, suppressionEntry } from "@svc/core/internal"
import {
  identityKey,
  type PrivacyRepo,
  type Suppressible,
  type SuppressionEntry,
  type SuppressionMatch,
  type SuppressionRow,
  statusReason,
  tombstoneHash
} from "@svc/core/leads"
import { type MemoryStore, pageBy, type Table, type Tables, table } from "../MemoryStore.ts"
import { leadIdentities, leads } from "./LeadTables.ts"

/** What remains of an erased person: the hash of one identifier, and the lead that was erased. */
interface TombstoneRow {
  readonly hash: string
  readonly leadId: LeadId
  readonly erasedAt: InstantText
}

/** Entries by `identityKey`. */
export const suppressions: Table<SuppressionRow> = table("suppressions")

/** Tombstones by hash. */
export const tombstones: Table<TombstoneRow> = table("tombstones")

// Memory ends with the process, and so may the secret of its hashes.
const secret = randomBytes(32).toString("base64url")

/** Key of an identifier in {@link tombstones}. */
export const tombstoneKey = (organizationId: OrganizationId, identifier: Suppressible): string =>
  tombstoneHash(secret, organizationId, identifier)

/** The keys of entries that name an identifier: its own, and those of its domains. */
const keysOf = (one: Suppressible): ReadonlyArray<string> => [
  identityKey(one),
  ...domainsOf(one).map((value) => identityKey({ kind: "domain", value }))
]

const entriesAt = (tables: Tables, keys: ReadonlyArray<string>): Array<SuppressionEntry> =>
  [...new Set(keys)].flatMap((key) => tables.get(suppressions, key) ?? []).map(suppressionEntry)

/** The entries and tombstones that name the identifiers. */
export const suppressionsOf = (
  tables: Tables,
  identifiers: ReadonlyArray<Suppressible>
): ReadonlyArray<SuppressionMatch> =>
  identifiers.flatMap(({ kind, value }): ReadonlyArray<SuppressionMatch> => {
    if (kind === "lead") {
      const live = tables.get(leads, value)?.mergedInto ?? value
      return suppressionsOfLead(tables, live).map((entry) => ({ kind, value, entry }))
    }
    const entries = entriesAt(tables, keysOf({ kind, value }))
    const tombstone = tables.get(tombstones, tombstoneKey(tables.organizationId, { kind, value }))
    if (tombstone !== undefined) {
      const { erasedAt: createdAt, leadId } = tombstone
      entries.push({ kind: "erased", reason: erasedReason, until: null, leadId, createdAt })
    }
    return entries.map((entry) => ({ kind, value, entry }))
  })

/** The entries that name a lead, each once. */
export const suppressionsOfLead = (tables: Tables, leadId: LeadId): ReadonlyArray<SuppressionEntry> => {
  const held = tables.where(leadIdentities, (row) => row.leadId === leadId)
  const named: ReadonlyArray<Suppressible> = [{ kind: "lead", value: leadId }, ...held]
  return entriesAt(tables, named.flatMap(keysOf).sort(compareText))
}

/** Whether an entry lasts longer than the stored one. */
const isLonger = (known: SuppressionRow | undefined, { until }: SuppressionRow): boolean =>
  known === undefined || (known.until !== null && (until === null || until > known.until))

/** Whether an entry lasts as long as the stored one but has a better reason. */
const isClearer = (known: SuppressionRow | undefined, { reason, until }: SuppressionRow): boolean =>
  known !== undefined && known.until === until && known.reason !== reason && reason !== statusReason

/** Stores entries and returns how many changed. Never shortens one; for the same duration the later reason counts. */
export const addSuppressions = (tables: Tables, rows: ReadonlyArray<SuppressionRow>): number => {
  let written = 0
  for (const row of rows) {
    const known = tables.get(suppressions, identityKey(row))
    if (!isLonger(known, row) && !isClearer(known, row)) continue
    const leadId = row.leadId ?? known?.leadId ?? null
    const createdAt = known?.createdAt ?? row.createdAt
    tables.set(suppressions, identityKey(row), { ...row, leadId, createdAt })
    written++
  }
  return written
}

/** Moves the entries of merged leads to the winner, including those that name a loser itself. */
export const adoptSuppressions = (tables: Tables, winnerId: LeadId, loserIds: ReadonlyArray<string>): void => {
  const isTheirs = ({ leadId }: SuppressionRow) => leadId !== null && loserIds.includes(leadId)
  const [longest] = tables
    .removeWhere(suppressions, (row) => isTheirs(row) && row.kind === "lead")
    .toSorted(longestFirst)
  if (longest !== undefined) {
    const adopted = { ...longest, leadId: winnerId, value: winnerId }
    const known = tables.get(suppressions, identityKey(adopted))
    if (isLonger(known, adopted)) addSuppressions(tables, [adopted])
  }
  tables.updateWhere(suppressions, isTheirs, (row) => ({ ...row, leadId: winnerId }))
}

/** Keeps suppressions in memory. */
export const suppressionsMemory = (
  store: MemoryStore["Service"]
): Omit<PrivacyRepo["Service"], "readFile" | "erase"> => ({
  findSuppressions: store.reading(suppressionsOf),
  suppressionsOfLead: store.reading(suppressionsOfLead),
  addSuppressions: store.writing((tables, rows) => {
    const written = addSuppressions(tables, rows)
    const keys = [...new Set(rows.map(identityKey))]
    return { written, rows: keys.flatMap((key) => tables.get(suppressions, key) ?? []) }
  }),
  liftSuppressions: store.writing((tables, identifiers, leadId) => {
    const keys = new Set(identifiers.map(identityKey))
    const rows = tables.removeWhere(
      suppressions,
      (row) => keys.has(identityKey(row)) || (leadId !== undefined && row.leadId === leadId)
    )
    const hashes = new Set(identifiers.map((one) => tombstoneKey(tables.organizationId, one)))
    const erased = new Set(tables.all(tombstones).flatMap((one) => (hashes.has(one.hash) ? [one.leadId] : [])))
    if (leadId !== undefined) erased.add(leadId)
    const lifted = tables.removeWhere(tombstones, (one) => erased.has(one.leadId))
    return { rows, tombstones: lifted.length }
  }),
  listSuppressions: store.reading((tables, page) => {
    const all = tables.all(suppressions)
    return {
      ...pageBy(all, "desc", ({ createdAt, kind, value }) => [createdAt, kind, value], page),
      total: all.length,
      tombstones: tables.all(tombstones).length
    }
  })
})
