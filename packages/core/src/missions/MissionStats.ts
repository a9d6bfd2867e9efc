/**
 * What the statuses of a mission's leads say of it, for every store to count by.
 *
 * A lead that must not be contacted counts in neither group: why it is so says nothing about messages. Source: spec
 * "Mission (output of mission.update)", `stats`; G11.
 */
import type { LeadStatus } from "../leads/LeadStatus.ts"

/** Statuses of leads that answered. */
export const repliedStatuses: ReadonlyArray<LeadStatus> = ["Replied", "MeetingBooked", "Interested", "NotInterested"]

/** Statuses of leads that were written to: those who answered, too. */
export const contactedStatuses: ReadonlyArray<LeadStatus> = ["Contacted", ...repliedStatuses]
