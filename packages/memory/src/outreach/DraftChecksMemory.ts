/** The facts that message checks need, from the in-memory store. */

import { type LeadId, newestFirst, type OrganizationId } from "@svc/core"
import { offerTexts } from "@svc/core/offers"
import {
  briefTexts,
  type CheckFacts,
  type CheckRequest,
  type ComparedText,
  DraftChecksRepo,
  leadTexts,
  othersThan
} from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { leadMessages, leadNotes, leads, liveLead } from "../leads/LeadTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { findMission } from "../missions/MissionTables.ts"
import { offers } from "../offers/OffersMemory.ts"
import { policyOf } from "../workspace/OrganizationsMemory.ts"
import { drafts } from "./LinkedInTables.ts"

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

/** Reads the facts of checks from memory. */
export const layer: Layer.Layer<DraftChecksRepo, never, MemoryStore> = Layer.effect(
  DraftChecksRepo,
  Effect.map(MemoryStore, (store) =>
    DraftChecksRepo.of({
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
  )
)
