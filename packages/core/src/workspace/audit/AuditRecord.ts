/**
 * An audit row in its organization's chain.
 *
 * A row is sealed after it is written, so that its writer need not wait: it gets the next sequence number of its
 * organization, and a keyed hash of the previous hash and its own content. So a row that is changed, removed or inserted
 * later breaks the chain, and `svc audit verify` names the first such row. Whoever can write to the database cannot make
 * hashes, since the key is encrypted; whoever rewinds the whole chain to an earlier end is found by a head that was exported.
 */

import type { AuditActorKind, AuditEntry } from "../../kernel/journal/Journal.ts"
import { canonicalJson, hmacHex } from "../../kernel/schema/Hash.ts"
import type { CommandId, KeyId, OrganizationId } from "../../kernel/schema/RecordIds.ts"

/** A row; sequence and hash are null until it is sealed. */
export interface AuditRecord extends AuditEntry {
  readonly sequence: number | null
  readonly hash: string | null
}

/** A sealed row. `hash` is lower-case hexadecimal HMAC-SHA256. */
export interface SealedRecord extends AuditEntry {
  readonly sequence: number
  readonly hash: string
}

/** Filters of a list; `before` and `after` are instants, both exclusive. */
export interface AuditFilter {
  readonly commandId: CommandId | undefined
  readonly keyId: KeyId | undefined
  readonly actorKind: AuditActorKind | undefined
  readonly outcome: string | undefined
  readonly after: string | undefined
  readonly before: string | undefined
}

/** The end of a chain, from which the next row's hash is computed. */
export interface ChainHead {
  readonly sequence: number
  readonly hash: string
}

/** The head of an empty chain. */
export const emptyChain: ChainHead = { sequence: 0, hash: "" }

/** A head as it is exported: `ORGANIZATION:SEQUENCE:HASH`. */
export const headText = (organizationId: OrganizationId, { hash, sequence }: ChainHead): string =>
  `${organizationId}:${sequence}:${hash}`

/** The organization and the head in a text; undefined if it is none. */
export const parseHead = (
  text: string
): { readonly organizationId: OrganizationId; readonly head: ChainHead } | undefined => {
  const [, organizationId, sequence, hash = ""] = /^([^:\s]+):(\d{1,15}):([0-9a-f]{64}|)$/.exec(text) ?? []
  if (organizationId === undefined || (sequence !== "0") !== (hash !== "")) return undefined
  return { organizationId, head: { sequence: Number(sequence), hash } }
}

/** The hash of a row at its position. */
const hashOf = (key: string, previousHash: string, sequence: number, entry: AuditEntry): string =>
  hmacHex(
    key,
    canonicalJson([
      previousHash,
      sequence,
      entry.organizationId,
      entry.id,
      entry.actorKind,
      entry.userId,
      entry.keyId,
      entry.commandId,
      entry.commandHash,
      entry.subject === null ? null : [entry.subject.type, entry.subject.id],
      entry.outcome,
      entry.createdAt
    ])
  )

/** Seals a row as the next one of a chain. */
export const seal = (key: string, head: ChainHead, entry: AuditEntry): SealedRecord => {
  const sequence = head.sequence + 1
  return { ...entry, sequence, hash: hashOf(key, head.hash, sequence, entry) }
}

/** What is wrong with the row after the head, or undefined. */
export const chainProblem = (key: string, head: ChainHead, record: SealedRecord): string | undefined => {
  if (record.sequence !== head.sequence + 1) {
    return `row ${head.sequence + 1} is missing; the next row is ${record.sequence}`
  }
  return record.hash === hashOf(key, head.hash, record.sequence, record)
    ? undefined
    : "its hash does not match its content and the previous row"
}
