/** The workspace in the in-memory store. */

import { type InstantText, isoFromMillis, type SequencedEvent } from "@svc/core"
import { compareText, newestFirst, stateAt } from "@svc/core/internal"
import * as Workspace from "@svc/core/workspace"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { importRows, imports } from "../imports/ImportTables.ts"
import { approvals, type EventRow, eventHeads, events, keyStates } from "../JournalMemory.ts"
import { type MemoryStore, repository, type Table, type Tables } from "../MemoryStore.ts"
import { takenMails } from "../outreach/MailboxesMemory.ts"
import { deliveries, lastSequences, webhooks } from "../webhooks/WebhooksMemory.ts"
import { auditLog } from "./AuditLogMemory.ts"
import { keys, organizations } from "./OrganizationsMemory.ts"

type Delete = (tables: Tables, before: string, limit: number, now: InstantText) => Workspace.Deleted

const some = (rows: ReadonlyArray<unknown>): Workspace.Deleted => ({ count: rows.length, isMore: rows.length > 0 })

/** Removes the first rows that match, at most `limit`. */
const removeSome = <Row>(
  tables: Tables,
  table: Table<Row>,
  limit: number,
  matches: (row: Row) => boolean
): ReadonlyArray<Row> => {
  let left = limit
  return tables.removeWhere(table, (row) => matches(row) && left-- > 0)
}

const deleteEvents: Delete = (tables, before, limit) => {
  const ordered = tables.all(events).toSorted((a, b) => a.sequence - b.sequence)
  const next = tables
    .where(webhooks, ({ is_active, purpose }) => is_active && purpose === "events")
    .map(({ webhook_id }) => (tables.get(lastSequences, webhook_id) ?? 0) + 1)
  const stop = Math.min(
    ordered.at(-1)?.sequence ?? 0,
    ordered.find(({ createdAt }) => createdAt >= before)?.sequence ?? Number.POSITIVE_INFINITY,
    ...next
  )
  const old = ordered.filter(({ sequence }) => sequence < stop).slice(0, limit)
  for (const { id } of old) tables.remove(events, id)
  return some(old)
}

const deleteImportRows: Delete = (tables, before, limit, now) => {
  const run = tables
    .all(imports)
    .find(({ rowsDeletedAt, updatedAt }) => updatedAt < before && (rowsDeletedAt === null || rowsDeletedAt < updatedAt))
  if (run === undefined) return some([])
  const removed = removeSome(tables, importRows, limit, ({ importId }) => importId === run.id)
  if (removed.length < limit) tables.set(imports, run.id, { ...run, rowsDeletedAt: now })
  return { count: removed.length, isMore: true }
}

const deletes: Readonly<Record<Workspace.DeletedKind, Delete>> = {
  idempotency: (tables, before, limit) =>
    some(
      removeSome(tables, keyStates, limit, (state) =>
        state._tag === "Done" ? state.record.createdAt < before : state.since < before
      )
    ),
  deliveries: (tables, before, limit) =>
    some(removeSome(tables, deliveries, limit, ({ endedAt }) => endedAt !== null && endedAt < before)),
  events: deleteEvents,
  importRows: deleteImportRows,
  mails: (tables, before, limit) => some(removeSome(tables, takenMails, limit, ({ at }) => at < before)),
  sessions: (tables, before, limit) =>
    some(
      removeSome(
        tables,
        keys,
        limit,
        ({ expiresAt, organizationId, revokedAt, session }) =>
          organizationId === tables.organizationId &&
          session !== undefined &&
          ((expiresAt ?? "~") < before || (revokedAt ?? "~") < before)
      )
    )
}

/** Deletes old rows in memory. */
const deleteBefore =
  (store: MemoryStore["Service"]): Workspace.Workspaces["Service"]["deleteBefore"] =>
  (organizationId, kind, before, limit) =>
    Effect.flatMap(Clock.currentTimeMillis, (millis) =>
      store.write(organizationId, (tables) => deletes[kind](tables, before, limit, isoFromMillis(millis)))
    )

/** The instant of the state that a request is in. */
const stateSince = ({ createdAt, resolvedAt }: Workspace.ApprovalRow) => resolvedAt ?? createdAt

/** Approval requests in memory. */
const approvalsIn = (store: MemoryStore["Service"]): Workspace.Approvals => ({
  find: store.reading((tables, id) => tables.get(approvals, id)),
  hold: store.reading((tables, id) => tables.get(approvals, id)),
  list: store.reading((tables, { hidden, now, requester, state }, page) =>
    newestFirst(
      tables
        .where(approvals, (row) => state === undefined || stateAt(row, now) === state)
        .filter(({ commandId }) => !hidden.includes(commandId))
        .filter(
          ({ requestedBy: { keyId, userId } }) =>
            requester === undefined || (requester.keyId === keyId && requester.userId === userId)
        ),
      page
    )
  ),
  replace: (row) => store.write(row.organizationId, (tables) => tables.set(approvals, row.id, row)),
  overdue: store.reading((tables, now, limit) =>
    tables
      .where(approvals, ({ expiresAt, state }) => state === "pending" && expiresAt <= now)
      .toSorted((a, b) => compareText(a.expiresAt, b.expiresAt) || compareText(a.id, b.id))
      .slice(0, limit)
      .map(({ id }) => id)
  ),
  takeMail: ({ limit, now, organizationId, since, until }) =>
    store.write(organizationId, (tables) => {
      const due = tables
        .where(approvals, ({ mailAt }) => mailAt !== null && mailAt <= now)
        .slice(0, limit)
        .map((row) => ({ ...row, mailAt: stateSince(row) >= since ? until : null }))
      for (const row of due) tables.set(approvals, row.id, row)
      return due.filter(({ mailAt }) => mailAt !== null)
    }),
  putMail: (taken, left) =>
    store.write(taken.organizationId, (tables) => {
      const row = tables.get(approvals, taken.id)
      if (row === undefined || row.state !== taken.state || row.mailAt !== taken.mailAt) return
      const mailAt = left.length === 0 ? null : row.mailAt
      tables.set(approvals, row.id, { ...row, mailTo: left, mailAt })
    })
})

/** Without what only undoing takes. */
const shown = ({ keyId: _key, undoes: _undoes, undoneAt: _at, ...event }: EventRow): SequencedEvent => event

/** Reads the events of the journal. */
const eventFeed = (store: MemoryStore["Service"]): Workspace.EventFeed => ({
  read: store.reading((tables, request) => {
    const { after, limit, types } = request
    const all = tables.all(events).toSorted((a, b) => a.sequence - b.sequence)
    return Workspace.feedPage(request, {
      events: all
        .filter(({ sequence, type }) => sequence > after && (types === undefined || types.includes(type)))
        .slice(0, limit)
        .map(shown),
      oldest: all[0]?.sequence ?? 0,
      head: tables.get(eventHeads, "head") ?? 0
    })
  }),
  recent: store.reading((tables, limit) =>
    tables
      .all(events)
      .toSorted((a, b) => b.sequence - a.sequence)
      .slice(0, limit)
      .map(shown)
  )
})

/** Keeps organizations, and what belongs to all of their data, in memory. */
export const layer = repository(Workspace.Workspaces)((store) => ({
  ...organizations(store),
  approvals: approvalsIn(store),
  audit: auditLog(store),
  events: eventFeed(store),
  deleteBefore: deleteBefore(store)
}))
