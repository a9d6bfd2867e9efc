/** Finding a lead by its identifiers, and deleting one that nobody uses. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor, emit } from "../kernel/command/Execution.ts"
import { NotFound, type StoreFailure, WrongState } from "../kernel/failure/failures.ts"
import type { LeadId } from "../kernel/schema/IdsAndTime.ts"
import type { IdentityConflict, ReferenceRefusal } from "./failures.ts"
import { type Reference, type ReferenceFields, readReference } from "./identity/IdentityInput.ts"
import { conflictFailure, matchLeads } from "./identity/Matching.ts"
import type { LeadRow } from "./Lead.ts"
import { LeadBatch, referencesOf, resolveOne } from "./LeadBatch.ts"
import { type LeadLocks, LeadsRepo, type StoredLead } from "./LeadsRepo.ts"

/** Why no lead is meant. */
export type LookupRefusal = ReferenceRefusal | StoreFailure | IdentityConflict | NotFound

/** The lead that is meant, among those that were found. */
const meantLead = <L extends StoredLead>(
  reference: Reference,
  { leadId, leads }: { readonly leadId: LeadId | undefined; readonly leads: ReadonlyArray<L> }
): Effect.Effect<L, IdentityConflict | NotFound> => {
  // An unknown id is an error even if other identifiers match.
  if (reference.leadId !== undefined && leadId === undefined) {
    return Effect.fail(new NotFound({ kind: "lead", id: reference.leadId }))
  }
  const [lead] = leads
  if (lead === undefined) {
    const message = "Lead not found. Search with lead.search, or create it with lead.upsert."
    return Effect.fail(new NotFound({ kind: "lead", message }))
  }
  if (reference.identities.length === 0) return Effect.succeed(lead)
  const decision = matchLeads(reference, leadId, leads, "error")
  return decision._tag === "Conflict" ? Effect.fail(conflictFailure(decision)) : Effect.succeed(lead)
}

/**
 * Reads a lead with its context. Fails with NOT_FOUND, with IDENTITY_CONFLICT when the identifiers belong to several
 * leads, and as `readReference` does.
 */
export const readLead = Effect.fnUntraced(function* (fields: ReferenceFields) {
  const { organizationId } = yield* Actor
  const reference = yield* readReference(fields)
  return yield* meantLead(reference, yield* (yield* LeadsRepo).find(organizationId, reference))
})

/** Like `readLead`, without context. */
export const findLead = (fields: ReferenceFields): Effect.Effect<LeadRow, LookupRefusal, Actor | LeadsRepo> =>
  Effect.map(readLead(fields), ({ row }) => row)

/**
 * Like `readLead` for each of several references, without context, and locks the leads until the transaction ends, in a few statements. All leads are locked in one order, so nobody who
 * locks some of them too waits in a circle. With `skip`, those that another transaction holds are left out.
 */
export const holdFoundLeads = Effect.fnUntraced(function* <A extends ReferenceFields>(
  items: ReadonlyArray<A>,
  locks: LeadLocks
) {
  const { organizationId } = yield* Actor
  const references = yield* Effect.forEach(items, (item) => Effect.result(readReference(item)))
  const named = references.flatMap((read) => (Result.isSuccess(read) ? [read.success] : []))
  const batch = new LeadBatch(yield* (yield* LeadsRepo).resolve(organizationId, referencesOf(named), locks))
  const found = (reference: Reference) => meantLead(reference, batch.find(reference))
  const free = Arr.zip(items, references).filter(([, read]) => Result.isFailure(read) || !batch.isBusy(read.success))
  return yield* Effect.forEach(free, ([item, read]) =>
    Effect.map(Effect.result(Effect.flatMap(Effect.fromResult(read), found)), (lead) => [item, lead] as const)
  )
})

/** The lead with this id, or the one it was merged into, locked until the transaction ends. Fails with NOT_FOUND. */
export const holdLead = Effect.fnUntraced(function* (leadId: LeadId) {
  const { organizationId } = yield* Actor
  const { leadId: liveId, leads } = yield* resolveOne(organizationId, { identities: [], leadId })
  const lead = leads.find(({ row }) => row.id === liveId)
  return lead ?? (yield* new NotFound({ kind: "lead", id: leadId.slice(0, 64) }))
})

/** Deletes a lead that nobody uses. Fails with NOT_FOUND, and with WRONG_STATE when it is in use. */
export const removeLead = Effect.fnUntraced(function* (leadId: LeadId) {
  const { organizationId } = yield* Actor
  const { row } = yield* holdLead(leadId)
  const kept = yield* (yield* LeadsRepo).removeUnused(organizationId, row.id)
  if (kept !== undefined) return yield* new WrongState({ message: `The lead is in use: ${kept}.` })
  yield* emit({ type: "lead.erased", subject: { type: "lead", id: row.id }, data: { tombstones: 0 } })
})
