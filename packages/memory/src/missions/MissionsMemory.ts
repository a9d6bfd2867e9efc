/** Missions in the in-memory store. */

import { type MissionId, newestFirst, type OrganizationId } from "@svc/core"
import { rowsSeen } from "@svc/core/imports"
import { contactedStatuses, repliedStatuses } from "@svc/core/leads"
import {
  commandStatus,
  type ImportRecord,
  type MissionRow,
  type MissionStats,
  MissionsRepo,
  type MissionView,
  shownImports
} from "@svc/core/missions"
import { agents } from "../agents/AgentsMemory.ts"
import { importRows, imports } from "../imports/ImportTables.ts"
import { leadMissions } from "../leads/LeadTables.ts"
import { repository, type Tables } from "../MemoryStore.ts"
import { offers } from "../offers/OffersMemory.ts"
import { drafts, isOpenDraft, transmissions } from "../outreach/LinkedInTables.ts"
import { countedStatus } from "./countedStatus.ts"
import { findMission, missions } from "./MissionTables.ts"
import { waitingMessages } from "./waitingMessages.ts"

const statsOf = (tables: Tables, organizationId: OrganizationId, missionId: MissionId): MissionStats => {
  const statusOf = countedStatus(tables, organizationId)
  const statuses = tables
    .all(leadMissions, organizationId)
    .filter((link) => link.missionId === missionId)
    .map((link) => statusOf(link.leadId))
  const countOf = (wanted: ReadonlyArray<string>) =>
    statuses.filter((status) => status !== undefined && wanted.includes(status)).length
  return { leads: statuses.length, contacted: countOf(contactedStatuses), replied: countOf(repliedStatuses) }
}

const importsOf = (tables: Tables, organizationId: OrganizationId, missionId: MissionId): ReadonlyArray<ImportRecord> =>
  newestFirst(
    tables.all(imports, organizationId).filter((run) => run.missionId === missionId),
    { limit: shownImports, after: undefined }
  ).items.map((run) => ({
    import_id: run.id,
    type: run.type,
    name: run.name,
    date: run.createdAt,
    count: rowsSeen(run.counts),
    created_count: run.counts.created,
    skipped_count: run.counts.skipped,
    invalid_count: run.counts.invalid,
    source_url: run.sourceUrl,
    context: run.context
  }))

const viewOf = (tables: Tables, mission: MissionRow): MissionView => {
  const { agentId, id, offerId, organizationId } = mission
  const offer = offerId === null ? undefined : tables.get(offers, organizationId, offerId)
  return {
    mission,
    agentHandle: agentId === null ? "" : (tables.get(agents, organizationId, agentId)?.handle ?? ""),
    offer:
      offer === undefined
        ? null
        : { id: offer.id, name: offer.name, oneLiner: offer.oneLiner, landingPageUrl: offer.landingPageUrl },
    stats: statsOf(tables, organizationId, id),
    imports: importsOf(tables, organizationId, id)
  }
}

/** Keeps missions. */
export const layer = repository(MissionsRepo, (store) => {
  const find = (organizationId: OrganizationId, idOrHandle: string) =>
    store.read((tables) => findMission(tables, organizationId, idOrHandle))
  return {
    findByIdOrHandle: find,
    // Transactions are serialized, so a row that was read cannot change.
    hold: find,
    holdForDeletion: (organizationId, idOrHandle) =>
      store.read((tables) => {
        const mission = findMission(tables, organizationId, idOrHandle)
        if (mission === undefined) return undefined
        const isMine = (row: { readonly missionId: MissionId | null }) => row.missionId === mission.id
        return {
          mission,
          leads: tables.all(leadMissions, organizationId).filter(isMine).length,
          openDrafts: tables.all(drafts, organizationId).filter((row) => isMine(row) && isOpenDraft(row)).length,
          unfinishedImports: tables
            .all(imports, organizationId)
            .filter((row) => isMine(row) && (row.state === "running" || row.state === "paused")).length
        }
      }),
    waiting: (organizationId, missionId) => store.read((tables) => waitingMessages(tables, organizationId, missionId)),
    remove: (organizationId, missionId) =>
      store.write((tables) => {
        const isMine = (row: { readonly missionId: MissionId | null }) => row.missionId === missionId
        const ids = new Set(tables.removeWhere(imports, organizationId, isMine).map(({ id }) => id))
        tables.removeWhere(importRows, organizationId, ({ importId }) => ids.has(importId))
        tables.updateWhere(drafts, organizationId, isMine, (row) => ({ ...row, missionId: null }))
        tables.updateWhere(transmissions, organizationId, isMine, (row) =>
          row.kind === "email" ? { ...row, missionId: null } : row
        )
        tables.remove(missions, organizationId, missionId)
      }),
    view: (organizationId, idOrHandle) =>
      store.read((tables) => {
        const mission = findMission(tables, organizationId, idOrHandle)
        return mission === undefined ? undefined : viewOf(tables, mission)
      }),
    list: (organizationId, filter, page) =>
      store.read((tables) => {
        const needle = filter.query?.toLowerCase()
        const agentIds = tables
          .all(agents, organizationId)
          .filter(({ handle, id }) => handle === filter.agent || id === filter.agent)
          .map(({ id }) => id)
        const matching = tables
          .all(missions, organizationId)
          .filter(({ status }) => filter.status === undefined || commandStatus(status) === filter.status)
          .filter(({ offerId }) => filter.offerId === undefined || offerId === filter.offerId)
          .filter(({ agentId }) => filter.agent === undefined || (agentId !== null && agentIds.includes(agentId)))
          .filter(({ handle, name }) => needle === undefined || `${name}\n${handle}`.toLowerCase().includes(needle))
        const { items, next } = newestFirst(matching, page)
        return { items: items.map((mission) => viewOf(tables, mission)), next }
      }),
    insert: (mission, handles) =>
      store.write((tables) => {
        const taken = new Set(tables.all(missions, mission.organizationId).map(({ handle }) => handle))
        const handle = handles.find((candidate) => !taken.has(candidate))
        if (handle === undefined) return undefined
        const stored: MissionRow = { ...mission, handle }
        tables.set(missions, mission.organizationId, mission.id, stored)
        return stored
      }),
    replace: (mission, seenUpdatedAt) =>
      store.write((tables) => {
        const stored = tables.get(missions, mission.organizationId, mission.id)
        if (stored?.updatedAt !== seenUpdatedAt) return false
        tables.set(missions, mission.organizationId, mission.id, { ...mission, lastUsedAt: stored.lastUsedAt })
        return true
      }),
    touch: (organizationId, missionId, at) =>
      store.write((tables) => {
        const stored = tables.get(missions, organizationId, missionId)
        if (stored === undefined || (stored.lastUsedAt ?? "") >= at) return
        tables.set(missions, organizationId, missionId, { ...stored, lastUsedAt: at })
      })
  }
})
