/** The filter of a search that leaves nobody out. */
import type { LeadFilter } from "@svc/core/leads/LeadSearch"

/** Matches every lead. */
export const anyLead: LeadFilter = {
  query: undefined,
  firstName: undefined,
  lastName: undefined,
  company: undefined,
  jobTitle: undefined,
  email: undefined,
  statuses: undefined,
  mission: undefined,
  importId: undefined,
  scoreMin: undefined,
  isFlagged: undefined,
  hasEmail: undefined,
  hasConversation: undefined,
  relation: undefined,
  needsAction: undefined,
  createdAfter: undefined,
  updatedAfter: undefined
}
