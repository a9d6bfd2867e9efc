/** Missions in the in-memory store. */

import type { LeadId, MissionId } from "@svc/core"
import { commandStatus, contactedStatuses, isFinal, newestFirst, repliedStatuses, rowsSeen } from "@svc/core/internal"
import { LeadStatus } from "@svc/core/leads"
import * as Missions from "@svc/core/missions"
import * as Struct from "effect/Struct"
import { agents } from "../agents/AgentsMemory.ts"
import { importRows, imports } from "../imports/ImportTables.ts"
import { events } from "../JournalMemory.ts"
import { leadMissions, leads } from "../leads/LeadTables.ts"
import { repository, type Tables, touchLastUsed } from "../MemoryStore.ts"
import { offers } from "../offers/OffersMemory.ts"
import { drafts, isOpenDraft, messageOf, transmissions } from "../outreach/LinkedInTables.ts"
import { findMission, missions } from "./MissionTables.ts"

/** The unsent messages of a mission by state. */
const waitingMessages = (tables: Tables, missionId: MissionId): Missions.WaitingMessages => {
  const mine = tables.where(drafts, (row) => row.missionId === missionId)
  const approved = mine.filter(({ status }) => status === "READY_TO_SEND").map((row) => messageOf(tables, row))
  const isWaiting = (state: string) => state === "queued" || state === "waiting_relation"
  return {
    toReview: mine.filter(({ status }) => status === "PENDING_REVIEW").length,
    held: approved.filter((item) => item === undefined || (isWaiting(item.state) && !item.bypass)).length,
    bypassing: approved.filter((item) => item !== undefined && isWaiting(item.state) && item.bypass).length,
    ambiguous: approved.filter((item) => item?.state === "ambiguous").length
  }
}

/** A function that returns the status of a lead, and for a lead in DoNotContact the status before that. */
export const countedStatus = (tables: Tables): ((leadId: LeadId) => LeadStatus | undefined) => {
  const optedOut = tables
    .where(events, ({ data, type }) => type === "lead.status_changed" && data["to"] === "DoNotContact")
    .toSorted((a, b) => a.sequence - b.sequence)
  return (leadId) => {
    const status = tables.get(leads, leadId)?.status
    if (status !== "DoNotContact") return status
    const from = optedOut.findLast(({ subject }) => subject.id === leadId)?.data["from"]
    return LeadStatus.literals.find((one) => one === from) ?? status
  }
}

const statsOf = (tables: Tables, missionId: MissionId): Missions.MissionStats => {
  const statusOf = countedStatus(tables)
  const statuses = tables
    .where(leadMissions, (link) => link.missionId === missionId)
    .map((link) => statusOf(link.leadId))
  const countOf = (wanted: ReadonlyArray<string>) =>
    statuses.filter((status) => status !== undefined && wanted.includes(status)).length
  return { leads: statuses.length, contacted: countOf(contactedStatuses), replied: countOf(repliedStatuses) }
}

const importsOf = (tables: Tables, missionId: MissionId): ReadonlyArray<Missions.ImportRecord> =>
  newestFirst(
    tables.where(imports, (run) => run.missionId === missionId),
    { limit: Missions.shownImports }
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

const viewOf = (tables: Tables, mission: Missions.MissionRow): Missions.MissionView => {
  const { agentId, id, offerId } = mission
  const offer = tables.get(offers, offerId)
  return {
    mission,
    agentHandle: agentId === null ? "" : (tables.get(agents, agentId)?.handle ?? ""),
    offer: offer === undefined ? null : Struct.pick(offer, ["id", "name", "oneLiner", "landingPageUrl"]),
    stats: statsOf(tables, id),
    imports: importsOf(tables, id)
  }
}

/** Keeps missions. */
export const layer = repository(Missions.MissionsRepo)((store) => ({
  findByIdOrHandle: store.reading(findMission),
  // Transactions are serialized, so a row that was read cannot change.
  hold: store.reading(findMission),
  holdForDeletion: store.reading((tables, idOrHandle) => {
    const mission = findMission(tables, idOrHandle)
    if (mission === undefined) return undefined
    const isMine = (row: { readonly missionId: MissionId | null }) => row.missionId === mission.id
    return {
      mission,
      leads: tables.where(leadMissions, isMine).length,
      openDrafts: tables.where(drafts, (row) => isMine(row) && isOpenDraft(row)).length,
      openEmails: tables.where(transmissions, (row) => row.kind === "email" && isMine(row) && !isFinal(row.state))
        .length,
      unfinishedImports: tables.where(
        imports,
        (row) => isMine(row) && (row.state === "running" || row.state === "paused")
      ).length
    }
  }),
  waiting: store.reading(waitingMessages),
  remove: store.writing((tables, missionId) => {
    const isMine = (row: { readonly missionId: MissionId | null }) => row.missionId === missionId
    const ids = new Set(tables.removeWhere(imports, isMine).map(({ id }) => id))
    tables.removeWhere(importRows, ({ importId }) => ids.has(importId))
    tables.updateWhere(drafts, isMine, (row) => ({ ...row, missionId: null }))
    tables.updateWhere(transmissions, isMine, (row) => (row.kind === "email" ? { ...row, missionId: null } : row))
    tables.remove(missions, missionId)
  }),
  view: store.reading((tables, idOrHandle) => {
    const mission = findMission(tables, idOrHandle)
    return mission === undefined ? undefined : viewOf(tables, mission)
  }),
  list: store.reading((tables, filter, page) => {
    const needle = filter.query?.toLowerCase()
    const agentIds = tables
      .where(agents, ({ handle, id }) => handle === filter.agent || id === filter.agent)
      .map(({ id }) => id)
    const matching = tables
      .where(missions, ({ status }) => filter.status === undefined || commandStatus(status) === filter.status)
      .filter(({ offerId }) => filter.offerId === undefined || offerId === filter.offerId)
      .filter(({ agentId }) => filter.agent === undefined || (agentId !== null && agentIds.includes(agentId)))
      .filter(({ handle, name }) => needle === undefined || `${name}\n${handle}`.toLowerCase().includes(needle))
    const { items, next } = newestFirst(matching, page)
    return { items: items.map((mission) => viewOf(tables, mission)), next }
  }),
  insert: (mission, handles) =>
    store.write(mission.organizationId, (tables) => {
      const taken = new Set(tables.all(missions).map(({ handle }) => handle))
      const handle = handles.find((candidate) => !taken.has(candidate))
      if (handle === undefined) return undefined
      const stored: Missions.MissionRow = { ...mission, handle }
      tables.set(missions, mission.id, stored)
      return stored
    }),
  replace: (mission, seenUpdatedAt) =>
    store.write(mission.organizationId, (tables) => {
      const stored = tables.get(missions, mission.id)
      if (stored?.updatedAt !== seenUpdatedAt) return false
      tables.set(missions, mission.id, { ...mission, lastUsedAt: stored.lastUsedAt, steps: stored.steps })
      return true
    }),
  saveSteps: store.writing((tables, missionId, steps) => {
    const stored = tables.get(missions, missionId)
    if (stored !== undefined) tables.set(missions, missionId, { ...stored, steps })
  }),
  touch: store.writing((tables, missionId, at) => touchLastUsed(tables, missions, missionId, at))
}))
