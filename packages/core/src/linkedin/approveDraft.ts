/** Approving a draft, the part that plain approval and send_now share. Source: G8, G9; contract 1.8, 1.9. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import type { Failure } from "../Failure.ts"
import type { SuppressionsRepo } from "../leads/suppression/SuppressionsRepo.ts"
import { changedAt, now } from "../Time.ts"
import { warnOfLength } from "./DraftInput.ts"
import { type DraftRow, type QueueItem, withState } from "./DraftRow.ts"
import { approve } from "./DraftStatus.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { contentHashOfView, type DraftView, stateOfView } from "./DraftView.ts"
import { announceDraft } from "./draftEvents.ts"
import { QueueRepo } from "./QueueRepo.ts"
import { refuseSending } from "./readDraft.ts"
import { type EnqueueNeeds, enqueueDrafts } from "./sending/enqueueDraft.ts"
import type { ApprovalChoice } from "./VariationChoice.ts"
import { cancelledItem } from "./withdrawDrafts.ts"

/** What it takes. */
export type ApproveNeeds = DraftsRepo | EnqueueNeeds | SuppressionsRepo

/** What an approval writes: the draft, and the queue item that waits with another text and is cancelled. */
export interface Approval {
  readonly view: DraftView
  readonly row: DraftRow
  readonly cancelled: QueueItem | undefined
}

/**
 * What approving a draft that is held would write; undefined when it is approved like that already. Fails as the state
 * machine's `approve` does, and with LEAD_SUPPRESSED or MISSION_ARCHIVED.
 */
export const decideApproval = Effect.fnUntraced(function* (
  view: DraftView,
  choice: ApprovalChoice
): Effect.fn.Return<Approval | undefined, Failure, Actor | SuppressionsRepo> {
  const { kind, userId } = yield* Actor
  const change = yield* Effect.fromResult(approve(stateOfView(view), choice, contentHashOfView(view)))
  yield* refuseSending(view)
  if (!change.changed) return undefined
  const at = changedAt(view.row.updatedAt, yield* now)
  const row: DraftRow = {
    ...withState(view.row, change.state, at),
    approvedBy: { userId, actorKind: kind },
    approvedAt: at
  }
  const isWaiting = change.cancelsQueueItem && view.item !== null
  return { view, row, cancelled: isWaiting ? cancelledItem(view.item, "draft_changed", at) : undefined }
})

/**
 * Stores approvals, in one statement for drafts and two for queue items, and states them. Without send_now they are put
 * into the queue. Answers the drafts as they are then, in the same order.
 */
export const storeApprovals = Effect.fnUntraced(function* (
  approvals: ReadonlyArray<Approval>,
  sendNow: boolean
): Effect.fn.Return<ReadonlyArray<DraftView>, Failure, ApproveNeeds> {
  const { organizationId } = yield* Actor
  const items = approvals.flatMap(({ cancelled }) => (cancelled === undefined ? [] : [cancelled]))
  if (items.length > 0) yield* (yield* QueueRepo).save(organizationId, items)
  const approved = approvals.map(({ row, view }): DraftView => ({ ...view, row, item: null }))
  const after = sendNow ? approved : yield* enqueueDrafts(approved)
  const rows = after.map(({ row }) => row)
  if (rows.length > 0) yield* (yield* DraftsRepo).save(organizationId, rows)
  for (const row of rows) {
    yield* announceDraft("draft.approved", row, { variation_index: row.selectedIndex, send_now: sendNow })
  }
  return after
})

/**
 * Approves a draft that is held and answers it as it is then; approving what is approved changes nothing. Fails as
 * {@link decideApproval} does.
 */
export const approveHeld = Effect.fnUntraced(function* (
  view: DraftView,
  choice: ApprovalChoice,
  sendNow: boolean
): Effect.fn.Return<DraftView, Failure, ApproveNeeds> {
  const approval = yield* decideApproval(view, choice)
  if (approval === undefined) return view
  const [after] = yield* storeApprovals([approval], sendNow)
  const { selectedBodyText } = approval.row
  if (selectedBodyText !== null) yield* warnOfLength([selectedBodyText])
  return after ?? view
})
