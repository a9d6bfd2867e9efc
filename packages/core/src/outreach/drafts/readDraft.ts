/** Finding one draft of the actor's organization. */

import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Actor.ts"
import { NotFound, type StoreFailure, type WrongState } from "../../kernel/failure/failures.ts"
import type { DraftId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import { LeadSuppressed } from "../../leads/failures.ts"
import { activeSuppression, type Suppressible } from "../../leads/suppression/Suppression.ts"
import { SuppressionsRepo } from "../../leads/suppression/SuppressionsRepo.ts"
import type { MissionArchived } from "../../missions/failures.ts"
import { refuseFinished } from "../../missions/MissionStatus.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import type { DraftView } from "./DraftView.ts"

/** Reads a draft. Fails with NOT_FOUND. */
export const readDraft = Effect.fnUntraced(function* (
  draftId: DraftId
): Effect.fn.Return<DraftView, StoreFailure | NotFound, Actor | DraftsRepo> {
  const { organizationId } = yield* Actor
  return (
    (yield* (yield* DraftsRepo).find(organizationId, draftId)) ?? (yield* new NotFound({ kind: "draft", id: draftId }))
  )
})

/** Reads a draft and holds it, and its lead, until the transaction ends. Fails with NOT_FOUND. */
export const holdDraft = Effect.fnUntraced(function* (
  draftId: DraftId
): Effect.fn.Return<DraftView, StoreFailure | NotFound, Actor | DraftsRepo> {
  const { organizationId } = yield* Actor
  return (
    (yield* (yield* DraftsRepo).hold(organizationId, draftId)) ?? (yield* new NotFound({ kind: "draft", id: draftId }))
  )
})

/**
 * Fails with LEAD_SUPPRESSED for a lead that must not be contacted: by its status, or by an entry that names it, one of its
 * identifiers or the domain of an address, or by one that names the target it is written to.
 */
export const refuseSuppressed = Effect.fnUntraced(function* (
  lead: Pick<DraftView["lead"], "id" | "status">,
  target: ReadonlyArray<Suppressible> = []
): Effect.fn.Return<void, StoreFailure | LeadSuppressed, Actor | SuppressionsRepo> {
  if (lead.status === "DoNotContact") {
    return yield* new LeadSuppressed({
      leadId: lead.id,
      message: `Lead ${lead.id} has status DoNotContact and must not be contacted.`
    })
  }
  const { organizationId } = yield* Actor
  const suppressions = yield* SuppressionsRepo
  const named = target.length === 0 ? [] : yield* suppressions.find(organizationId, target)
  const entries = [...(yield* suppressions.ofLead(organizationId, lead.id)), ...named.map(({ entry }) => entry)]
  const entry = activeSuppression(entries, yield* now)
  if (entry === undefined) return
  const until = entry.until === null ? "" : ` until ${entry.until}`
  return yield* new LeadSuppressed({
    leadId: lead.id,
    message: `Lead ${lead.id} must not be contacted${until}: its ${entry.kind} is suppressed. See lead.get for the reason.`
  })
})

/** Fails with LEAD_SUPPRESSED, MISSION_ARCHIVED or WRONG_STATE (completed) when nothing may be sent for the draft. */
export const refuseSending = Effect.fnUntraced(function* ({
  lead,
  mission
}: DraftView): Effect.fn.Return<
  void,
  StoreFailure | LeadSuppressed | MissionArchived | WrongState,
  Actor | SuppressionsRepo
> {
  yield* refuseSuppressed(lead)
  if (mission !== null) yield* Effect.fromResult(refuseFinished(mission.status))
})
