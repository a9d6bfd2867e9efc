/**
 * Taking drafts back because something happened elsewhere: the lead, the mission or the agent changed.
 *
 * What is being transmitted right now, or may have been sent, stays as it is. Source: G1, G8, G11, G32.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Execution } from "../Execution.ts"
import type { Failure } from "../Failure.ts"
import { changedAt, now } from "../Time.ts"
import { type DraftRow, type QueueItem, type QueueReason, withState } from "./DraftRow.ts"
import { cancel, type DraftChange, withdrawApproval } from "./DraftStatus.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { type DraftView, stateOfView } from "./DraftView.ts"
import { announceDraft } from "./draftEvents.ts"
import { cancelInvitations } from "./invitations/cancelInvitations.ts"
import { QueueRepo } from "./QueueRepo.ts"

/** Cancel for good, or put back under review. */
export type Fate = "cancel" | "review"

/** A queue item that ends without having been sent. */
export const cancelledItem = (item: QueueItem, reason: QueueReason, at: string): QueueItem => ({
  ...item,
  state: "cancelled",
  reason,
  notBefore: null,
  expiresAt: null,
  updatedAt: changedAt(item.updatedAt, at)
})

/** The draft and its queue item after a change of its state. `item` is undefined when it stays as it is. */
export const afterChange = (
  { item, row }: DraftView,
  change: DraftChange,
  reason: QueueReason,
  at: string
): { readonly row: DraftRow; readonly item: QueueItem | undefined } => {
  const changed = withState(row, change.state, changedAt(row.updatedAt, at))
  return {
    row: changed.status === "CANCELLED" ? { ...changed, cancelledAt: at } : changed,
    item: change.cancelsQueueItem && item !== null ? cancelledItem(item, reason, at) : undefined
  }
}

/**
 * Takes back drafts that are held and answers the ids of the leads for which something waited and does not any more.
 * `reason` goes into the events and the queue items.
 */
export const withdrawDrafts = Effect.fnUntraced(function* (
  organizationId: string,
  views: ReadonlyArray<DraftView>,
  fate: Fate,
  reason: QueueReason
): Effect.fn.Return<ReadonlyArray<string>, Failure, DraftsRepo | QueueRepo | Execution> {
  const at = yield* now
  const changes = views.flatMap((view) => {
    const change = Result.getOrUndefined((fate === "cancel" ? cancel : withdrawApproval)(stateOfView(view)))
    return change?.changed === true ? [afterChange(view, change, reason, at)] : []
  })
  if (changes.length === 0) return []
  const items = changes.flatMap(({ item }) => (item === undefined ? [] : [item]))
  if (items.length > 0) yield* (yield* QueueRepo).save(organizationId, items)
  yield* (yield* DraftsRepo).save(
    organizationId,
    changes.map(({ row }) => row)
  )
  for (const { row } of changes) {
    yield* announceDraft(row.status === "CANCELLED" ? "draft.cancelled" : "draft.updated", row, { reason })
  }
  const draftIds = changes.map(({ row }) => row.id)
  const inviting = yield* (yield* QueueRepo).invitations.queued(organizationId, { draftIds })
  const uninvited = yield* cancelInvitations(organizationId, inviting, reason)
  return [...new Set([...items.map(({ leadId }) => leadId), ...uninvited])]
})
