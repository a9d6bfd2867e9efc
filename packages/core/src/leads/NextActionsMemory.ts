/** The work list from the in-memory store: the rule that the SQL of the other store follows. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { compareText } from "./identity/Identity.ts"
import { anyLead, type LeadFilter } from "./LeadSearch.ts"
import { leadMissions } from "./LeadTables.ts"
import { openDraftOf } from "./leadViewMemory.ts"
import { NextActionsRepo, type WaitingLead } from "./NextActionsRepo.ts"
import { searchLeads } from "./searchLeads.ts"

const waiting = (mission: string | undefined): LeadFilter => ({ ...anyLead, mission, needsAction: true })

const missionOf = (
  tables: Tables,
  organizationId: string,
  leadId: string,
  wanted: string | undefined
): WaitingLead["mission"] => {
  const [link] = tables
    .all(leadMissions, organizationId)
    .filter((row) => row.leadId === leadId)
    .flatMap(({ linkedAt, missionId }) => {
      const mission = tables.get(missions, organizationId, missionId)
      if (mission === undefined) return []
      const isMeant =
        wanted === undefined ? mission.status !== "ARCHIVED" : [mission.id, mission.handle].includes(wanted)
      return isMeant ? [{ linkedAt, mission }] : []
    })
    .toSorted((a, b) => compareText(b.linkedAt, a.linkedAt) || compareText(b.mission.id, a.mission.id))
  return link === undefined ? null : { id: link.mission.id, handle: link.mission.handle, name: link.mission.name }
}

/** Reads the work list from memory. */
export const layer: Layer.Layer<NextActionsRepo, never, MemoryStore> = Layer.effect(
  NextActionsRepo,
  Effect.map(MemoryStore, (store) =>
    NextActionsRepo.of({
      list: (organizationId, mission, limit, at) =>
        store.read((tables) => {
          const page = { limit, after: undefined }
          const { items } = searchLeads(tables, organizationId, waiting(mission), "action", page, at)
          return items.flatMap(({ action, company, id, jobTitle, name, score, status }): ReadonlyArray<WaitingLead> => {
            if (action === null) return []
            const draftId = openDraftOf(tables, organizationId, id)?.draftId ?? null
            const found = missionOf(tables, organizationId, id, mission)
            return [{ id, name, jobTitle, company, status, score, action, draftId, mission: found }]
          })
        })
    })
  )
)
