/** Finding a lead by its identifiers, read-only. */
import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"

import { NotFound, type StoreFailure } from "../kernel/failure/failures.ts"
import type { IdentityConflict, ReferenceRefusal } from "./failures.ts"
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
): Effect.fn.Return<LeadView, ReferenceRefusal | StoreFailure | IdentityConflict | NotFound, Actor | LeadsRepo> {
  const { organizationId } = yield* Actor
  const reference = yield* readReference(fields)
  const { leadId, leads } = yield* (yield* LeadsRepo).find(organizationId, reference)
  // An unknown id is an error even if other identifiers match.
  if (reference.leadId !== undefined && leadId === undefined)
    return yield* new NotFound({ kind: "lead", id: reference.leadId })
  const [lead] = leads
  if (lead === undefined) {
    return yield* new NotFound({
      kind: "lead",
      message: "No lead has any of these identifiers. Search with lead.search, or create it with lead.upsert."
    })
  }
  const decision = matchLeads(reference, leadId, leads, "error")
  return decision._tag === "Conflict" ? yield* conflictFailure(decision) : lead
})

/** Like `readLead`, without context. */
export const findLead = (
  fields: ReferenceFields
): Effect.Effect<LeadRow, ReferenceRefusal | StoreFailure | IdentityConflict | NotFound, Actor | LeadsRepo> =>
  Effect.map(readLead(fields), ({ row }) => row)
