/** LinkedIn drafts in the in-memory store. */

import type { AgentId, LeadId } from "@svc/core"
import { newestFirst } from "@svc/core/internal"
import { DraftOpen } from "@svc/core/leads"
import { offerTexts } from "@svc/core/offers"
import * as Outreach from "@svc/core/outreach"
import * as Result from "effect/Result"
import { agents } from "../agents/AgentsMemory.ts"
import { leadMessages, leadNotes, leads, liveLead } from "../leads/LeadTables.ts"
import { everywhere, pageBy, repository, type Tables } from "../MemoryStore.ts"
import { findMission, missions } from "../missions/MissionTables.ts"
import { offers } from "../offers/OffersMemory.ts"
import { policyOf } from "../workspace/OrganizationsMemory.ts"
import { drafts, isOpenDraft, messageOf } from "./LinkedInTables.ts"

const leadOf = (tables: Tables, leadId: LeadId | undefined): Outreach.CheckFacts["lead"] => {
  const row = leadId === undefined ? undefined : liveLead(tables, leadId)
  if (row === undefined) return undefined
  const { company, id, lastOutboundAt, name } = row
  return { id, name, company, wasWritten: lastOutboundAt !== null, texts: Outreach.leadTexts(row) }
}

const quotedIn = (tables: Tables, leadId: LeadId | undefined) =>
  Object.fromEntries([
    ...tables.where(leadNotes, (note) => note.leadId === leadId).map(({ id, text }) => [`notes.${id}`, text] as const),
    ...tables
      .where(leadMessages, (message) => message.leadId === leadId)
      .map(({ content, id }) => [`messages.${id}`, content] as const)
  ])

/** Texts of drafts, those of the newest draft first. */
const comparedIn = (tables: Tables): ReadonlyArray<Outreach.ComparedText> => {
  const rows = tables.where(drafts, (row) => row.status !== "CANCELLED")
  return newestFirst(rows, { limit: rows.length }).items.flatMap((row) => {
    const lead = tables.get(leads, row.leadId)
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
  request: Outreach.CheckRequest,
  compared: ReadonlyArray<Outreach.ComparedText>
): Outreach.CheckFacts => {
  const draft = tables.get(drafts, request.draftId)
  const lead = leadOf(tables, draft?.leadId ?? request.leadId)
  const mission = findMission(tables, draft === undefined ? request.mission : draft.missionId)
  const offer = mission?.offerId == null ? undefined : tables.get(offers, mission.offerId)
  return {
    draft,
    lead,
    mission: mission && {
      language: mission.language,
      brief: Outreach.briefTexts(mission),
      offer: offer && offerTexts(offer)
    },
    rules: policyOf(tables),
    records: {
      lead: lead && liveLead(tables, lead.id),
      mission,
      offer,
      quoted: quotedIn(tables, lead?.id)
    },
    others: Outreach.othersThan(lead?.id, compared)
  }
}

const viewOf = (tables: Tables, row: Outreach.DraftRow): Outreach.DraftView => {
  const lead = tables.get(leads, row.leadId)
  const agent = tables.get(agents, row.agentId)
  if (lead === undefined || agent === undefined) throw new Error(`draft ${row.id} has no lead or no agent`)
  const mission = tables.get(missions, row.missionId)
  return { ...Outreach.newView(row, lead, agent, mission, policyOf(tables)), item: messageOf(tables, row) ?? null }
}

const isWanted = (which: Parameters<Outreach.DraftsRepo["Service"]["hold"]>[1]) => (row: Outreach.DraftRow) => {
  if ("draftIds" in which) return which.draftIds.includes(row.id)
  if (!isOpenDraft(row)) return false
  if ("leadId" in which) return row.leadId === which.leadId
  if ("agentId" in which) return row.agentId === which.agentId
  return row.missionId === which.missionId && (which.leadIds === undefined || which.leadIds.includes(row.leadId))
}

const openOf = (tables: Tables, leadId: LeadId, agentId: AgentId): Outreach.DraftRow | undefined =>
  tables.all(drafts).find((row) => row.leadId === leadId && row.agentId === agentId && isOpenDraft(row))

const matches = (filter: Outreach.DraftFilter) => (view: Outreach.DraftView) =>
  (filter.status.length === 0 || filter.status.includes(view.row.status)) &&
  (filter.leadId === undefined || view.lead.id === filter.leadId) &&
  (filter.mission === undefined || view.mission?.id === filter.mission || view.mission?.handle === filter.mission) &&
  (filter.agent === undefined || view.agent.id === filter.agent || view.agent.handle === filter.agent)

const all = (tables: Tables): ReadonlyArray<Outreach.DraftView> => tables.all(drafts).map((row) => viewOf(tables, row))

const positionOf = ({ row }: Outreach.DraftView) => [row.createdAt, row.id]

/** Keeps drafts in memory, and reads the facts of checks. */
export const layer = repository(Outreach.DraftsRepo)((store) => ({
  find: store.reading((tables, draftId) => {
    const row = tables.get(drafts, draftId)
    return row === undefined ? undefined : viewOf(tables, row)
  }),
  // Transactions are serialized, so a row that was read cannot change.
  hold: store.reading((tables, which) =>
    tables
      .where(drafts, isWanted(which))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((row) => viewOf(tables, row))
  ),
  findOpen: store.reading((tables, leadId, agentId) => openOf(tables, leadId, agentId)?.id),
  insert: (rows) =>
    store.write(everywhere, ({ of }) =>
      rows.map((draft) => {
        const tables = of(draft.organizationId)
        const taken = openOf(tables, draft.leadId, draft.agentId)
        if (taken === undefined) tables.set(drafts, draft.id, draft)
        return taken?.id
      })
    ),
  save: store.writing((tables, rows) => {
    for (const row of rows) tables.set(drafts, row.id, row)
  }),
  give: (row) =>
    store.tryWrite(row.organizationId, (tables) => {
      const rival = openOf(tables, row.leadId, row.agentId)
      if (rival !== undefined && rival.id !== row.id) return Result.fail(new DraftOpen({ draftId: rival.id }))
      tables.set(drafts, row.id, row)
      return Result.succeed(undefined)
    }),
  list: store.reading((tables, filter, page) => {
    const rows = all(tables).filter(matches(filter))
    return pageBy(rows, "desc", positionOf, page)
  }),
  pending: store.reading((tables, page) => {
    const waiting = all(tables).filter(({ row }) => row.status === "PENDING_REVIEW")
    return { ...pageBy(waiting, "asc", positionOf, page), total: waiting.length }
  }),
  facts: store.reading((tables, requests) => {
    const compared = comparedIn(tables)
    return requests.map((request) => factsOf(tables, request, compared))
  })
}))
