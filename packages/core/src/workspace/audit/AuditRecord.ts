/**
 * An audit row in its organization's chain.
 *
 * A row is sealed after it is written, so that its writer need not wait: it gets the next sequence number of its
 * organization, and a keyed hash of the previous hash and its own content. So a row that is changed, removed or inserted
 * later breaks the chain, and `svc audit verify` names the first such row. Whoever can write to the database cannot make
 * hashes, since the key is encrypted; whoever rewinds the whole chain to an earlier end is found by a head that was exported.
 */

import type { AuditActorKind, AuditEntry } from "../../kernel/journal/Journal.ts"
import { canonicalJson, constantTimeEqual, hmacHex } from "../../kernel/schema/Hash.ts"
import type { CommandId, InstantText, KeyId, OrganizationId } from "../../kernel/schema/IdsAndTime.ts"

/** A row; sequence and hash are null until it is sealed. */
export interface AuditRecord extends AuditEntry {
  readonly sequence: number | null
  readonly hash: string | null
}

/** A sealed row. `hash` is lower-case hexadecimal HMAC-SHA256. */
export interface SealedRecord extends AuditEntry, ChainHead {}

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

// Where the kept part of a chain starts, after retention deleted its oldest rows.
//
// The start is signed with the chain's key, so somebody who can write to the database cannot delete rows and make it look
// like retention. Only rows that fit the chain are deleted, so rows that were tampered with stay.

/** The last deleted row, when it was deleted, and the signature of all that. */
export interface ChainStart extends ChainHead {
  readonly deletedAt: InstantText | null
  readonly signature: string
}

/** The start of a chain of which nothing was deleted. */
export const wholeChain: ChainStart = { ...emptyChain, deletedAt: null, signature: "" }

const signatureOf = (key: string, organizationId: OrganizationId, { deletedAt, hash, sequence }: ChainStart): string =>
  hmacHex(key, canonicalJson(["start", organizationId, sequence, hash, deletedAt]))

/** Whether a start is the service's own: signed, or that of a whole chain. */
export const isGenuine = (key: string, organizationId: OrganizationId, start: ChainStart): boolean =>
  canonicalJson(start) === canonicalJson(wholeChain) ||
  constantTimeEqual(start.signature, signatureOf(key, organizationId, start))

/** The kept part of a chain, or its oldest rows. */
interface KeptChain {
  readonly start: ChainStart
  readonly end: ChainHead
  readonly records: ReadonlyArray<SealedRecord>
}

/** The rows that may be deleted: those after the old start, up to and including the new one. */
export interface Deletable {
  readonly count: number
  readonly start: ChainStart
  /** Why the next old row is not deleted; undefined if it is not old. */
  readonly problem: string | undefined
}

/** The oldest rows from before an instant, as far as they fit the chain. */
export const deletableBefore = (
  key: string,
  organizationId: OrganizationId,
  { end, records, start }: KeptChain,
  before: InstantText,
  now: InstantText
): Deletable => {
  if (!isGenuine(key, organizationId, start)) {
    return { count: 0, start, problem: "the recorded start of the chain has no valid signature" }
  }
  let last: ChainHead = start
  let problem: string | undefined
  for (const record of records) {
    if (record.createdAt >= before) break
    const isBeyond = record.sequence > end.sequence
    problem = isBeyond ? "it is beyond the recorded end of the chain" : chainProblem(key, last, record)
    if (problem !== undefined) break
    last = record
  }
  const unsigned = { sequence: last.sequence, hash: last.hash, deletedAt: now, signature: "" }
  return last === start
    ? { count: 0, start, problem }
    : {
        count: last.sequence - start.sequence,
        start: { ...unsigned, signature: signatureOf(key, organizationId, unsigned) },
        problem
      }
}
