/**
 * An audit row in its organization's chain.
 *
 * A row is sealed after it was written, never while its writer waits: it gets the next number of its organization and a
 * hash over the hash before it and everything the row says. So a row that was changed, removed or slipped in later no
 * longer fits, and `svc audit verify` names the first that does not.
 */
import { canonicalJson, sha256Hex } from "../Hash.ts"
import type { AuditEntry } from "../Journal.ts"

/** A row; both are null until it is sealed. */
export interface AuditRecord extends AuditEntry {
  readonly sequence: number | null
  readonly hash: string | null
}

/** A sealed row. `hash` is lower-case hexadecimal SHA-256. */
export interface SealedRecord extends AuditEntry {
  readonly sequence: number
  readonly hash: string
}

/** The end of a chain: what the next row's hash is taken over. */
export interface ChainHead {
  readonly sequence: number
  readonly hash: string
}

/** The head of a chain without rows. */
export const emptyChain: ChainHead = { sequence: 0, hash: "" }

/** The hash of a row at its place. */
export const hashOf = (previousHash: string, sequence: number, entry: AuditEntry): string =>
  sha256Hex(
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

/** The row as the next one of a chain. */
export const seal = (head: ChainHead, entry: AuditEntry): SealedRecord => {
  const sequence = head.sequence + 1
  return { ...entry, sequence, hash: hashOf(head.hash, sequence, entry) }
}

/** What is wrong with a row after the head, or undefined. */
export const chainProblem = (head: ChainHead, record: SealedRecord): string | undefined => {
  if (record.sequence !== head.sequence + 1) {
    return `row ${head.sequence + 1} is missing; the next one there is row ${record.sequence}`
  }
  return record.hash === hashOf(head.hash, record.sequence, record)
    ? undefined
    : "its hash does not fit what it says and the row before it"
}
