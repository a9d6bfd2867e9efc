/** Ends that no provider's answer led to: a transmission nobody heard of again, and a message that can never be sent. */
import * as Effect from "effect/Effect"
import type { Actor } from "../../Actor.ts"
import type { Execution } from "../../Execution.ts"
import type { Failure } from "../../Failure.ts"
import { changedAt, now } from "../../Time.ts"
import { type QueueReason, withState } from "../DraftRow.ts"
import { dispatchFailed } from "../DraftStatus.ts"
import { DraftsRepo } from "../DraftsRepo.ts"
import { type DraftView, stateOfView } from "../DraftView.ts"
import { announceDraft } from "../draftEvents.ts"
import { type DueSend, QueueRepo } from "../QueueRepo.ts"
import { holdDraft } from "../readDraft.ts"
import { type SettleNeeds, settleWaiting } from "../settleWaiting.ts"
import { recordUnknown } from "./sendOutcomes.ts"

const lost = "The process that sent it went away before it could say what happened."

/** Blocks a transmission whose lease ended and that never did: it may have gone out. Source: contract 1.9. */
export const markStale = Effect.fnUntraced(function* (
  due: DueSend
): Effect.fn.Return<void, Failure, Actor | DraftsRepo | Execution | QueueRepo> {
  const view = yield* holdDraft(due.draftId)
  const { item } = view
  if (item === null || item.id !== due.queueItemId || item.state !== "sending" || item.fence !== due.fence) return
  // Renewed since it was found: its process lives.
  if ((item.leaseUntil ?? item.updatedAt) !== due.due) return
  const at = yield* now
  const queue = yield* QueueRepo
  const { attempts } = yield* queue.history(due.organizationId, due.draftId)
  for (const attempt of attempts) {
    if (attempt.queueItemId === item.id && attempt.outcome === null) {
      yield* queue.saveAttempt({ ...attempt, outcome: "unknown", detail: lost, endedAt: at })
    }
  }
  const next = yield* recordUnknown(view, item, lost, at)
  yield* queue.save(due.organizationId, [next.item])
  yield* (yield* DraftsRepo).save(due.organizationId, [next.row])
})

/** Puts a draft that is held back under review, as it cannot be sent as things are. */
export const giveUp = Effect.fnUntraced(function* (
  view: DraftView,
  reason: QueueReason,
  detail: string
): Effect.fn.Return<void, Failure, DraftsRepo | SettleNeeds> {
  const { organizationId } = view.row
  const at = yield* now
  const change = yield* Effect.fromResult(dispatchFailed(stateOfView(view)))
  const row = withState(view.row, change.state, changedAt(view.row.updatedAt, at))
  const { item } = view
  if (item !== null) {
    const updatedAt = changedAt(item.updatedAt, at)
    const failed = { ...item, state: "failed" as const, reason, notBefore: null, expiresAt: null, updatedAt }
    yield* (yield* QueueRepo).save(organizationId, [failed])
  }
  yield* (yield* DraftsRepo).save(organizationId, [row])
  yield* announceDraft("draft.dispatch_failed", row, {
    queue_id: item?.id ?? null,
    reason,
    detail: detail.slice(0, 200)
  })
  if (item !== null) yield* settleWaiting([row.leadId])
})
