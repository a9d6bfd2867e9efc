/** Suppressions in the in-memory store. */

import { randomBytes } from "node:crypto"
import type { InstantText, LeadId, OrganizationId } from "@svc/core"
import { compareText, domainsOf, erasedReason, longestFirst, suppressionEntry } from "@svc/core/internal"
import * as Leads from "@svc/core/leads"
import { type MemoryStore, pageBy, type Table, type Tables, table } from "../MemoryStore.ts"
import { leadIdentities, leads } from "./LeadTables.ts"

/** What remains of an erased person: the hash of one identifier, and the lead that was erased. */
interface TombstoneRow {
  readonly hash: string
  readonly leadId: LeadId
  readonly erasedAt: InstantText
}

/** Entries by `identityKey`. */
export const suppressions: Table<Leads.SuppressionRow> = table("suppressions")

/** Tombstones by hash. */
export const tombstones: Table<TombstoneRow> = table("tombstones")

// Memory ends with the process, and so may the secret of its hashes.
const secret = randomBytes(32).toString("base64url")

/** Key of an identifier in {@link tombstones}. */
export const tombstoneKey = (organizationId: OrganizationId, identifier: Leads.Suppressible): string =>
  Leads.tombstoneHash(secret, organizationId, identifier)

/** The keys of entries that name an identifier: its own, and those of its domains. */
const keysOf = (one: Leads.Suppressible): ReadonlyArray<string> => [
  Leads.identityKey(one),
  ...domainsOf(one).map((value) => Leads.identityKey({ kind: "domain", value }))
]

const entriesAt = (tables: Tables, keys: ReadonlyArray<string>): Array<Leads.SuppressionEntry> =>
  [...new Set(keys)].flatMap((key) => tables.get(suppressions, key) ?? []).map(suppressionEntry)

/** The entries and tombstones that name the identifiers. */
export const suppressionsOf = (
  tables: Tables,
  identifiers: ReadonlyArray<Leads.Suppressible>
): ReadonlyArray<Leads.SuppressionMatch> =>
  identifiers.flatMap(({ kind, value }): ReadonlyArray<Leads.SuppressionMatch> => {
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
export const suppressionsOfLead = (tables: Tables, leadId: LeadId): ReadonlyArray<Leads.SuppressionEntry> => {
  const held = tables.where(leadIdentities, (row) => row.leadId === leadId)
  const named: ReadonlyArray<Leads.Suppressible> = [{ kind: "lead", value: leadId }, ...held]
  return entriesAt(tables, named.flatMap(keysOf).sort(compareText))
}

/** Whether an entry lasts longer than the stored one. */
const isLonger = (known: Leads.SuppressionRow | undefined, { until }: Leads.SuppressionRow): boolean =>
  known === undefined || (known.until !== null && (until === null || until > known.until))

/** Whether an entry lasts as long as the stored one but has a better reason. */
const isClearer = (known: Leads.SuppressionRow | undefined, { reason, until }: Leads.SuppressionRow): boolean =>
  known !== undefined && known.until === until && known.reason !== reason && reason !== Leads.statusReason

/** Stores entries and returns how many changed. Never shortens one; for the same duration the later reason counts. */
export const addSuppressions = (tables: Tables, rows: ReadonlyArray<Leads.SuppressionRow>): number => {
  let written = 0
  for (const row of rows) {
    const known = tables.get(suppressions, Leads.identityKey(row))
    if (!isLonger(known, row) && !isClearer(known, row)) continue
    const leadId = row.leadId ?? known?.leadId ?? null
    const createdAt = known?.createdAt ?? row.createdAt
    tables.set(suppressions, Leads.identityKey(row), { ...row, leadId, createdAt })
    written++
  }
  return written
}

/** Moves the entries of merged leads to the winner, including those that name a loser itself. */
export const adoptSuppressions = (tables: Tables, winnerId: LeadId, loserIds: ReadonlyArray<string>): void => {
  const isTheirs = ({ leadId }: Leads.SuppressionRow) => leadId !== null && loserIds.includes(leadId)
  const [longest] = tables
    .removeWhere(suppressions, (row) => isTheirs(row) && row.kind === "lead")
    .toSorted(longestFirst)
  if (longest !== undefined) {
    const adopted = { ...longest, leadId: winnerId, value: winnerId }
    const known = tables.get(suppressions, Leads.identityKey(adopted))
    if (isLonger(known, adopted)) addSuppressions(tables, [adopted])
  }
  tables.updateWhere(suppressions, isTheirs, (row) => ({ ...row, leadId: winnerId }))
}

/** Keeps suppressions in memory. */
export const suppressionsMemory = (
  store: MemoryStore["Service"]
): Omit<Leads.PrivacyRepo["Service"], "readFile" | "erase" | "unchangedSince"> => ({
  findSuppressions: store.reading(suppressionsOf),
  addSuppressions: store.writing((tables, rows) => {
    const written = addSuppressions(tables, rows)
    const keys = [...new Set(rows.map(Leads.identityKey))]
    return { written, rows: keys.flatMap((key) => tables.get(suppressions, key) ?? []) }
  }),
  liftSuppressions: store.writing((tables, identifiers, leadId) => {
    const keys = new Set(identifiers.map(Leads.identityKey))
    const rows = tables.removeWhere(
      suppressions,
      (row) => keys.has(Leads.identityKey(row)) || (leadId !== undefined && row.leadId === leadId)
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
