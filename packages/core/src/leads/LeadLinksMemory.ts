/** Leads of missions in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { LeadLinksRepo, type LinkVerdict, sumOfVerdicts } from "./LeadLinksRepo.ts"
import { leadMissionKey, leadMissions, leads } from "./LeadTables.ts"

const liveOf = (tables: Tables, organizationId: string, leadId: string) => {
  const row = tables.get(leads, organizationId, leadId)
  return row?.mergedInto == null ? row : tables.get(leads, organizationId, row.mergedInto)
}

/** Keeps links in memory. */
export const layer: Layer.Layer<LeadLinksRepo, never, MemoryStore> = Layer.effect(
  LeadLinksRepo,
  Effect.map(MemoryStore, (store) =>
    LeadLinksRepo.of({
      add: (organizationId, missionId, leadIds, at) =>
        store.write((tables) =>
          sumOfVerdicts(
            leadIds.map((given): LinkVerdict => {
              const live = liveOf(tables, organizationId, given)
              if (live === undefined) return { given, leadId: null, isSuppressed: false, isChanged: false }
              const verdict = { given, leadId: live.id, isSuppressed: live.status === "DoNotContact" }
              const link = { missionId, leadId: live.id, linkedAt: at }
              const known = tables.get(leadMissions, organizationId, leadMissionKey(link))
              if (verdict.isSuppressed || known !== undefined) return { ...verdict, isChanged: false }
              tables.set(leadMissions, organizationId, leadMissionKey(link), link)
              return { ...verdict, isChanged: true }
            })
          )
        ),
      remove: (organizationId, missionId, leadIds) =>
        store.write((tables) =>
          sumOfVerdicts(
            leadIds.map((given): LinkVerdict => {
              const leadId = liveOf(tables, organizationId, given)?.id ?? null
              const key = leadMissionKey({ missionId, leadId: leadId ?? given })
              const isChanged = leadId !== null && tables.get(leadMissions, organizationId, key) !== undefined
              tables.remove(leadMissions, organizationId, key)
              return { given, leadId, isSuppressed: false, isChanged }
            })
          )
        )
    })
  )
)
