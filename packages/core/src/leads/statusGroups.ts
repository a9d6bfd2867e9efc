/** Groups of lead statuses that missions are counted by. A lead in DoNotContact counts as the status that it had before. */
import type { LeadStatus } from "./LeadStatus.ts"

/** Leads who replied. */
export const repliedStatuses: ReadonlyArray<LeadStatus> = ["Replied", "MeetingBooked", "Interested", "NotInterested"]

/** Leads who were written to, including those who replied. */
export const contactedStatuses: ReadonlyArray<LeadStatus> = ["Contacted", ...repliedStatuses]
