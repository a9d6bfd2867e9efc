/** Verifying the chain of an organization's audit rows. */

import * as Effect from "effect/Effect"
import type { OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { Workspaces } from "../Workspaces.ts"
import { type ChainHead, type ChainStart, chainProblem, isGenuine } from "./AuditRecord.ts"

/**
 * The result of a verification. `broken` is the first row that breaks the chain; `head` is the last valid row; rows up to
 * and including `start` were deleted by retention; `unchecked` are expected heads from before it.
 */
interface AuditVerdict {
  readonly organizationId: OrganizationId
  /** Whether the chain is whole and contains every expected head. */
  readonly ok: boolean
  readonly rows: number
  readonly start: ChainStart
  readonly head: ChainHead
  readonly broken: { readonly sequence: number; readonly id: string | null; readonly problem: string } | undefined
  readonly unchecked: ReadonlyArray<ChainHead>
}

const step = 1_000

const isAnother = (head: ChainHead) => (expected: ChainHead) =>
  expected.sequence === head.sequence && expected.hash !== head.hash

const verifyFrom = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  start: ChainStart,
  expected: ReadonlyArray<ChainHead>
) {
  const log = (yield* Workspaces).audit
  const end = yield* log.head(organizationId)
  let head: ChainHead = { sequence: start.sequence, hash: start.hash }
  const verdict = (broken: AuditVerdict["broken"], unchecked: ReadonlyArray<ChainHead> = []): AuditVerdict => ({
    organizationId,
    ok: broken === undefined && unchecked.length === 0,
    rows: head.sequence - start.sequence,
    start,
    head,
    broken,
    unchecked
  })
  const broken = (sequence: number, id: string | null, problem: string) => verdict({ sequence, id, problem })
  if (!isGenuine(log.key, organizationId, start)) {
    return broken(start.sequence, null, "the recorded start of the kept rows was moved or forged")
  }
  if (expected.some(isAnother(start))) {
    return broken(start.sequence, null, "its hash is not the expected one: the chain was written anew")
  }
  if (end.sequence < start.sequence) {
    return broken(end.sequence, null, "the recorded end of the chain is before its first kept row")
  }
  // From below the start on: no row may be left there.
  for (let after = Number.MIN_SAFE_INTEGER; ; after = head.sequence) {
    const records = yield* log.chain(organizationId, after, step)
    for (const record of records) {
      const problem =
        record.sequence <= start.sequence
          ? "it is before the first kept row, so it was inserted"
          : chainProblem(log.key, head, record)
      if (problem !== undefined) return broken(record.sequence, record.id, problem)
      head = { sequence: record.sequence, hash: record.hash }
      if (expected.some(isAnother(head))) {
        return broken(record.sequence, record.id, "its hash is not the expected one: the chain was written anew")
      }
    }
    if (records.length < step) break
  }
  if (head.sequence < end.sequence) return broken(head.sequence + 1, null, "it is missing, with all rows after it")
  const missing = expected.find(({ sequence }) => sequence > head.sequence)
  if (missing !== undefined) return broken(missing.sequence, null, "the expected row is missing")
  // Rows may have been sealed since the end was read.
  if (head.sequence === end.sequence && head.hash !== end.hash) {
    return broken(head.sequence, null, "the chain does not end with the recorded hash")
  }
  return verdict(
    undefined,
    expected.filter(({ sequence }) => sequence > 0 && sequence < start.sequence)
  )
})

/** Seals all rows, then verifies all that are kept, and that they still contain the heads that were exported from them. */
export const verifyAudit = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  expected: ReadonlyArray<ChainHead> = []
) {
  const log = (yield* Workspaces).audit
  while ((yield* log.seal(organizationId, step)) === step);
  for (;;) {
    const start = yield* log.start(organizationId)
    const verdict = yield* verifyFrom(organizationId, start, expected)
    // Once more if retention deleted rows in the meantime.
    if (verdict.ok || (yield* log.start(organizationId)).sequence === start.sequence) return verdict
  }
})
