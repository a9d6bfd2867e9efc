/** Which suppressions of the in-memory store name an identifier or a lead. */
import { randomBytes } from "node:crypto"
import { hmacBase64Url } from "../../Hash.ts"
import { type Table, type Tables, table } from "../../MemoryStore.ts"
import { leadIdentities } from "../LeadTables.ts"
import {
  byLength,
  domainsOf,
  erasedReason,
  type Suppressible,
  type SuppressionEntry,
  type SuppressionMatch,
  type SuppressionRow,
  statusReason
} from "./Suppression.ts"

/** What is left of an erased person: a hash of one identifier, and whose erasure it was. */
export interface TombstoneRow {
  readonly hash: string
  readonly kind: string
  readonly leadId: string
  readonly erasedAt: string
}

/** Entries by {@link suppressionKey}. */
export const suppressions: Table<SuppressionRow> = table("suppressions")

/** Tombstones by hash. */
export const tombstones: Table<TombstoneRow> = table("tombstones")

/** Key of an entry in {@link suppressions}. */
export const suppressionKey = ({ kind, value }: Suppressible): string => `${kind}:${value}`

// Memory ends with the process, and so does what its hashes are made with.
const secret = randomBytes(32).toString("base64url")

/** The tombstone's hash of an identifier: tells nothing to whom the secret is not known. */
export const tombstoneHash = (organizationId: string, { kind, value }: Suppressible): string =>
  hmacBase64Url(secret, `${organizationId}\n${kind}:${value}`)

const entryOf = ({ createdAt, kind, leadId, reason, until }: SuppressionRow): SuppressionEntry => ({
  kind,
  reason,
  until,
  leadId,
  createdAt
})

/** The entries and tombstones that name the identifiers. */
export const suppressionsOf = (
  tables: Tables,
  organizationId: string,
  identifiers: ReadonlyArray<Suppressible>
): ReadonlyArray<SuppressionMatch> =>
  identifiers.flatMap(({ kind, value }): ReadonlyArray<SuppressionMatch> => {
    if (kind === "lead") {
      return suppressionsOfLead(tables, organizationId, value).map((entry) => ({ kind, value, entry }))
    }
    const keys = new Set([
      suppressionKey({ kind, value }),
      ...domainsOf({ kind, value }).map((domain) => suppressionKey({ kind: "domain", value: domain }))
    ])
    const entries = [...keys].flatMap((key) => {
      const row = tables.get(suppressions, organizationId, key)
      return row === undefined ? [] : [entryOf(row)]
    })
    const stone = tables.get(tombstones, organizationId, tombstoneHash(organizationId, { kind, value }))
    const erased: ReadonlyArray<SuppressionEntry> =
      stone === undefined
        ? []
        : [{ kind: "erased", reason: erasedReason, until: null, leadId: stone.leadId, createdAt: stone.erasedAt }]
    return [...entries, ...erased].map((entry) => ({ kind, value, entry }))
  })

/** The entries that name a lead, each once. */
export const suppressionsOfLead = (
  tables: Tables,
  organizationId: string,
  leadId: string
): ReadonlyArray<SuppressionEntry> => {
  const held = tables.all(leadIdentities, organizationId).filter((row) => row.leadId === leadId)
  const named: ReadonlyArray<Suppressible> = [{ kind: "lead", value: leadId }, ...held]
  const keys = new Set(
    named.flatMap((one) => [
      suppressionKey(one),
      ...domainsOf(one).map((value) => suppressionKey({ kind: "domain", value }))
    ])
  )
  return [...keys].sort().flatMap((key) => {
    const row = tables.get(suppressions, organizationId, key)
    return row === undefined ? [] : [entryOf(row)]
  })
}

/** Whether an entry blocks longer than the one that is stored. */
const isLonger = (known: SuppressionRow | undefined, { until }: SuppressionRow): boolean =>
  known === undefined || (known.until !== null && (until === null || until > known.until))

/** Whether an entry says better why, for as long as the one that is stored. */
const isClearer = (known: SuppressionRow | undefined, { reason, until }: SuppressionRow): boolean =>
  known !== undefined && known.until === until && known.reason !== reason && reason !== statusReason

/** Stores entries, never shortening one; of two that end together the later reason counts. Answers how many were written. */
export const addSuppressions = (
  tables: Tables,
  organizationId: string,
  rows: ReadonlyArray<SuppressionRow>
): number => {
  let written = 0
  for (const row of rows) {
    const known = tables.get(suppressions, organizationId, suppressionKey(row))
    if (!isLonger(known, row) && !isClearer(known, row)) continue
    const leadId = row.leadId ?? known?.leadId ?? null
    const createdAt = known?.createdAt ?? row.createdAt
    tables.set(suppressions, organizationId, suppressionKey(row), { ...row, leadId, createdAt })
    written++
  }
  return written
}

/** Entries of merged leads become the winner's; that of a loser itself names the winner from now on. */
export const adoptSuppressions = (
  tables: Tables,
  organizationId: string,
  winnerId: string,
  loserIds: ReadonlyArray<string>
): void => {
  const theirs = tables
    .all(suppressions, organizationId)
    .filter(({ leadId }) => leadId !== null && loserIds.includes(leadId))
  const ofLeads = theirs.filter(({ kind }) => kind === "lead").toSorted(byLength)
  for (const row of ofLeads) tables.remove(suppressions, organizationId, suppressionKey(row))
  const [longest] = ofLeads
  if (longest !== undefined) {
    const adopted = { ...longest, leadId: winnerId, value: winnerId }
    const known = tables.get(suppressions, organizationId, suppressionKey(adopted))
    if (isLonger(known, adopted)) addSuppressions(tables, organizationId, [adopted])
  }
  for (const row of theirs.filter(({ kind }) => kind !== "lead")) {
    tables.set(suppressions, organizationId, suppressionKey(row), { ...row, leadId: winnerId })
  }
}
