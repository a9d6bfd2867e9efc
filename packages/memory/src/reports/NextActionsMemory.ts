/** The next actions from the in-memory store: the rule that the SQL of PostgreSQL follows. */

import type { LeadId, OrganizationId } from "@svc/core"
import { compareText, type LeadFilter } from "@svc/core/leads"
import { finishedStatuses } from "@svc/core/missions"
import type { WaitingLead } from "@svc/core/reports"
import { leadMissions } from "../leads/LeadTables.ts"
import { openDraftOf } from "../leads/leadViewMemory.ts"
import { searchLeads } from "../leads/searchLeads.ts"
import type { Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"

const needsAction = (mission: string | undefined): LeadFilter => ({ mission, needsAction: true })

const missionOf = (
  tables: Tables,
  organizationId: OrganizationId,
  leadId: LeadId,
  wanted: string | undefined
): WaitingLead["mission"] => {
  const [link] = tables
    .all(leadMissions, organizationId)
    .filter((row) => row.leadId === leadId)
    .flatMap(({ linkedAt, missionId }) => {
      const mission = tables.get(missions, organizationId, missionId)
      if (mission === undefined) return []
      const isShown =
        wanted === undefined
          ? !finishedStatuses.includes(mission.status)
          : [mission.id, mission.handle].includes(wanted)
      return isShown ? [{ linkedAt, mission }] : []
    })
    .toSorted((a, b) => compareText(b.linkedAt, a.linkedAt) || compareText(b.mission.id, a.mission.id))
  return link === undefined ? null : { id: link.mission.id, handle: link.mission.handle, name: link.mission.name }
}

/** The first leads to act on, of one mission or of all. */
export const nextActions = (
  tables: Tables,
  organizationId: OrganizationId,
  mission: string | undefined,
  limit: number,
  at: string
): ReadonlyArray<WaitingLead> => {
  const page = { limit, after: undefined }
  const { items } = searchLeads(tables, organizationId, needsAction(mission), "action", page, at)
  return items.flatMap(({ action, company, id, jobTitle, name, score, status }): ReadonlyArray<WaitingLead> => {
    if (action === null) return []
    const draftId = openDraftOf(tables, organizationId, id)?.draftId ?? null
    const found = missionOf(tables, organizationId, id, mission)
    return [{ id, name, jobTitle, company, status, score, action, draftId, mission: found }]
  })
}
