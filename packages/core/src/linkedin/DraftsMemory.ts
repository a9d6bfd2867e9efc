/** LinkedIn drafts in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { agentName } from "../agents/Agent.ts"
import { agents } from "../agents/AgentTables.ts"
import { fail } from "../Failure.ts"
import { leads } from "../leads/LeadTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { newestFirst } from "../Page.ts"
import * as DraftChecksMemory from "./DraftChecksMemory.ts"
import type { DraftRow } from "./DraftRow.ts"
import { type DraftFilter, type DraftOwner, DraftsRepo } from "./DraftsRepo.ts"
import type { DraftView } from "./DraftView.ts"
import { draftingOrganizations, drafts, everyone, queueItems } from "./LinkedInTables.ts"

const isOpen = ({ status }: DraftRow): boolean => status === "PENDING_REVIEW" || status === "READY_TO_SEND"

const viewOf = (tables: Tables, row: DraftRow): DraftView => {
  const { organizationId } = row
  const lead = tables.get(leads, organizationId, row.leadId)
  const agent = tables.get(agents, organizationId, row.agentId)
  if (lead === undefined || agent === undefined) throw new Error(`draft ${row.id} has no lead or no agent`)
  const mission = row.missionId === null ? undefined : tables.get(missions, organizationId, row.missionId)
  return {
    row,
    item: row.queueItemId === null ? null : (tables.get(queueItems, organizationId, row.queueItemId) ?? null),
    lead: {
      id: lead.id,
      name: lead.name,
      company: lead.company,
      jobTitle: lead.jobTitle,
      linkedinUrl: lead.linkedinUrl,
      status: lead.status,
      wasWritten: lead.lastOutboundAt !== null
    },
    agent: { id: agent.id, handle: agent.handle, name: agentName(agent), deleted: agent.deletedAt !== null },
    mission:
      mission === undefined
        ? null
        : { id: mission.id, handle: mission.handle, name: mission.name, status: mission.status }
  }
}

const belongsTo = (owner: DraftOwner) => (row: DraftRow) =>
  "leadId" in owner
    ? row.leadId === owner.leadId
    : "missionId" in owner
      ? row.missionId === owner.missionId && (owner.leadIds === undefined || owner.leadIds.includes(row.leadId))
      : row.agentId === owner.agentId

const openOf = (tables: Tables, organizationId: string, leadId: string, agentId: string): DraftRow | undefined =>
  tables.all(drafts, organizationId).find((row) => row.leadId === leadId && row.agentId === agentId && isOpen(row))

const matches = (filter: DraftFilter) => (view: DraftView) =>
  (filter.status.length === 0 || filter.status.includes(view.row.status)) &&
  (filter.leadId === undefined || view.lead.id === filter.leadId) &&
  (filter.mission === undefined || view.mission?.id === filter.mission || view.mission?.handle === filter.mission) &&
  (filter.agent === undefined || view.agent.id === filter.agent || view.agent.handle === filter.agent)

const draftsLayer: Layer.Layer<DraftsRepo, never, MemoryStore> = Layer.effect(
  DraftsRepo,
  Effect.map(MemoryStore, (store) => {
    const all = (tables: Tables, organizationId: string): ReadonlyArray<DraftView> =>
      tables.all(drafts, organizationId).map((row) => viewOf(tables, row))
    const find = (organizationId: string, draftId: string) =>
      store.read((tables) => {
        const row = tables.get(drafts, organizationId, draftId)
        return row === undefined ? undefined : viewOf(tables, row)
      })
    return DraftsRepo.of({
      find,
      // Transactions take turns, so what one has read cannot change below it.
      hold: find,
      holdMany: (organizationId, draftIds) =>
        store.read((tables) =>
          [...new Set(draftIds)].toSorted().flatMap((draftId) => {
            const row = tables.get(drafts, organizationId, draftId)
            return row === undefined ? [] : [viewOf(tables, row)]
          })
        ),
      holdOpen: (organizationId, owner) =>
        store.read((tables) =>
          tables
            .all(drafts, organizationId)
            .filter((row) => isOpen(row) && belongsTo(owner)(row))
            .toSorted((a, b) => (a.id < b.id ? -1 : 1))
            .map((row) => viewOf(tables, row))
        ),
      findOpen: (organizationId, leadId, agentId) =>
        store.read((tables) => openOf(tables, organizationId, leadId, agentId)?.id),
      insert: (draft) =>
        store.write((tables) => {
          const taken = openOf(tables, draft.organizationId, draft.leadId, draft.agentId)
          if (taken !== undefined) return taken.id
          tables.set(drafts, draft.organizationId, draft.id, draft)
          tables.set(draftingOrganizations, everyone, draft.organizationId, draft.organizationId)
          return undefined
        }),
      save: (organizationId, rows) =>
        store.write((tables) => {
          for (const row of rows) tables.set(drafts, organizationId, row.id, row)
          for (const row of rows.filter(isOpen)) {
            const rival = tables
              .all(drafts, organizationId)
              .find(
                (one) => one.id !== row.id && isOpen(one) && one.leadId === row.leadId && one.agentId === row.agentId
              )
            if (rival !== undefined) throw fail("DRAFT_OPEN")
          }
        }),
      list: (organizationId, filter, page) =>
        store.read((tables) => {
          const rows = all(tables, organizationId).filter(matches(filter))
          const keyed = rows.map((view) => ({ id: view.row.id, createdAt: view.row.createdAt, view }))
          const { items, next } = newestFirst(keyed, page)
          return { items: items.map(({ view }) => view), next }
        }),
      pending: (organizationId, limit) =>
        store.read((tables) => {
          const waiting = all(tables, organizationId)
            .filter(({ row }) => row.status === "PENDING_REVIEW")
            .toSorted((a, b) => (`${a.row.createdAt} ${a.row.id}` < `${b.row.createdAt} ${b.row.id}` ? -1 : 1))
          return { drafts: waiting.slice(0, limit), total: waiting.length }
        })
    })
  })
)

/** Keeps drafts in memory, and reads what checks must know. */
export const layer = Layer.mergeAll(draftsLayer, DraftChecksMemory.layer)
