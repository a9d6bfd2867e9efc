/** What checks of messages must know, from the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { leads } from "../leads/LeadTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { offerTexts } from "../offers/index.ts"
import { offers } from "../offers/OffersMemory.ts"
import { newestFirst } from "../Page.ts"
import { briefTexts, leadTexts } from "./check/supportTexts.ts"
import { type CheckFacts, type CheckRequest, comparedDrafts, DraftChecksRepo } from "./DraftChecksRepo.ts"
import { drafts } from "./LinkedInTables.ts"

const leadOf = (tables: Tables, organizationId: string, leadId: string | undefined): CheckFacts["lead"] => {
  const given = leadId === undefined ? undefined : tables.get(leads, organizationId, leadId)
  const row = given?.mergedInto == null ? given : tables.get(leads, organizationId, given.mergedInto)
  if (row === undefined) return undefined
  const { company, id, lastOutboundAt, name } = row
  return { id, name, company, wasWritten: lastOutboundAt !== null, texts: leadTexts(row) }
}

const missionOf = (
  tables: Tables,
  organizationId: string,
  wanted: string | null | undefined
): CheckFacts["mission"] => {
  const row = tables.all(missions, organizationId).find(({ handle, id }) => id === wanted || handle === wanted)
  if (row === undefined) return undefined
  const offer = row.offerId === null ? undefined : tables.get(offers, organizationId, row.offerId)
  return { language: row.language, brief: briefTexts(row), offer: offer && offerTexts(offer) }
}

const othersOf = (tables: Tables, organizationId: string, leadId: string | undefined): CheckFacts["others"] => {
  const rows = tables.all(drafts, organizationId).filter((row) => row.leadId !== leadId && row.status !== "CANCELLED")
  return newestFirst(rows, { limit: comparedDrafts, after: undefined }).items.flatMap((row) => {
    const lead = tables.get(leads, organizationId, row.leadId)
    const texts = row.selectedBodyText === null ? row.variations : [row.selectedBodyText]
    return texts.map((text) => ({ text, leadId: row.leadId, name: lead?.name ?? "", company: lead?.company ?? "" }))
  })
}

const factsOf = (tables: Tables, organizationId: string, request: CheckRequest): CheckFacts => {
  const draft = request.draftId === undefined ? undefined : tables.get(drafts, organizationId, request.draftId)
  const lead = leadOf(tables, organizationId, draft?.leadId ?? request.leadId)
  return {
    draft: draft && { variations: draft.variations, selectedBodyText: draft.selectedBodyText },
    lead,
    mission: missionOf(tables, organizationId, draft === undefined ? request.mission : draft.missionId),
    others: othersOf(tables, organizationId, lead?.id)
  }
}

/** Reads for checks from memory. */
export const layer: Layer.Layer<DraftChecksRepo, never, MemoryStore> = Layer.effect(
  DraftChecksRepo,
  Effect.map(MemoryStore, (store) =>
    DraftChecksRepo.of({
      facts: (organizationId, request) => store.read((tables) => factsOf(tables, organizationId, request))
    })
  )
)
