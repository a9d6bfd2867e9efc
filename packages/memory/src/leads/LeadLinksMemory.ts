/** Leads of missions in the in-memory store. */

import { type LeadLinks, type LinkVerdict, summarizeVerdicts } from "@svc/core/leads"
import type { MemoryStore } from "../MemoryStore.ts"
import { leadMissionKey, leadMissions, liveLead } from "./LeadTables.ts"

/** Keeps links in memory. */
export const leadLinksMemory = (store: MemoryStore["Service"]): LeadLinks => ({
  link: (organizationId, missionId, leadIds, at) =>
    store.write((tables) =>
      summarizeVerdicts(
        leadIds.map((given): LinkVerdict => {
          const live = liveLead(tables, organizationId, given)
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
  unlink: (organizationId, missionId, leadIds) =>
    store.write((tables) =>
      summarizeVerdicts(
        leadIds.map((given): LinkVerdict => {
          const leadId = liveLead(tables, organizationId, given)?.id ?? null
          const key = leadMissionKey({ missionId, leadId: leadId ?? given })
          const isChanged = leadId !== null && tables.get(leadMissions, organizationId, key) !== undefined
          tables.remove(leadMissions, organizationId, key)
          return { given, leadId, isSuppressed: false, isChanged }
        })
      )
    )
})
