/** Imports in the in-memory store. */

import { cutPage, type ImportId, type LeadId, newestFirst, type OrganizationId } from "@svc/core"
import {
  addOutcomes,
  countEnrolled,
  type ImportMission,
  type ImportRow,
  type ImportRun,
  ImportsRepo,
  isRefused,
  type ListedImportRow,
  shownState,
  undoneReason
} from "@svc/core/imports"
import type { KeptReason } from "@svc/core/leads"
import { leads } from "../leads/LeadTables.ts"
import { deleteLeads, keptReasonOf } from "../leads/UnusedLeadsMemory.ts"
import { repository, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { importRows, imports } from "./ImportTables.ts"

const missionOf = (tables: Tables, run: ImportRun): ImportMission => {
  const mission = tables.get(missions, run.organizationId, run.missionId)
  return { id: run.missionId, handle: mission?.handle ?? "", name: mission?.name ?? "" }
}

const rowsOf = (tables: Tables, organizationId: OrganizationId, importId: ImportId): ReadonlyArray<ImportRow> =>
  tables
    .all(importRows, organizationId)
    .filter((row) => row.importId === importId)
    .sort((a, b) => a.position - b.position)

const runningDuplicate = (tables: Tables, run: ImportRun): ImportRun | undefined =>
  run.fingerprint === null
    ? undefined
    : tables
        .all(imports, run.organizationId)
        .find(
          (other) =>
            other.id !== run.id &&
            other.missionId === run.missionId &&
            other.fingerprint === run.fingerprint &&
            other.state === "running"
        )

/** Keeps imports in memory, and undoes them. */
export const layer = repository(ImportsRepo, (store) => ({
  insert: (run) =>
    store.write((tables) => {
      const duplicate = run.state === "running" ? runningDuplicate(tables, run) : undefined
      if (duplicate === undefined) tables.set(imports, run.organizationId, run.id, run)
      return duplicate
    }),
  resume: (seen, { accountId, at, rowLimit }) =>
    store.write((tables) => {
      const run = tables.get(imports, seen.organizationId, seen.id)
      if (run?.attempt !== seen.attempt || run.updatedAt !== seen.updatedAt) return undefined
      if (runningDuplicate(tables, run) !== undefined) return undefined
      const resumed: ImportRun = {
        ...run,
        state: "running",
        reason: null,
        finishedAt: null,
        attempt: run.attempt + 1,
        rowLimit,
        accountId,
        updatedAt: at
      }
      tables.set(imports, run.organizationId, run.id, resumed)
      return resumed
    }),
  advance: ({ organizationId, importId, attempt, rows, at, ...progress }) =>
    store.write((tables) => {
      const run = tables.get(imports, organizationId, importId)
      if (run?.attempt !== attempt || run.state !== "running") return undefined
      const finishedAt = progress.state === "running" ? null : at
      const counts = addOutcomes(run.counts, rows)
      const enrolled = run.enrolled + countEnrolled(rows)
      const advanced = { ...run, ...progress, counts, enrolled, updatedAt: at, finishedAt }
      tables.set(imports, organizationId, importId, advanced)
      for (const row of rows) {
        const key = `${importId}/${row.position}`
        // The primary key of the table: two rows at one position are a defect of the runner.
        if (tables.get(importRows, organizationId, key) !== undefined) throw new Error(`import row ${key} exists`)
        tables.set(importRows, organizationId, key, row)
      }
      return advanced
    }),
  latest: (organizationId, missionId, fingerprint) =>
    store.read((tables) => {
      const same = tables
        .all(imports, organizationId)
        .filter((run) => run.missionId === missionId && run.fingerprint === fingerprint)
      return newestFirst(same, { limit: 1, after: undefined }).items[0]
    }),
  outcome: (organizationId, importId, limit) =>
    store.read((tables) => {
      const run = tables.get(imports, organizationId, importId)
      if (run === undefined) return undefined
      const updated = rowsOf(tables, organizationId, importId).filter(({ outcome }) => outcome === "updated")
      return { run, updatedIds: [...new Set(updated.flatMap(({ leadId }) => leadId ?? []))].slice(0, limit) }
    }),
  rows: (organizationId, importId, filter, { after, limit }) =>
    store.read((tables) => {
      const rest = rowsOf(tables, organizationId, importId)
        .filter((row) => (filter === "refused" ? isRefused(row) : filter === undefined || row.outcome === filter))
        .filter(({ position }) => position > Number(after?.[0] ?? -1))
      const { items, next } = cutPage(rest, limit, ({ position }) => [position])
      const leadOf = (id: string | null): ListedImportRow["lead"] => {
        const lead = id === null ? undefined : tables.get(leads, organizationId, id)
        if (lead === undefined) return null
        return { id: lead.id, name: lead.name, jobTitle: lead.jobTitle, company: lead.company, status: lead.status }
      }
      return { items: items.map((row) => ({ ...row, lead: leadOf(row.leadId) })), next }
    }),
  settle: (organizationId, importId, { at, from, reason, to }) =>
    store.write((tables) => {
      const run = tables.get(imports, organizationId, importId)
      if (run === undefined || !from.includes(run.state)) return undefined
      const settled: ImportRun = { ...run, state: to, reason, updatedAt: at, finishedAt: at }
      tables.set(imports, organizationId, importId, settled)
      return settled
    }),
  find: (organizationId, importId, refused) =>
    store.read((tables) => {
      const run = tables.get(imports, organizationId, importId)
      if (run === undefined) return undefined
      const rows = rowsOf(tables, organizationId, importId)
        .filter(isRefused)
        .map(({ position, outcome, reason }) => ({ position, outcome, reason: reason ?? "" }))
      return { run, mission: missionOf(tables, run), refused: rows.slice(0, refused) }
    }),
  list: (organizationId, filter, page) =>
    store.read((tables) => {
      const matching = tables
        .all(imports, organizationId)
        .filter((run) => filter.type === undefined || run.type === filter.type)
        .filter((run) => filter.state === undefined || shownState(run, filter.staleBefore) === filter.state)
        .map((run) => ({ run, mission: missionOf(tables, run) }))
        .filter(
          ({ mission }) =>
            filter.mission === undefined || mission.id === filter.mission || mission.handle === filter.mission
        )
      const byRun = new Map(matching.map((item) => [item.run.id, item]))
      const { items, next } = newestFirst(
        matching.map(({ run }) => run),
        page
      )
      return { items: items.flatMap((run) => byRun.get(run.id) ?? []), next }
    }),
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
}))
