/** Finding one draft of the actor's organization. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { SuppressionsRepo, strongest } from "../leads/index.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { now } from "../Time.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import type { DraftView } from "./DraftView.ts"

/** Reads a draft. Fails with NOT_FOUND. */
export const readDraft = Effect.fnUntraced(function* (
  draftId: string
): Effect.fn.Return<DraftView, Failure, Actor | DraftsRepo> {
  const { organizationId } = yield* Actor
  return (yield* (yield* DraftsRepo).find(organizationId, draftId)) ?? (yield* notFound("draft", draftId))
})

/** Reads a draft and holds it, and its lead, until the transaction ends. Fails with NOT_FOUND. */
export const holdDraft = Effect.fnUntraced(function* (
  draftId: string
): Effect.fn.Return<DraftView, Failure, Actor | DraftsRepo> {
  const { organizationId } = yield* Actor
  return (yield* (yield* DraftsRepo).hold(organizationId, draftId)) ?? (yield* notFound("draft", draftId))
})

/**
 * Fails with LEAD_SUPPRESSED for a lead that must not be contacted: by its status, or by an entry that names it, one of its
 * identifiers or the domain of an address. Source: G10, G11, G43.
 */
export const refuseSuppressed = Effect.fnUntraced(function* (
  lead: Pick<DraftView["lead"], "id" | "status">
): Effect.fn.Return<void, Failure, Actor | SuppressionsRepo> {
  if (lead.status === "DoNotContact") {
    return yield* fail(
      "LEAD_SUPPRESSED",
      `Lead ${lead.id} is in status DoNotContact and must not be contacted. Leave it alone.`
    )
  }
  const { organizationId } = yield* Actor
  const entry = strongest(yield* (yield* SuppressionsRepo).ofLead(organizationId, lead.id), yield* now)
  if (entry === undefined) return
  const until = entry.until === null ? "" : ` until ${entry.until}`
  return yield* fail(
    "LEAD_SUPPRESSED",
    `Lead ${lead.id} must not be contacted${until}: its ${entry.kind} is suppressed. Leave it alone; lead.get says why.`
  )
})

/** Fails with LEAD_SUPPRESSED or MISSION_ARCHIVED when nothing may be sent for the draft. Source: G1, G10. */
export const refuseSending = Effect.fnUntraced(function* ({
  lead,
  mission
}: DraftView): Effect.fn.Return<void, Failure, Actor | SuppressionsRepo> {
  yield* refuseSuppressed(lead)
  if (mission !== null) yield* Effect.fromResult(refuseArchived(mission.status, "send"))
})
