/** Imports in the in-memory store. */

import type { ImportId, LeadId } from "@svc/core"
import * as Imports from "@svc/core/imports"
import { isRefused, newestFirst, shownState } from "@svc/core/internal"
import type { KeptReason } from "@svc/core/leads"
import * as Struct from "effect/Struct"
import { leads } from "../leads/LeadTables.ts"
import { deleteLeads, keptReasonOf } from "../leads/UnusedLeadsMemory.ts"
import { pageBy, repository, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { importRows, imports } from "./ImportTables.ts"

const missionOf = (tables: Tables, run: Imports.ImportRun): Imports.ImportMission => {
  const mission = tables.get(missions, run.missionId)
  return { id: run.missionId, handle: mission?.handle ?? "", name: mission?.name ?? "" }
}

const rowsOf = (tables: Tables, importId: ImportId): ReadonlyArray<Imports.ImportRow> =>
  tables.where(importRows, (row) => row.importId === importId).toSorted((a, b) => a.position - b.position)

const runningDuplicate = (tables: Tables, run: Imports.ImportRun): Imports.ImportRun | undefined => {
  if (run.fingerprint === null) return undefined
  return tables
    .where(imports, ({ id, state }) => state === "running" && id !== run.id)
    .find(({ fingerprint, missionId }) => missionId === run.missionId && fingerprint === run.fingerprint)
}

/** Keeps imports in memory, and undoes them. */
export const layer = repository(Imports.ImportsRepo)((store) => ({
  insert: (run) =>
    store.write(run.organizationId, (tables) => {
      const duplicate = run.state === "running" ? runningDuplicate(tables, run) : undefined
      if (duplicate === undefined) tables.set(imports, run.id, run)
      return duplicate
    }),
  resume: (seen, { accountId, at, rowLimit }) =>
    store.write(seen.organizationId, (tables) => {
      const run = tables.get(imports, seen.id)
      if (run?.attempt !== seen.attempt || run.updatedAt !== seen.updatedAt) return undefined
      if (runningDuplicate(tables, run) !== undefined) return undefined
      const resumed: Imports.ImportRun = {
        ...run,
        state: "running",
        reason: null,
        finishedAt: null,
        attempt: run.attempt + 1,
        rowLimit,
        accountId,
        updatedAt: at
      }
      tables.set(imports, run.id, resumed)
      return resumed
    }),
  advance: ({ organizationId, importId, attempt, rows, at, ...progress }) =>
    store.write(organizationId, (tables) => {
      const run = tables.get(imports, importId)
      if (run?.attempt !== attempt || run.state !== "running") return undefined
      const finishedAt = progress.state === "running" ? null : at
      const counts = Imports.addOutcomes(run.counts, rows)
      const enrolled = run.enrolled + Imports.countEnrolled(rows)
      const advanced = { ...run, ...progress, counts, enrolled, updatedAt: at, finishedAt }
      tables.set(imports, importId, advanced)
      for (const row of rows) {
        const key = `${importId}/${row.position}`
        // The primary key of the table: two rows at one position are a defect of the runner.
        if (tables.get(importRows, key) !== undefined) throw new Error(`import row ${key} exists`)
        tables.set(importRows, key, row)
      }
      return advanced
    }),
  latest: store.reading((tables, missionId, fingerprint) => {
    const same = tables.where(imports, (run) => run.missionId === missionId && run.fingerprint === fingerprint)
    return newestFirst(same, { limit: 1 }).items[0]
  }),
  outcome: store.reading((tables, importId, limit) => {
    const run = tables.get(imports, importId)
    if (run === undefined) return undefined
    const updated = rowsOf(tables, importId).filter(({ outcome }) => outcome === "updated")
    return { run, updatedIds: [...new Set(updated.flatMap(({ leadId }) => leadId ?? []))].slice(0, limit) }
  }),
  rows: store.reading((tables, importId, filter, page) => {
    const matching = rowsOf(tables, importId).filter((row) =>
      filter === "refused" ? isRefused(row) : filter === undefined || row.outcome === filter
    )
    const { items, next } = pageBy(matching, "asc", ({ position }) => [position], page)
    const leadOf = (id: string | null): Imports.ListedImportRow["lead"] => {
      const lead = tables.get(leads, id)
      return lead === undefined ? null : Struct.pick(lead, ["id", "name", "jobTitle", "company", "status"])
    }
    return { items: items.map((row) => ({ ...row, lead: leadOf(row.leadId) })), next }
  }),
  settle: store.writing((tables, importId, { at, from, reason, to }) => {
    const run = tables.get(imports, importId)
    if (run === undefined || !from.includes(run.state)) return undefined
    const settled: Imports.ImportRun = { ...run, state: to, reason, updatedAt: at, finishedAt: at }
    tables.set(imports, importId, settled)
    return settled
  }),
  find: store.reading((tables, importId, refused) => {
    const run = tables.get(imports, importId)
    if (run === undefined) return undefined
    const rows = rowsOf(tables, importId)
      .filter(isRefused)
      .map(({ position, outcome, reason }) => ({ position, outcome, reason: reason ?? "" }))
    return { run, mission: missionOf(tables, run), refused: rows.slice(0, refused) }
  }),
  list: store.reading((tables, filter, page) => {
    const matching = tables
      .where(imports, (run) => filter.type === undefined || run.type === filter.type)
      .filter((run) => filter.state === undefined || shownState(run, filter.staleBefore) === filter.state)
      .map((run) => ({ run, mission: missionOf(tables, run) }))
      .filter(
        ({ mission }) =>
          filter.mission === undefined || mission.id === filter.mission || mission.handle === filter.mission
      )
    return pageBy(matching, "desc", ({ run }) => [run.createdAt, run.id], page)
  }),
  undoRows: (run, after, limit, cancelledDrafts) =>
    store.write(run.organizationId, (tables) => {
      const stored = tables.get(imports, run.id)
      if (stored?.attempt !== run.attempt || stored.updatedAt !== run.updatedAt) return undefined
      const rows = rowsOf(tables, run.id)
        .filter(({ leadId, outcome, position }) => outcome === "created" && leadId !== null && position > after)
        .slice(0, limit)
      const exempt = { cancelledDrafts, import: run }
      const reasonOf = keptReasonOf(tables, exempt)
      const removed = new Set<string>()
      const kept: Array<{ readonly leadId: LeadId; readonly reason: KeptReason }> = []
      for (const { leadId } of rows) {
        const lead = tables.get(leads, leadId)
        if (lead === undefined) continue
        const reason = reasonOf(lead)
        if (reason === undefined) removed.add(lead.id)
        else kept.push({ leadId: lead.id, reason })
      }
      deleteLeads(tables, [...removed])
      tables.updateWhere(
        importRows,
        ({ importId, leadId }) => importId === run.id && leadId !== null && removed.has(leadId),
        (row) => ({ ...row, leadId: null, reason: row.outcome === "created" ? Imports.undoneReason : row.reason })
      )
      return { removed: [...removed], kept, next: rows.length < limit ? undefined : rows.at(-1)?.position }
    })
}))
