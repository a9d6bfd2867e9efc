/** Undoing an import in the in-memory store. */

import type { LeadId } from "@svc/core"
import { type ImportRun, type KeptReason, UndoRepo, undoneReason } from "@svc/core/imports"
import type { LeadRow } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { leadMessages, leadMissions, leadNotes, leads, removeLeads } from "../leads/LeadTables.ts"
import { suppressions } from "../leads/SuppressionTables.ts"
import { MemoryStore, type Table, type Tables } from "../MemoryStore.ts"
import { drafts, relations, transmissions } from "../outreach/LinkedInTables.ts"
import { importRows, imports } from "./ImportTables.ts"

interface OfLead {
  readonly leadId: LeadId | null
}

/** Returns why a lead must be kept. Reads the other tables once for all leads. */
const keptReasonOf = (tables: Tables, { id, missionId, organizationId, updatedAt }: ImportRun) => {
  const leadsIn = <A extends OfLead>(of: Table<A>, which: (row: A) => boolean = () => true): ReadonlySet<string> =>
    new Set(tables.all(of, organizationId).flatMap((row) => (row.leadId !== null && which(row) ? [row.leadId] : [])))
  const winners = new Set(tables.all(leads, organizationId).map(({ mergedInto }) => mergedInto))
  const contacted = [
    leadsIn(leadMessages),
    leadsIn(transmissions, ({ kind }) => kind === "message"),
    leadsIn(relations)
  ]
  const found: ReadonlyArray<readonly [KeptReason, ReadonlySet<string>]> = [
    ["DRAFTED", leadsIn(drafts)],
    ["NOTED", leadsIn(leadNotes)],
    ["SUPPRESSED", leadsIn(suppressions)],
    ["IN_OTHER_MISSION", leadsIn(leadMissions, (row) => row.missionId !== missionId)],
    ["IN_OTHER_IMPORT", leadsIn(importRows, ({ importId }) => importId !== id)]
  ]
  return (lead: LeadRow): KeptReason | undefined => {
    if (lead.mergedInto !== null || winners.has(lead.id)) return "MERGED"
    if (contacted.some((those) => those.has(lead.id))) return "CONTACTED"
    const known = found.find(([, those]) => those.has(lead.id))
    if (known !== undefined) return known[0]
    return lead.updatedAt > updatedAt || Object.values(lead.provenance).includes("user") ? "CHANGED" : undefined
  }
}

/** Undoes imports in memory. */
export const layer: Layer.Layer<UndoRepo, never, MemoryStore> = Layer.effect(
  UndoRepo,
  Effect.map(MemoryStore, (store) =>
    UndoRepo.of({
      undoRows: (run, after, limit) =>
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
          const reasonOf = keptReasonOf(tables, run)
          const removed = new Set<string>()
          const kept: Array<{ readonly leadId: LeadId; readonly reason: KeptReason }> = []
          for (const { leadId } of rows) {
            const lead = leadId === null ? undefined : tables.get(leads, organizationId, leadId)
            if (lead === undefined) continue
            const reason = reasonOf(lead)
            if (reason === undefined) removed.add(lead.id)
            else kept.push({ leadId: lead.id, reason })
          }
          removeLeads(tables, organizationId, [...removed])
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
