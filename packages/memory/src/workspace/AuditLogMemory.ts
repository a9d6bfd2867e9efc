/** The audit log in the in-memory store, which seals each row when it is written. */

import { isoFromMillis } from "@svc/core"
import { newestFirst } from "@svc/core/internal"
import * as Workspace from "@svc/core/workspace"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { audit, auditHeads, auditKey, auditStarts } from "../JournalMemory.ts"
import { everywhere, type MemoryStore, type Tables } from "../MemoryStore.ts"
import { allOrganizations } from "./OrganizationsMemory.ts"

const matches = (
  { actorKind, after, before, commandId, keyId, outcome }: Workspace.AuditFilter,
  record: Workspace.AuditRecord
): boolean =>
  (commandId === undefined || record.commandId === commandId) &&
  (keyId === undefined || record.keyId === keyId) &&
  (actorKind === undefined || record.actorKind === actorKind) &&
  (outcome === undefined || record.outcome === outcome) &&
  (after === undefined || record.createdAt > after) &&
  (before === undefined || record.createdAt < before)

const chainOf = (tables: Tables): ReadonlyArray<Workspace.SealedRecord> =>
  tables.all(audit).toSorted((a, b) => a.sequence - b.sequence)

const headOf = (tables: Tables) => tables.get(auditHeads, "head") ?? Workspace.emptyChain

const startOf = (tables: Tables) => tables.get(auditStarts, "start") ?? Workspace.wholeChain

/** Reads the rows of the journal, and deletes old ones. */
export const auditLog = (store: MemoryStore["Service"]): Workspace.AuditLog => ({
  key: auditKey,
  list: store.reading((tables, filter, page) =>
    newestFirst<Workspace.AuditRecord>(
      tables.where(audit, (record) => matches(filter, record)),
      page
    )
  ),
  seal: () => Effect.succeed(0),
  sealIfFree: () => Effect.succeed(0),
  chain: store.reading((tables, after, limit) =>
    chainOf(tables)
      .filter(({ sequence }) => sequence > after)
      .slice(0, limit)
  ),
  head: store.reading(headOf),
  start: store.reading(startOf),
  deleteBefore: (organizationId, before, limit) =>
    Effect.flatMap(Clock.currentTimeMillis, (millis) =>
      store.write(organizationId, (tables) => {
        const records = chainOf(tables).slice(0, limit)
        const kept = { start: startOf(tables), end: headOf(tables), records }
        const deleted = Workspace.deletableBefore(auditKey, organizationId, kept, before, isoFromMillis(millis))
        for (const { id } of records.slice(0, deleted.count)) tables.remove(audit, id)
        if (deleted.count > 0) tables.set(auditStarts, "start", deleted.start)
        return deleted
      })
    ),
  organizations: store.read(everywhere, (tables) => allOrganizations(tables).map(({ id }) => id))
})
