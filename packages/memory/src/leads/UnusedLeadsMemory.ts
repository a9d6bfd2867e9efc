/** Judging and deleting leads that nobody uses, in the in-memory store. */
import type { LeadId } from "@svc/core"
import type { KeptReason, LeadRow, LeadsRepo } from "@svc/core/leads"
import { importRows } from "../imports/ImportTables.ts"
import { approvals, events } from "../JournalMemory.ts"
import type { MemoryStore, Table, Tables } from "../MemoryStore.ts"
import { drafts, relations, transmissions } from "../outreach/LinkedInTables.ts"
import { leadMessages, leadMissions, leadNotes, leads, removeLeads } from "./LeadTables.ts"
import { suppressions } from "./SuppressionsMemory.ts"

/** What does not count as use: cancelled drafts, and a mission, an import and its changes. */
interface Exempt {
  readonly cancelledDrafts: boolean
  readonly import?: { readonly missionId: string; readonly id: string }
}

interface OfLead {
  readonly leadId: LeadId | null
}

/**
 * Returns why a lead stays; undefined: nobody uses it. Reads the other tables once for all leads. Changes that were undone are
 * none.
 */
export const keptReasonOf = (tables: Tables, { cancelledDrafts, import: run }: Exempt) => {
  const leadsIn = <A extends OfLead>(of: Table<A>, which: (row: A) => boolean = () => true): ReadonlySet<string> =>
    new Set(tables.all(of).flatMap((row) => (row.leadId !== null && which(row) ? [row.leadId] : [])))
  const winners = new Set(tables.all(leads).map(({ mergedInto }) => mergedInto))
  const contacted = [
    leadsIn(leadMessages),
    leadsIn(transmissions, ({ state }) => state !== "in_review"),
    leadsIn(relations)
  ]
  const pending = tables.where(approvals, ({ state }) => state === "pending")
  const found: ReadonlyArray<readonly [KeptReason, ReadonlySet<string>]> = [
    ["DRAFTED", leadsIn(drafts, ({ status }) => status !== "CANCELLED" || !cancelledDrafts)],
    ["DRAFTED", leadsIn(transmissions)],
    ["NOTED", leadsIn(leadNotes)],
    ["SUPPRESSED", leadsIn(suppressions)],
    ["IN_OTHER_MISSION", leadsIn(leadMissions, ({ missionId }) => missionId !== run?.missionId)],
    ["IN_OTHER_IMPORT", leadsIn(importRows, ({ importId }) => importId !== run?.id)],
    ["AWAITING_APPROVAL", new Set(pending.flatMap(({ input }) => JSON.stringify(input).match(/ld_[0-9A-Z]+/g) ?? []))]
  ]
  const changed = new Set(
    tables
      .where(events, ({ data, type, undoes, undoneAt }) => {
        return data["import_id"] !== run?.id && type !== "lead.created" && undoes !== true && undoneAt === null
      })
      .flatMap(({ subject }) => (subject.type === "lead" ? [subject.id] : []))
  )
  return (lead: LeadRow): KeptReason | undefined => {
    if (lead.mergedInto !== null || winners.has(lead.id)) return "MERGED"
    if (contacted.some((those) => those.has(lead.id))) return "CONTACTED"
    const known = found.find(([, those]) => those.has(lead.id))
    if (known !== undefined) return known[0]
    if (run === undefined) return undefined
    return changed.has(lead.id) || Object.values(lead.provenance).includes("user") ? "CHANGED" : undefined
  }
}

/** Deletes leads with their identifiers, missions and drafts. */
export const deleteLeads = (tables: Tables, ids: ReadonlyArray<string>): void => {
  tables.removeWhere(drafts, ({ leadId }) => ids.includes(leadId))
  removeLeads(tables, ids)
}

/** Deletes unused leads in memory. */
export const unusedLeadsMemory = (store: MemoryStore["Service"]): Pick<LeadsRepo["Service"], "removeUnused"> => ({
  removeUnused: store.writing((tables, leadId) => {
    const lead = tables.get(leads, leadId)
    const kept = lead && keptReasonOf(tables, { cancelledDrafts: true })(lead)
    if (kept === undefined) deleteLeads(tables, [leadId])
    return kept
  })
})
