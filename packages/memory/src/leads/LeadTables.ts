/** The in-memory tables of leads. */

import type { LeadId } from "@svc/core"
import type { LeadIdentityRow, LeadMessageRow, LeadMissionRow, LeadNote, LeadRow } from "@svc/core/leads"
import { type Tables, table } from "../MemoryStore.ts"

/** Leads by id, merged ones included. */
export const leads = table<LeadRow>("leads")

/** Identifiers by `identityKey`. */
export const leadIdentities = table<LeadIdentityRow>("lead_identities")

/** Missions of leads by {@link leadMissionKey}. */
export const leadMissions = table<LeadMissionRow>("lead_missions")

/** Messages by id. */
export const leadMessages = table<LeadMessageRow>("lead_messages")

/** Notes by id. */
export const leadNotes = table<LeadNote>("lead_notes")

/** The follow-up that was announced last, by lead: mission, step and when it was due. */
export const announcedFollowUps = table<{ readonly leadId: LeadId; readonly which: string }>("announced_follow_ups")

/** Key of a mission's lead in {@link leadMissions}. */
export const leadMissionKey = (row: Pick<LeadMissionRow, "missionId" | "leadId">): string =>
  `${row.missionId}/${row.leadId}`

/** A lead, followed to the one it was merged into. */
export const liveLead = (tables: Tables, leadId: string): LeadRow | undefined => {
  const row = tables.get(leads, leadId)
  return row?.mergedInto == null ? row : tables.get(leads, row.mergedInto)
}

/** Removes leads with their identifiers and missions. */
export const removeLeads = (tables: Tables, leadIds: ReadonlyArray<string>): void => {
  const isTheirs = ({ leadId }: { readonly leadId: string }) => leadIds.includes(leadId)
  tables.removeWhere(leadIdentities, isTheirs)
  tables.removeWhere(leadMissions, isTheirs)
  tables.removeWhere(announcedFollowUps, isTheirs)
  tables.removeWhere(leads, ({ id }) => leadIds.includes(id))
}
