/** Taking back what an import created, in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { leadNotes } from "../../leads/history/HistoryTables.ts"
import type { LeadRow } from "../../leads/Lead.ts"
import {
  leadIdentities,
  leadIdentityKey,
  leadMessages,
  leadMissionKey,
  leadMissions,
  leads
} from "../../leads/LeadTables.ts"
import { suppressions } from "../../leads/suppression/SuppressionTables.ts"
import { drafts, queueItems, relations } from "../../linkedin/LinkedInTables.ts"
import { MemoryStore, type Table, type Tables } from "../../MemoryStore.ts"
import type { ImportRun } from "../ImportRun.ts"
import { importRows, imports } from "../ImportTables.ts"
import { type KeptReason, takenBack, UndoRepo } from "./UndoRepo.ts"

interface OfLead {
  readonly leadId: string | null
}

/** Judges leads by what other tables hold of them, which is looked through once. */
const judgeOf = (tables: Tables, { id, missionId, organizationId, updatedAt }: ImportRun) => {
  const leadsIn = <A extends OfLead>(of: Table<A>, which: (row: A) => boolean = () => true): ReadonlySet<string> =>
    new Set(tables.all(of, organizationId).flatMap((row) => (row.leadId !== null && which(row) ? [row.leadId] : [])))
  const winners = new Set(tables.all(leads, organizationId).map(({ mergedInto }) => mergedInto))
  const contacted = [leadsIn(leadMessages), leadsIn(queueItems), leadsIn(relations)]
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

const forget = (tables: Tables, organizationId: string, leadIds: ReadonlySet<string>): void => {
  for (const row of tables.all(leadIdentities, organizationId)) {
    if (leadIds.has(row.leadId)) tables.remove(leadIdentities, organizationId, leadIdentityKey(row))
  }
  for (const row of tables.all(leadMissions, organizationId)) {
    if (leadIds.has(row.leadId)) tables.remove(leadMissions, organizationId, leadMissionKey(row))
  }
  for (const leadId of leadIds) tables.remove(leads, organizationId, leadId)
}

/** Takes back in memory. */
export const layer: Layer.Layer<UndoRepo, never, MemoryStore> = Layer.effect(
  UndoRepo,
  Effect.map(MemoryStore, (store) =>
    UndoRepo.of({
      takeBack: (run, after, limit) =>
        store.write((tables) => {
          const { organizationId } = run
          const stored = tables.get(imports, organizationId, run.id)
          if (stored?.attempt !== run.attempt || stored.updatedAt !== run.updatedAt) return undefined
          const all = tables.all(importRows, organizationId).filter(({ importId }) => importId === run.id)
          const rows = all
            .filter(({ leadId, outcome, position }) => outcome === "created" && leadId !== null && position > after)
            .sort((a, b) => a.position - b.position)
            .slice(0, limit)
          const judge = judgeOf(tables, run)
          const removed = new Set<string>()
          const kept: Array<{ readonly leadId: string; readonly reason: KeptReason }> = []
          for (const { leadId } of rows) {
            const lead = leadId === null ? undefined : tables.get(leads, organizationId, leadId)
            if (lead === undefined) continue
            const reason = judge(lead)
            if (reason === undefined) removed.add(lead.id)
            else kept.push({ leadId: lead.id, reason })
          }
          forget(tables, organizationId, removed)
          for (const row of all) {
            if (row.leadId === null || !removed.has(row.leadId)) continue
            const reason = row.outcome === "created" ? takenBack : row.reason
            tables.set(importRows, organizationId, `${row.importId}/${row.position}`, { ...row, leadId: null, reason })
          }
          return { removed: [...removed], kept, next: rows.length < limit ? undefined : rows.at(-1)?.position }
        })
    })
  )
)
