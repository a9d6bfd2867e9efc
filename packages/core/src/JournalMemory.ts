/** The journal in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ApprovalRow } from "./approvals/ApprovalRow.ts"
import { type ChainHead, emptyChain, type SealedRecord, seal } from "./audit/AuditRecord.ts"
import type { SequencedEvent } from "./Event.ts"
import { fail } from "./Failure.ts"
import { type IdempotencyRecord, type IdempotencyScope, Journal } from "./Journal.ts"
import { MemoryStore, type Tables, table } from "./MemoryStore.ts"

type Mark =
  | { readonly _tag: "Running"; readonly fingerprint: string; readonly since: string }
  | { readonly _tag: "Done"; readonly record: IdempotencyRecord }

/** Events by id. Transactions take turns, so an event is numbered when it is written. */
export const events = table<SequencedEvent>("events")

/** The number of the latest event, under `head`. */
export const eventHeads = table<number>("event_heads")

/** Audit rows by id, each sealed when it is written. */
export const audit = table<SealedRecord>("audit")

/** The end of the chain of audit rows, under `head`. */
export const auditHeads = table<ChainHead>("audit_heads")

/** Runs that wait, or waited, for a person, by id. */
export const approvals = table<ApprovalRow>("approval_requests")

const marks = table<Mark>("idempotency")

const markKey = (scope: IdempotencyScope): string => `${scope.route}\n${scope.key}`

/** Removes stored answers and requests for approval that hold one of the texts, in any case: for erasing a person. */
export const forgetAnswers = (tables: Tables, organizationId: string, texts: ReadonlyArray<string>): void => {
  const needles = texts.map((text) => JSON.stringify(text).slice(1, -1).toLowerCase())
  const isNamed = (row: unknown) => {
    const json = JSON.stringify(row).toLowerCase()
    return needles.some((needle) => json.includes(needle))
  }
  for (const mark of tables.all(marks, organizationId)) {
    if (mark._tag !== "Done" || !isNamed([mark.record.envelope, mark.record.key])) continue
    tables.remove(marks, organizationId, markKey(mark.record))
  }
  for (const row of tables.all(approvals, organizationId)) {
    if (isNamed(row)) tables.remove(approvals, organizationId, row.id)
  }
}

/** Keeps events, audit rows and idempotency keys in memory. */
export const layer: Layer.Layer<Journal, never, MemoryStore> = Layer.effect(
  Journal,
  Effect.map(MemoryStore, (store) =>
    Journal.of({
      append: (entry) =>
        store.write((tables) => {
          for (const event of entry.events) {
            const sequence = (tables.get(eventHeads, event.organizationId, "head") ?? 0) + 1
            tables.set(events, event.organizationId, event.id, { ...event, sequence })
            tables.set(eventHeads, event.organizationId, "head", sequence)
          }
          if (entry.audit !== undefined) {
            const { organizationId } = entry.audit
            const sealed = seal(tables.get(auditHeads, organizationId, "head") ?? emptyChain, entry.audit)
            tables.set(audit, organizationId, sealed.id, sealed)
            tables.set(auditHeads, organizationId, "head", { sequence: sealed.sequence, hash: sealed.hash })
          }
          const record = entry.idempotency
          if (record === undefined) return
          if (tables.get(marks, record.organizationId, markKey(record))?._tag === "Done") {
            throw fail("IDEMPOTENCY_IN_PROGRESS", undefined, { retryAfterSeconds: 1 })
          }
          tables.set(marks, record.organizationId, markKey(record), { _tag: "Done", record })
        }),
      hold: (scope) =>
        store.read((tables) => tables.get(marks, scope.organizationId, markKey(scope)) ?? { _tag: "New" }),
      claim: (scope, fingerprint, now, staleBefore) =>
        store.write((tables) => {
          const mark = tables.get(marks, scope.organizationId, markKey(scope))
          if (
            mark !== undefined &&
            (mark._tag === "Done" || mark.since >= staleBefore || mark.fingerprint !== fingerprint)
          ) {
            return mark
          }
          tables.set(marks, scope.organizationId, markKey(scope), { _tag: "Running", fingerprint, since: now })
          return { _tag: "New" }
        }),
      ask: (asked) =>
        store.write((tables) => {
          const { commandHash, organizationId, requestedBy } = asked
          const open = tables
            .all(approvals, organizationId)
            .find(
              (row) =>
                row.state === "pending" &&
                row.commandHash === commandHash &&
                row.requestedBy.userId === requestedBy.userId &&
                row.requestedBy.keyId === requestedBy.keyId
            )
          const row: ApprovalRow =
            open === undefined
              ? { ...asked, state: "pending", resolvedBy: null, resolvedAt: null, reason: "", outcome: null }
              : { ...open, expiresAt: asked.expiresAt }
          tables.set(approvals, organizationId, row.id, row)
          return row.id
        }),
      release: (scope) =>
        store.write((tables) => {
          const mark = tables.get(marks, scope.organizationId, markKey(scope))
          if (mark?._tag === "Running") tables.remove(marks, scope.organizationId, markKey(scope))
        })
    })
  )
)
