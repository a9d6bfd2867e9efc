/** Approving a draft, the part that plain approval and send_now share. Source: G8, G9; contract 1.8, 1.9. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import type { Failure } from "../Failure.ts"
import { changedAt, now } from "../Time.ts"
import { warnOfLength } from "./DraftInput.ts"
import { type DraftRow, withState } from "./DraftRow.ts"
import { approve } from "./DraftStatus.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { contentHashOfView, type DraftView, stateOfView } from "./DraftView.ts"
import { announceDraft } from "./draftEvents.ts"
import { QueueRepo } from "./QueueRepo.ts"
import { refuseSending } from "./readDraft.ts"
import { type EnqueueNeeds, enqueueDraft } from "./sending/enqueueDraft.ts"
import type { ApprovalChoice } from "./VariationChoice.ts"
import { cancelledItem } from "./withdrawDrafts.ts"

/** What it takes. */
export type ApproveNeeds = DraftsRepo | EnqueueNeeds

/**
 * Approves a draft that is held and answers it as it is then; approving what is approved changes nothing. A queue item
 * that waits with another text is cancelled. Without send_now it is put into the queue. Fails as the state machine's `approve` does, and with LEAD_SUPPRESSED or
 * MISSION_ARCHIVED.
 */
export const approveHeld = Effect.fnUntraced(function* (
  view: DraftView,
  choice: ApprovalChoice,
  sendNow: boolean
): Effect.fn.Return<DraftView, Failure, ApproveNeeds> {
  const { kind, organizationId, userId } = yield* Actor
  const change = yield* Effect.fromResult(approve(stateOfView(view), choice, contentHashOfView(view)))
  yield* refuseSending(view)
  if (!change.changed) return view
  const at = changedAt(view.row.updatedAt, yield* now)
  const row: DraftRow = {
    ...withState(view.row, change.state, at),
    approvedBy: { userId, actorKind: kind },
    approvedAt: at
  }
  if (change.cancelsQueueItem && view.item !== null) {
    yield* (yield* QueueRepo).save(organizationId, [cancelledItem(view.item, "draft_changed", at)])
  }
  const approved: DraftView = { ...view, row, item: null }
  const after = sendNow ? approved : yield* enqueueDraft(approved, at)
  yield* (yield* DraftsRepo).save(organizationId, [after.row])
  if (row.selectedBodyText !== null) yield* warnOfLength([row.selectedBodyText])
  yield* announceDraft("draft.approved", row, { variation_index: row.selectedIndex, send_now: sendNow })
  return after
})
