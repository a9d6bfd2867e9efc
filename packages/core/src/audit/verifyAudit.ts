/** Checking the chain of an organization's audit rows from its beginning. */
import * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import { AuditLog } from "./AuditLog.ts"
import { type ChainHead, chainProblem, emptyChain } from "./AuditRecord.ts"

/** What a check found. `broken` is the first row that does not fit; `head` is the last row that does. */
export interface AuditVerdict {
  readonly organizationId: string
  readonly ok: boolean
  readonly rows: number
  readonly head: ChainHead
  readonly broken: { readonly sequence: number; readonly id: string | null; readonly problem: string } | undefined
}

const step = 1_000

/** Seals what is not sealed yet, then walks the whole chain. */
export const verifyAudit = Effect.fnUntraced(function* (
  organizationId: string
): Effect.fn.Return<AuditVerdict, Failure, AuditLog> {
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
      const problem = chainProblem(head, record)
      if (problem !== undefined) return broken(record.sequence, record.id, problem)
      head = { sequence: record.sequence, hash: record.hash }
    }
    if (records.length < step) break
  }
  if (head.sequence < end.sequence) return broken(head.sequence + 1, null, "it is missing, with all rows after it")
  // Rows sealed since the end was read are fine.
  if (head.sequence === end.sequence && head.hash !== end.hash) {
    return broken(head.sequence, null, "the chain does not end with the hash that was noted")
  }
  return { organizationId, ok: true, rows: head.sequence, head, broken: undefined }
})
