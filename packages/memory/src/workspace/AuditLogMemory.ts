/** The audit log in the in-memory store, which seals each row when it is written. */

import { newestFirst } from "@svc/core"
import { type AuditFilter, AuditLog, type AuditRecord, emptyChain } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { audit, auditHeads, auditKey } from "../JournalMemory.ts"
import { MemoryStore } from "../MemoryStore.ts"
import { allOrganizations } from "./WorkspacesMemory.ts"

const matches = ({ actorKind, after, before, commandId, outcome }: AuditFilter, record: AuditRecord): boolean =>
  (commandId === undefined || record.commandId === commandId) &&
  (actorKind === undefined || record.actorKind === actorKind) &&
  (outcome === undefined || record.outcome === outcome) &&
  (after === undefined || record.createdAt > after) &&
  (before === undefined || record.createdAt < before)

/** Reads the rows of the journal. */
export const layer: Layer.Layer<AuditLog, never, MemoryStore> = Layer.effect(
  AuditLog,
  Effect.map(MemoryStore, (store) =>
    AuditLog.of({
      key: auditKey,
      list: (organizationId, filter, page) =>
        store.read((tables) =>
          newestFirst<AuditRecord>(
            tables.all(audit, organizationId).filter((record) => matches(filter, record)),
            page
          )
        ),
      seal: () => Effect.succeed(0),
      sealIfFree: () => Effect.succeed(0),
      unsealed: () => Effect.succeed([]),
      chain: (organizationId, after, limit) =>
        store.read((tables) =>
          tables
            .all(audit, organizationId)
            .filter(({ sequence }) => sequence > after)
            .sort((a, b) => a.sequence - b.sequence)
            .slice(0, limit)
        ),
      head: (organizationId) => store.read((tables) => tables.get(auditHeads, organizationId, "head") ?? emptyChain),
      organizations: store.read((tables) => allOrganizations(tables).map(({ id }) => id))
    })
  )
)
