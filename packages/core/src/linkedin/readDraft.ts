/** Finding one draft of the actor's organization. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
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

/** Fails with LEAD_SUPPRESSED for a lead that must not be contacted. Source: G10, G11. */
export const refuseSuppressed = (lead: Pick<DraftView["lead"], "id" | "status">): Effect.Effect<void, Failure> =>
  lead.status === "DoNotContact"
    ? Effect.fail(
        fail("LEAD_SUPPRESSED", `Lead ${lead.id} is in status DoNotContact and must not be contacted. Leave it alone.`)
      )
    : Effect.void

/** Fails with LEAD_SUPPRESSED or MISSION_ARCHIVED when nothing may be sent for the draft. Source: G1, G10. */
export const refuseSending = Effect.fnUntraced(function* ({
  lead,
  mission
}: DraftView): Effect.fn.Return<void, Failure> {
  yield* refuseSuppressed(lead)
  if (mission !== null) yield* Effect.fromResult(refuseArchived(mission.status, "send"))
})
