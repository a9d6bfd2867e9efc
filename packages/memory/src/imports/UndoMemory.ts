/** Undoing an import in the in-memory store. */

import type { LeadId } from "@svc/core"
import { UndoRepo, undoneReason } from "@svc/core/imports"
import type { KeptReason } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { leads } from "../leads/LeadTables.ts"
import { deleteLeads, keptReasonOf } from "../leads/UnusedLeadsMemory.ts"
import { MemoryStore } from "../MemoryStore.ts"
import { importRows, imports } from "./ImportTables.ts"

/** Undoes imports in memory. */
export const layer: Layer.Layer<UndoRepo, never, MemoryStore> = Layer.effect(
  UndoRepo,
  Effect.map(MemoryStore, (store) =>
    UndoRepo.of({
      undoRows: (run, after, limit, cancelledDrafts) =>
        store.write((tables) => {
          const { organizationId } = run
          const stored = tables.get(imports, organizationId, run.id)
          if (stored?.attempt !== run.attempt || stored.updatedAt !== run.updatedAt) return undefined
          const rows = tables
            .all(importRows, organizationId)
            .filter(({ importId }) => importId === run.id)
            .filter(({ leadId, outcome, position }) => outcome === "created" && leadId !== null && position > after)
            .sort((a, b) => a.position - b.position)
            .slice(0, limit)
          const exempt = { cancelledDrafts, import: run }
          const reasonOf = keptReasonOf(tables, organizationId, exempt)
          const removed = new Set<string>()
          const kept: Array<{ readonly leadId: LeadId; readonly reason: KeptReason }> = []
          for (const { leadId } of rows) {
            const lead = leadId === null ? undefined : tables.get(leads, organizationId, leadId)
            if (lead === undefined) continue
            const reason = reasonOf(lead)
            if (reason === undefined) removed.add(lead.id)
            else kept.push({ leadId: lead.id, reason })
          }
          deleteLeads(tables, organizationId, [...removed])
          tables.updateWhere(
            importRows,
            organizationId,
            ({ importId, leadId }) => importId === run.id && leadId !== null && removed.has(leadId),
            (row) => ({ ...row, leadId: null, reason: row.outcome === "created" ? undoneReason : row.reason })
          )
          return { removed: [...removed], kept, next: rows.length < limit ? undefined : rows.at(-1)?.position }
        })
    })
  )
)
