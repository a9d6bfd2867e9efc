/** The statuses that missions count their leads by. */

import type { LeadId, OrganizationId } from "@svc/core"
import { LeadStatus } from "@svc/core/leads"
import { events } from "../JournalMemory.ts"
import { leads } from "../leads/LeadTables.ts"
import type { Tables } from "../MemoryStore.ts"

/** A function that returns the status of a lead, and for a lead in DoNotContact the status before that. */
export const countedStatus = (
  tables: Tables,
  organizationId: OrganizationId
): ((leadId: LeadId) => LeadStatus | undefined) => {
  const optedOut = tables
    .all(events, organizationId)
    .filter(({ data, type }) => type === "lead.status_changed" && data["to"] === "DoNotContact")
    .toSorted((a, b) => a.sequence - b.sequence)
  return (leadId) => {
    const status = tables.get(leads, organizationId, leadId)?.status
    if (status !== "DoNotContact") return status
    const from = optedOut.findLast(({ subject }) => subject.id === leadId)?.data["from"]
    return LeadStatus.literals.find((one) => one === from) ?? status
  }
}
