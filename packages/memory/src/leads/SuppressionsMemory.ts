/** Suppressions in the in-memory store. */

import { randomBytes } from "node:crypto"
import { cutPage, type InstantText, type LeadId, type OrganizationId, type Position } from "@svc/core"
import {
  compareText,
  domainsOf,
  erasedReason,
  identityKey,
  longestFirst,
  type PrivacyRepo,
  type Suppressible,
  type SuppressionEntry,
  type SuppressionMatch,
  type SuppressionRow,
  statusReason,
  suppressionEntry,
  tombstoneHash
} from "@svc/core/leads"
import { type MemoryStore, type Table, type Tables, table } from "../MemoryStore.ts"
import { leadIdentities, leads } from "./LeadTables.ts"

/** What remains of an erased person: the hash of one identifier, and the lead that was erased. */
interface TombstoneRow {
  readonly hash: string
  readonly kind: string
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

/** The entries and tombstones that name the identifiers. */
export const suppressionsOf = (
  tables: Tables,
  organizationId: OrganizationId,
  identifiers: ReadonlyArray<Suppressible>
): ReadonlyArray<SuppressionMatch> =>
  identifiers.flatMap(({ kind, value }): ReadonlyArray<SuppressionMatch> => {
    if (kind === "lead") {
      const live = tables.get(leads, organizationId, value)?.mergedInto ?? value
      return suppressionsOfLead(tables, organizationId, live).map((entry) => ({ kind, value, entry }))
    }
    const keys = new Set([
      identityKey({ kind, value }),
      ...domainsOf({ kind, value }).map((domain) => identityKey({ kind: "domain", value: domain }))
    ])
    const entries = [...keys].flatMap((key) => {
      const row = tables.get(suppressions, organizationId, key)
      return row === undefined ? [] : [suppressionEntry(row)]
    })
    const tombstone = tables.get(tombstones, organizationId, tombstoneKey(organizationId, { kind, value }))
    const erased: ReadonlyArray<SuppressionEntry> =
      tombstone === undefined
        ? []
        : [
            {
              kind: "erased",
              reason: erasedReason,
              until: null,
              leadId: tombstone.leadId,
              createdAt: tombstone.erasedAt
            }
          ]
    return [...entries, ...erased].map((entry) => ({ kind, value, entry }))
  })

/** The entries that name a lead, each once. */
export const suppressionsOfLead = (
  tables: Tables,
  organizationId: OrganizationId,
  leadId: LeadId
): ReadonlyArray<SuppressionEntry> => {
  const held = tables.all(leadIdentities, organizationId).filter((row) => row.leadId === leadId)
  const named: ReadonlyArray<Suppressible> = [{ kind: "lead", value: leadId }, ...held]
  const keys = new Set(
    named.flatMap((one) => [identityKey(one), ...domainsOf(one).map((value) => identityKey({ kind: "domain", value }))])
  )
  return [...keys].sort().flatMap((key) => {
    const row = tables.get(suppressions, organizationId, key)
    return row === undefined ? [] : [suppressionEntry(row)]
  })
}

/** Whether an entry lasts longer than the stored one. */
const isLonger = (known: SuppressionRow | undefined, { until }: SuppressionRow): boolean =>
  known === undefined || (known.until !== null && (until === null || until > known.until))

/** Whether an entry lasts as long as the stored one but has a better reason. */
const isClearer = (known: SuppressionRow | undefined, { reason, until }: SuppressionRow): boolean =>
  known !== undefined && known.until === until && known.reason !== reason && reason !== statusReason

/** Stores entries and returns how many changed. Never shortens one; for the same duration the later reason counts. */
export const addSuppressions = (
  tables: Tables,
  organizationId: OrganizationId,
  rows: ReadonlyArray<SuppressionRow>
): number => {
  let written = 0
  for (const row of rows) {
    const known = tables.get(suppressions, organizationId, identityKey(row))
    if (!isLonger(known, row) && !isClearer(known, row)) continue
    const leadId = row.leadId ?? known?.leadId ?? null
    const createdAt = known?.createdAt ?? row.createdAt
    tables.set(suppressions, organizationId, identityKey(row), { ...row, leadId, createdAt })
    written++
  }
  return written
}

/** Moves the entries of merged leads to the winner, including those that name a loser itself. */
export const adoptSuppressions = (
  tables: Tables,
  organizationId: OrganizationId,
  winnerId: LeadId,
  loserIds: ReadonlyArray<string>
): void => {
  const isTheirs = ({ leadId }: SuppressionRow) => leadId !== null && loserIds.includes(leadId)
  const [longest] = tables
    .removeWhere(suppressions, organizationId, (row) => isTheirs(row) && row.kind === "lead")
    .toSorted(longestFirst)
  if (longest !== undefined) {
    const adopted = { ...longest, leadId: winnerId, value: winnerId }
    const known = tables.get(suppressions, organizationId, identityKey(adopted))
    if (isLonger(known, adopted)) addSuppressions(tables, organizationId, [adopted])
  }
  tables.updateWhere(suppressions, organizationId, isTheirs, (row) => ({ ...row, leadId: winnerId }))
}

const positionOf = ({ createdAt, kind, value }: SuppressionRow): Position => [createdAt, kind, value]

const comparePositions = (a: Position, b: Position): number =>
  a.reduce<number>((order, part, index) => order || compareText(String(part), String(b[index])), 0)

/** Keeps suppressions in memory. */
export const suppressionsMemory = (
  store: MemoryStore["Service"]
): Omit<PrivacyRepo["Service"], "readFile" | "erase"> => ({
  findSuppressions: (organizationId, identifiers) =>
    store.read((tables) => suppressionsOf(tables, organizationId, identifiers)),
  suppressionsOfLead: (organizationId, leadId) =>
    store.read((tables) => suppressionsOfLead(tables, organizationId, leadId)),
  addSuppressions: (organizationId, rows) =>
    store.write((tables) => {
      const written = addSuppressions(tables, organizationId, rows)
      const keys = [...new Set(rows.map(identityKey))]
      return { written, rows: keys.flatMap((key) => tables.get(suppressions, organizationId, key) ?? []) }
    }),
  liftSuppressions: (organizationId, identifiers, leadId) =>
    store.write((tables) => {
      const keys = new Set(identifiers.map(identityKey))
      const rows = tables.removeWhere(
        suppressions,
        organizationId,
        (row) => keys.has(identityKey(row)) || (leadId !== undefined && row.leadId === leadId)
      )
      const hashes = new Set(identifiers.map((one) => tombstoneKey(organizationId, one)))
      const erased = new Set(
        tables.all(tombstones, organizationId).flatMap((one) => (hashes.has(one.hash) ? [one.leadId] : []))
      )
      if (leadId !== undefined) erased.add(leadId)
      const lifted = tables.removeWhere(tombstones, organizationId, (one) => erased.has(one.leadId))
      return { rows, tombstones: lifted.length }
    }),
  listSuppressions: (organizationId, { after, limit }) =>
    store.read((tables) => {
      const all = tables.all(suppressions, organizationId)
      const rest = all
        .filter((row) => after === undefined || comparePositions(positionOf(row), after) < 0)
        .toSorted((a, b) => comparePositions(positionOf(b), positionOf(a)))
      return {
        ...cutPage(rest, limit, positionOf),
        total: all.length,
        tombstones: tables.all(tombstones, organizationId).length
      }
    })
})
