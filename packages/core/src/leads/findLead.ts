/** Finding the one lead that identifiers mean, for reading. Source: spec "Lead"; G18. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { conflictFailure } from "./identity/MatchDecision.ts"
import type { LeadRow } from "./Lead.ts"
import { LeadsRepo, type LeadView } from "./LeadsRepo.ts"
import { matchLeads } from "./matchLeads.ts"
import { type ReferenceFields, readReference } from "./readReference.ts"

/**
 * Reads a lead with its context. Fails with NOT_FOUND, with IDENTITY_CONFLICT when the identifiers belong to several
 * leads, and as `readReference` does.
 */
export const readLead = Effect.fnUntraced(function* (
  fields: ReferenceFields
): Effect.fn.Return<LeadView, Failure, Actor | LeadsRepo> {
  const { organizationId } = yield* Actor
  const reference = yield* readReference(fields)
  const { leadId, leads } = yield* (yield* LeadsRepo).find(organizationId, reference)
  // An id that leads nowhere is not made up for by other identifiers.
  if (reference.leadId !== undefined && leadId === undefined) return yield* notFound("lead", reference.leadId)
  const [lead] = leads
  if (lead === undefined) {
    return yield* fail(
      "NOT_FOUND",
      "No lead of this organization has any of these identifiers. Search with lead.search, or create it with lead.upsert."
    )
  }
  const decision = matchLeads(reference, leadId, leads, "error")
  return decision._tag === "Conflict" ? yield* conflictFailure(decision) : lead
})

/** As `readLead`, the stored record alone. */
export const findLead = (fields: ReferenceFields): Effect.Effect<LeadRow, Failure, Actor | LeadsRepo> =>
  Effect.map(readLead(fields), ({ row }) => row)
