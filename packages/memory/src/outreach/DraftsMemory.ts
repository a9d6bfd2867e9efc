/** LinkedIn drafts in the in-memory store. */

import { type AgentId, cutPage, type LeadId, newestFirst, type OrganizationId } from "@svc/core"
import { DraftOpen } from "@svc/core/leads"
import { offerTexts } from "@svc/core/offers"
import {
  briefTexts,
  type CheckFacts,
  type CheckRequest,
  type ComparedText,
  type DraftFilter,
  type DraftRow,
  DraftsRepo,
  type DraftView,
  leadTexts,
  newView,
  othersThan
} from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { agents } from "../agents/AgentsMemory.ts"
import { leadMessages, leadNotes, leads, liveLead } from "../leads/LeadTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { findMission, missionOf } from "../missions/MissionTables.ts"
import { offers } from "../offers/OffersMemory.ts"
import { policyOf } from "../workspace/OrganizationsMemory.ts"
import { drafts, isOpenDraft, messageOf } from "./LinkedInTables.ts"

const leadOf = (tables: Tables, organizationId: OrganizationId, leadId: LeadId | undefined): CheckFacts["lead"] => {
  const row = leadId === undefined ? undefined : liveLead(tables, organizationId, leadId)
  if (row === undefined) return undefined
  const { company, id, lastOutboundAt, name } = row
  return { id, name, company, wasWritten: lastOutboundAt !== null, texts: leadTexts(row) }
}

const quotedIn = (tables: Tables, organizationId: OrganizationId, leadId: LeadId | undefined) =>
  Object.fromEntries([
    ...tables
      .all(leadNotes, organizationId)
      .filter((note) => note.leadId === leadId)
      .map(({ id, text }) => [`notes.${id}`, text] as const),
    ...tables
      .all(leadMessages, organizationId)
      .filter((message) => message.leadId === leadId)
      .map(({ content, id }) => [`messages.${id}`, content] as const)
  ])

/** Texts of drafts, those of the newest draft first. */
const comparedIn = (tables: Tables, organizationId: OrganizationId): ReadonlyArray<ComparedText> => {
  const rows = tables.all(drafts, organizationId).filter((row) => row.status !== "CANCELLED")
  return newestFirst(rows, { limit: rows.length, after: undefined }).items.flatMap((row) => {
    const lead = tables.get(leads, organizationId, row.leadId)
    const texts = row.selectedBodyText === null ? row.variations : [row.selectedBodyText]
    return texts.map((text) => ({
      text,
      draftId: row.id,
      leadId: row.leadId,
      name: lead?.name ?? "",
      company: lead?.company ?? ""
    }))
  })
}

const factsOf = (
  tables: Tables,
  organizationId: OrganizationId,
  request: CheckRequest,
  compared = comparedIn(tables, organizationId)
): CheckFacts => {
  const draft = request.draftId === undefined ? undefined : tables.get(drafts, organizationId, request.draftId)
  const lead = leadOf(tables, organizationId, draft?.leadId ?? request.leadId)
  const mission = findMission(tables, organizationId, draft === undefined ? request.mission : draft.missionId)
  const offer = mission?.offerId == null ? undefined : tables.get(offers, organizationId, mission.offerId)
  return {
    draft,
    lead,
    mission: mission && { language: mission.language, brief: briefTexts(mission), offer: offer && offerTexts(offer) },
    rules: policyOf(tables, organizationId),
    records: {
      lead: lead && liveLead(tables, organizationId, lead.id),
      mission,
      offer,
      quoted: quotedIn(tables, organizationId, lead?.id)
    },
    others: othersThan(lead?.id, compared)
  }
}

const viewOf = (tables: Tables, row: DraftRow): DraftView => {
  const { organizationId } = row
  const lead = tables.get(leads, organizationId, row.leadId)
  const agent = tables.get(agents, organizationId, row.agentId)
  if (lead === undefined || agent === undefined) throw new Error(`draft ${row.id} has no lead or no agent`)
  const mission = missionOf(tables, organizationId, row.missionId)
  return {
    ...newView(row, lead, agent, mission, policyOf(tables, organizationId)),
    item: messageOf(tables, row) ?? null
  }
}

const isWanted = (which: Parameters<DraftsRepo["Service"]["hold"]>[1]) => (row: DraftRow) => {
  if ("draftIds" in which) return which.draftIds.includes(row.id)
  if (!isOpenDraft(row)) return false
  if ("leadId" in which) return row.leadId === which.leadId
  if ("agentId" in which) return row.agentId === which.agentId
  return row.missionId === which.missionId && (which.leadIds === undefined || which.leadIds.includes(row.leadId))
}

const openOf = (
  tables: Tables,
  organizationId: OrganizationId,
  leadId: LeadId,
  agentId: AgentId
): DraftRow | undefined =>
  tables.all(drafts, organizationId).find((row) => row.leadId === leadId && row.agentId === agentId && isOpenDraft(row))

const matches = (filter: DraftFilter) => (view: DraftView) =>
  (filter.status.length === 0 || filter.status.includes(view.row.status)) &&
  (filter.leadId === undefined || view.lead.id === filter.leadId) &&
  (filter.mission === undefined || view.mission?.id === filter.mission || view.mission?.handle === filter.mission) &&
  (filter.agent === undefined || view.agent.id === filter.agent || view.agent.handle === filter.agent)

/** Keeps drafts in memory, and reads the facts of checks. */
export const layer: Layer.Layer<DraftsRepo, never, MemoryStore> = Layer.effect(
  DraftsRepo,
  Effect.map(MemoryStore, (store) => {
    const all = (tables: Tables, organizationId: OrganizationId): ReadonlyArray<DraftView> =>
      tables.all(drafts, organizationId).map((row) => viewOf(tables, row))
    return DraftsRepo.of({
      find: (organizationId, draftId) =>
        store.read((tables) => {
          const row = tables.get(drafts, organizationId, draftId)
          return row === undefined ? undefined : viewOf(tables, row)
        }),
      // Transactions are serialized, so a row that was read cannot change.
      hold: (organizationId, which) =>
        store.read((tables) =>
          tables
            .all(drafts, organizationId)
            .filter(isWanted(which))
            .toSorted((a, b) => (a.id < b.id ? -1 : 1))
            .map((row) => viewOf(tables, row))
        ),
      findOpen: (organizationId, leadId, agentId) =>
        store.read((tables) => openOf(tables, organizationId, leadId, agentId)?.id),
      insert: (rows) =>
        store.write((tables) =>
          rows.map((draft) => {
            const taken = openOf(tables, draft.organizationId, draft.leadId, draft.agentId)
            if (taken === undefined) tables.set(drafts, draft.organizationId, draft.id, draft)
            return taken?.id
          })
        ),
      save: (organizationId, rows) =>
        store.write((tables) => {
          for (const row of rows) tables.set(drafts, organizationId, row.id, row)
        }),
      give: (row) =>
        store.tryWrite((tables) => {
          const rival = openOf(tables, row.organizationId, row.leadId, row.agentId)
          if (rival !== undefined && rival.id !== row.id) return Result.fail(new DraftOpen({ draftId: rival.id }))
          tables.set(drafts, row.organizationId, row.id, row)
          return Result.succeed(undefined)
        }),
      list: (organizationId, filter, page) =>
        store.read((tables) => {
          const rows = all(tables, organizationId).filter(matches(filter))
          const keyed = rows.map((view) => ({ id: view.row.id, createdAt: view.row.createdAt, view }))
          const { items, next } = newestFirst(keyed, page)
          return { items: items.map(({ view }) => view), next }
        }),
      pending: (organizationId, { after, limit }) =>
        store.read((tables) => {
          const keyOf = ({ row }: DraftView) => `${row.createdAt} ${row.id}`
          const waiting = all(tables, organizationId)
            .filter(({ row }) => row.status === "PENDING_REVIEW")
            .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
          const rest = waiting.filter((view) => after === undefined || keyOf(view) > after.join(" "))
          const page = cutPage(rest, limit, ({ row }) => [row.createdAt, row.id])
          return { ...page, total: waiting.length }
        }),
      facts: (organizationId, request) => store.read((tables) => factsOf(tables, organizationId, request)),
      factsOfMany: (organizationId, draftIds) =>
        store.read((tables) => {
          const compared = comparedIn(tables, organizationId)
          return new Map(
            draftIds.flatMap((draftId) => {
              const request = { draftId, leadId: undefined, mission: undefined }
              const facts = factsOf(tables, organizationId, request, compared)
              return facts.draft === undefined ? [] : [[draftId, facts] as const]
            })
          )
        })
    })
  })
)
