/** Finding one draft of the actor's organization. */

import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Execution.ts"
import { NotFound, type StoreFailure, type WrongState } from "../../kernel/failure/failures.ts"
import { type DraftId, type InstantText, now } from "../../kernel/schema/IdsAndTime.ts"
import { LeadSuppressed } from "../../leads/failures.ts"
import { PrivacyRepo } from "../../leads/privacy/PrivacyRepo.ts"
import { activeSuppression, type Suppressible, type SuppressionEntry } from "../../leads/suppression/Suppression.ts"
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
  const [view] = yield* (yield* DraftsRepo).hold(organizationId, { draftIds: [draftId] })
  return view ?? (yield* new NotFound({ kind: "draft", id: draftId }))
})

type Refusable = Pick<DraftView["lead"], "id" | "status">

/** Why a lead must not be contacted, by its status or by what is suppressed at a time; undefined if it may. */
export const suppressionOf = (
  { id, status }: Refusable,
  entries: ReadonlyArray<SuppressionEntry>,
  at: InstantText
): LeadSuppressed | undefined => {
  if (status === "DoNotContact") {
    const message = `Lead ${id} has status DoNotContact and must not be contacted.`
    return new LeadSuppressed({ leadId: id, message })
  }
  const entry = activeSuppression(entries, at)
  if (entry === undefined) return undefined
  const until = entry.until === null ? "" : ` until ${entry.until}`
  return new LeadSuppressed({
    leadId: id,
    message: `Lead ${id} must not be contacted${until}: its ${entry.kind} is suppressed. See lead.get for the reason.`
  })
}

/**
 * Why a lead must not be contacted: by its status, or by an entry that names it, one of its identifiers or the domain of an
 * address, or by one that names the target it is written to. Undefined if it may.
 */
export const findSuppression = Effect.fnUntraced(function* (
  lead: Refusable,
  target: ReadonlyArray<Suppressible> = []
): Effect.fn.Return<LeadSuppressed | undefined, StoreFailure, Actor | PrivacyRepo> {
  const { organizationId } = yield* Actor
  const suppressions = yield* PrivacyRepo
  const isStatus = lead.status === "DoNotContact"
  const named = isStatus || target.length === 0 ? [] : yield* suppressions.findSuppressions(organizationId, target)
  const own = isStatus ? [] : yield* suppressions.suppressionsOfLead(organizationId, lead.id)
  return suppressionOf(lead, [...own, ...named.map(({ entry }) => entry)], yield* now)
})

/** Fails with LEAD_SUPPRESSED for a lead that must not be contacted. */
export const refuseSuppressed = Effect.fnUntraced(function* (lead: Refusable) {
  const suppressed = yield* findSuppression(lead)
  if (suppressed !== undefined) return yield* suppressed
})

/** Fails with LEAD_SUPPRESSED, MISSION_ARCHIVED or WRONG_STATE (completed) when nothing may be sent for the draft. */
export const refuseSending = Effect.fnUntraced(function* ({
  lead,
  mission
}: DraftView): Effect.fn.Return<
  void,
  StoreFailure | LeadSuppressed | MissionArchived | WrongState,
  Actor | PrivacyRepo
> {
  yield* refuseSuppressed(lead)
  if (mission !== null) yield* Effect.fromResult(refuseFinished(mission.status))
})
