/** Verifies the chain of an organization's audit rows from its beginning. */

import * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { AuditLog } from "./AuditLog.ts"
import { type ChainHead, chainProblem, emptyChain } from "./AuditRecord.ts"

/** The result of a verification. `broken` is the first row that breaks the chain; `head` is the last valid row. */
interface AuditVerdict {
  readonly organizationId: OrganizationId
  readonly ok: boolean
  readonly rows: number
  readonly head: ChainHead
  readonly broken: { readonly sequence: number; readonly id: string | null; readonly problem: string } | undefined
}

const step = 1_000

/** Seals all rows, then verifies the whole chain, and that it still contains the heads that were exported from it. */
export const verifyAudit = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  expected: ReadonlyArray<ChainHead> = []
): Effect.fn.Return<AuditVerdict, StoreFailure, AuditLog> {
  const log = yield* AuditLog
  while ((yield* log.seal(organizationId, step)) === step);
  const end = yield* log.head(organizationId)
  let head = emptyChain
  const broken = (sequence: number, id: string | null, problem: string): AuditVerdict => ({
    organizationId,
    ok: false,
    rows: head.sequence,
    head,
    broken: { sequence, id, problem }
  })
  for (;;) {
    const records = yield* log.chain(organizationId, head.sequence, step)
    for (const record of records) {
      const problem = chainProblem(log.key, head, record)
      if (problem !== undefined) return broken(record.sequence, record.id, problem)
      head = { sequence: record.sequence, hash: record.hash }
      if (expected.some(({ hash, sequence }) => sequence === head.sequence && hash !== head.hash)) {
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
  return { organizationId, ok: true, rows: head.sequence, head, broken: undefined }
})
