/** Applies the matching rule to what a store found. */
import type { LeadId } from "../kernel/schema/RecordIds.ts"
import { identityKey } from "./identity/Identity.ts"
import { decideMatch, type MatchDecision, type OnConflict } from "./identity/Matching.ts"
import type { LeadReference, StoredLead } from "./LeadsRepo.ts"

/** Matches a reference. `leadId` is the live lead of an explicit id; `leads` are all leads found. */
export const matchLeads = (
  { identities: given }: Pick<LeadReference, "identities">,
  leadId: LeadId | undefined,
  leads: ReadonlyArray<Pick<StoredLead, "row" | "identities">>,
  onConflict: OnConflict
): MatchDecision => {
  if (leads.length === 0) return decideMatch({ given, leadId, resolved: [], held: new Map(), onConflict })
  const keys = new Set(given.map(identityKey))
  return decideMatch({
    given,
    leadId,
    resolved: leads.flatMap(({ identities, row }) =>
      identities.filter((identity) => keys.has(identityKey(identity))).map((identity) => ({ identity, leadId: row.id }))
    ),
    held: new Map(leads.map(({ identities, row }) => [row.id, identities])),
    onConflict
  })
}
