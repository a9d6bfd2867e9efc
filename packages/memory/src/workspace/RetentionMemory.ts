/** Retention in the in-memory store. */
import { type InstantText, isoFromMillis } from "@svc/core"
import type { Deleted, DeletedKind, Workspaces } from "@svc/core/workspace"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { importRows, imports } from "../imports/ImportTables.ts"
import { events, keyStates } from "../JournalMemory.ts"
import type { MemoryStore, Table, Tables } from "../MemoryStore.ts"
import { deliveries, deliveryLeases, lastSequences, webhooks } from "../webhooks/WebhooksMemory.ts"
import { keys } from "./OrganizationsMemory.ts"

type Delete = (tables: Tables, organization: string, before: string, limit: number, now: InstantText) => Deleted

const some = (rows: ReadonlyArray<unknown>): Deleted => ({ count: rows.length, isMore: rows.length > 0 })

/** Removes the first rows that match, at most `limit`. */
const removeSome = <Row>(
  tables: Tables,
  table: Table<Row>,
  organization: string,
  limit: number,
  matches: (row: Row) => boolean
): ReadonlyArray<Row> => {
  let left = limit
  return tables.removeWhere(table, organization, (row) => matches(row) && left-- > 0)
}

const deleteEvents: Delete = (tables, organization, before, limit) => {
  const ordered = tables.all(events, organization).toSorted((a, b) => a.sequence - b.sequence)
  const next = tables
    .all(webhooks, organization)
    .filter(({ is_active, purpose }) => is_active && purpose === "events")
    .map(({ webhook_id }) => (tables.get(lastSequences, organization, webhook_id) ?? 0) + 1)
  const stop = Math.min(
    ordered.at(-1)?.sequence ?? 0,
    ordered.find(({ createdAt }) => createdAt >= before)?.sequence ?? Number.POSITIVE_INFINITY,
    ...next
  )
  const old = ordered.filter(({ sequence }) => sequence < stop).slice(0, limit)
  for (const { id } of old) tables.remove(events, organization, id)
  return some(old)
}

const deleteImportRows: Delete = (tables, organization, before, limit, now) => {
  const run = tables
    .all(imports, organization)
    .find(({ rowsDeletedAt, updatedAt }) => updatedAt < before && (rowsDeletedAt === null || rowsDeletedAt < updatedAt))
  if (run === undefined) return some([])
  const removed = removeSome(tables, importRows, organization, limit, ({ importId }) => importId === run.id)
  if (removed.length < limit) tables.set(imports, organization, run.id, { ...run, rowsDeletedAt: now })
  return { count: removed.length, isMore: true }
}

const deletes: Readonly<Record<DeletedKind, Delete>> = {
  idempotency: (tables, organization, before, limit) =>
    some(
      removeSome(tables, keyStates, organization, limit, (state) =>
        state._tag === "Done" ? state.record.createdAt < before : state.since < before
      )
    ),
  deliveries: (tables, organization, before, limit) => {
    const old = removeSome(tables, deliveries, organization, limit, ({ delivery_id }) => {
      const endedAt = tables.get(deliveryLeases, organization, delivery_id)?.endedAt ?? null
      return endedAt !== null && endedAt < before
    })
    for (const { delivery_id } of old) tables.remove(deliveryLeases, organization, delivery_id)
    return some(old)
  },
  events: deleteEvents,
  importRows: deleteImportRows,
  sessions: (tables, partition, before, limit) =>
    some(
      removeSome(
        tables,
        keys,
        partition,
        limit,
        ({ expiresAt, revokedAt, session }) =>
          session !== undefined && ((expiresAt ?? "~") < before || (revokedAt ?? "~") < before)
      )
    )
}

const tableOf: Readonly<Record<DeletedKind, Table<unknown>>> = {
  idempotency: keyStates,
  deliveries,
  events,
  importRows: imports,
  sessions: keys
}

/** Deletes old rows in memory. */
export const deleteBefore =
  (store: MemoryStore["Service"]): Workspaces["Service"]["deleteBefore"] =>
  (kind, before, limit) =>
    Effect.flatMap(Clock.currentTimeMillis, (millis) =>
      store.write((tables) => {
        for (const organization of tables.partitions(tableOf[kind])) {
          const deleted = deletes[kind](tables, organization, before, limit, isoFromMillis(millis))
          if (deleted.isMore) return deleted
        }
        return some([])
      })
    )
