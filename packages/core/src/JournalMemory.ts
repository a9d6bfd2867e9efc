/** The journal in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StoredEvent } from "./Event.ts"
import { fail } from "./Failure.ts"
import { type AuditEntry, type IdempotencyRecord, type IdempotencyScope, Journal } from "./Journal.ts"
import { MemoryStore, table } from "./MemoryStore.ts"

type Mark =
  | { readonly _tag: "Running"; readonly fingerprint: string; readonly since: string }
  | { readonly _tag: "Done"; readonly record: IdempotencyRecord }

/** Events by id. */
export const events = table<StoredEvent>("events")

/** Audit rows by id. */
export const audit = table<AuditEntry>("audit")

const marks = table<Mark>("idempotency")

const markKey = (scope: IdempotencyScope): string => `${scope.route}\n${scope.key}`

/** Keeps events, audit rows and idempotency keys in memory. */
export const layer: Layer.Layer<Journal, never, MemoryStore> = Layer.effect(
  Journal,
  Effect.map(MemoryStore, (store) =>
    Journal.of({
      append: (entry) =>
        store.write((tables) => {
          for (const event of entry.events) tables.set(events, event.organizationId, event.id, event)
          if (entry.audit !== undefined) tables.set(audit, entry.audit.organizationId, entry.audit.id, entry.audit)
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
      release: (scope) =>
        store.write((tables) => {
          const mark = tables.get(marks, scope.organizationId, markKey(scope))
          if (mark?._tag === "Running") tables.remove(marks, scope.organizationId, markKey(scope))
        })
    })
  )
)
