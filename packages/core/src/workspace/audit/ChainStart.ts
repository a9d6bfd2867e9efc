/**
 * Where the kept part of a chain starts, after retention deleted its oldest rows.
 *
 * The start is signed with the chain's key, so somebody who can write to the database cannot delete rows and make it look
 * like retention. Only rows that fit the chain are deleted, so rows that were tampered with stay.
 */
import { canonicalJson, constantTimeEqual, hmacHex } from "../../kernel/schema/Hash.ts"
import type { InstantText, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { type ChainHead, chainProblem, emptyChain, type SealedRecord } from "./AuditRecord.ts"

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
