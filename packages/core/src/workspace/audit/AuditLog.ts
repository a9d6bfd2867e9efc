/** Reading and sealing the audit rows that the journal writes: the port. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { AuditActorKind } from "../../kernel/journal/Journal.ts"
import type { Page, PageRequest } from "../../kernel/schema/Page.ts"
import type { CommandId, InstantText, KeyId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { type AuditRecord, type ChainHead, chainProblem, type SealedRecord } from "./AuditRecord.ts"
import { type ChainStart, type Deletable, isGenuine } from "./ChainStart.ts"

/** Filters of a list; `before` and `after` are instants, both exclusive. */
export interface AuditFilter {
  readonly commandId: CommandId | undefined
  readonly keyId: KeyId | undefined
  readonly actorKind: AuditActorKind | undefined
  readonly outcome: string | undefined
  readonly after: string | undefined
  readonly before: string | undefined
}

/** Maximum rows sealed for one reader; the rest is left to the next. */
export const maxSealedForReader = 2_000

/** Reads audit rows. Fails with UNAVAILABLE when the store cannot be reached. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** The key of the chains' hashes. */
    readonly key: string
    /** Newest first. Rows may not be sealed yet. */
    readonly list: (
      organizationId: OrganizationId,
      filter: AuditFilter,
      page: PageRequest
    ) => Effect.Effect<Page<AuditRecord>, StoreFailure>
    /** Seals the oldest unsealed rows, at most `max`; returns how many. */
    readonly seal: (organizationId: OrganizationId, max: number) => Effect.Effect<number, StoreFailure>
    /** Like `seal`, but seals nothing while another process seals rows of the organization. */
    readonly sealIfFree: (organizationId: OrganizationId, max: number) => Effect.Effect<number, StoreFailure>
    /** At most `max` organizations with unsealed rows, those first whose rows wait longest. */
    readonly unsealed: (max: number) => Effect.Effect<ReadonlyArray<string>, StoreFailure>
    /** Sealed rows after a sequence number, in order. */
    readonly chain: (
      organizationId: OrganizationId,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SealedRecord>, StoreFailure>
    /** The end of the chain, stored apart from the rows, so that rows missing at the end are noticed. */
    readonly head: (organizationId: OrganizationId) => Effect.Effect<ChainHead, StoreFailure>
    /** The start of the kept part of the chain, stored with its end. */
    readonly start: (organizationId: OrganizationId) => Effect.Effect<ChainStart, StoreFailure>
    /** At most `max` organizations whose oldest sealed row is from before an instant, oldest first. */
    readonly withRowsBefore: (before: InstantText, max: number) => Effect.Effect<ReadonlyArray<string>, StoreFailure>
    /**
     * Inside a transaction: deletes the oldest sealed rows that are from before an instant and fit the chain, at most
     * `limit`, and stores the new start. Deletes nothing while another process seals or deletes rows of the organization.
     */
    readonly deleteBefore: (
      organizationId: OrganizationId,
      before: InstantText,
      limit: number
    ) => Effect.Effect<Deletable, StoreFailure>
    /** Every organization, oldest first. */
    readonly organizations: Effect.Effect<ReadonlyArray<string>, StoreFailure>
  }
>()("@svc/core/audit/AuditLog") {}

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
): Effect.fn.Return<AuditVerdict, StoreFailure, AuditLog> {
  const log = yield* AuditLog
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
): Effect.fn.Return<AuditVerdict, StoreFailure, AuditLog> {
  const log = yield* AuditLog
  while ((yield* log.seal(organizationId, step)) === step);
  for (;;) {
    const start = yield* log.start(organizationId)
    const verdict = yield* verifyFrom(organizationId, start, expected)
    // Once more if retention deleted rows in the meantime.
    if (verdict.ok || (yield* log.start(organizationId)).sequence === start.sequence) return verdict
  }
})
