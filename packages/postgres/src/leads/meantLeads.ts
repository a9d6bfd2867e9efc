/** What each of several references means, among the leads that one statement found for all of them. */
import type { LeadId } from "@svc/core"
import { identityKey, type LeadReference, type StoredLead } from "@svc/core/leads"

interface Meant<L> {
  readonly leadId: LeadId | undefined
  readonly leads: ReadonlyArray<L>
}

/** `live` maps each lead id that exists to the id of its live lead; `leads` are in the order of their ids. */
export const meantLeads = <L extends StoredLead>(
  live: Readonly<Record<string, LeadId>>,
  leads: ReadonlyArray<L>
): ((reference: Pick<LeadReference, "identities" | "leadId">) => Meant<L>) => {
  const byId = new Map<string, L>()
  const byKey = new Map<string, L>()
  for (const lead of leads) {
    byId.set(lead.row.id, lead)
    for (const identity of lead.identities) byKey.set(identityKey(identity), lead)
  }
  return ({ identities, leadId: given }) => {
    const leadId = given !== undefined && Object.hasOwn(live, given) ? live[given] : undefined
    const named = new Set<L | undefined>(identities.map((identity) => byKey.get(identityKey(identity))))
    if (leadId !== undefined) named.add(byId.get(leadId))
    return { leadId, leads: leads.length === 0 ? leads : leads.filter((lead) => named.has(lead)) }
  }
}
