/** Taking a message out of the queue, and settling one of which nobody knew whether it was sent. Source: G8; contract 7. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import type { Execution } from "../Execution.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import type { Ids } from "../Ids.ts"
import { changedAt, now } from "../Time.ts"
import type { QueueItem, SendAttempt } from "./DraftRow.ts"
import { withdrawApproval } from "./DraftStatus.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { type DraftView, stateOfView } from "./DraftView.ts"
import { announceDraft } from "./draftEvents.ts"
import { cancelInvitationsFor } from "./invitations/cancelInvitations.ts"
import { type ListedItem, QueueRepo } from "./QueueRepo.ts"
import { holdDraft } from "./readDraft.ts"
import { recordRefusal, recordSent } from "./sending/sendOutcomes.ts"
import { type SettleNeeds, settleWaiting } from "./settleWaiting.ts"
import { afterChange } from "./withdrawDrafts.ts"

type Needs = Actor | DraftsRepo | Execution | Ids | QueueRepo | SettleNeeds

/** A draft and the item that carried it, after it was settled. */
export interface Settled {
  readonly view: DraftView
  readonly listed: ListedItem
}

/** A queue item by its id. Fails with NOT_FOUND. */
export const readItem = Effect.fnUntraced(function* (
  queueId: string
): Effect.fn.Return<ListedItem, Failure, Actor | QueueRepo> {
  const { organizationId } = yield* Actor
  return (yield* (yield* QueueRepo).item(organizationId, queueId)) ?? (yield* notFound("queue item", queueId))
})

const ended = ({ id, state }: QueueItem): Failure =>
  fail("WRONG_STATE", `Queue item ${id} is ${state}, so this is over. Read it with linkedin.queue.list.`)

/** Holds the draft of a queue item, which it must carry still. */
const holdItem = Effect.fnUntraced(function* (queueId: string) {
  const { item: found } = yield* readItem(queueId)
  const view = yield* holdDraft(found.draftId)
  if (view.item === null || view.item.id !== queueId) return yield* ended(found)
  return { view, item: view.item }
})

const store = Effect.fnUntraced(function* (row: DraftView["row"], item: QueueItem) {
  yield* (yield* QueueRepo).save(row.organizationId, [item])
  yield* (yield* DraftsRepo).save(row.organizationId, [row])
})

/**
 * Takes a message that waits out of the queue; its draft is under review again. Fails with NOT_FOUND, WRONG_STATE when it
 * does not wait any more, DRAFT_FINAL, DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN.
 */
export const cancelItem = Effect.fnUntraced(function* (queueId: string): Effect.fn.Return<Settled, Failure, Needs> {
  const { item, view } = yield* holdItem(queueId)
  const change = yield* Effect.fromResult(withdrawApproval(stateOfView(view)))
  if (!change.cancelsQueueItem) return yield* ended(item)
  const after = afterChange(view, change, "item_cancelled", yield* now)
  yield* store(after.row, after.item ?? item)
  yield* cancelInvitationsFor(item.organizationId, item.draftId, "item_cancelled")
  yield* settleWaiting([view.row.leadId])
  yield* announceDraft("draft.updated", after.row, { reason: "item_cancelled" })
  return { view: { ...view, row: after.row, item: after.item ?? item }, listed: yield* readItem(queueId) }
})

/** Writes down what became of the transmissions of an item of which nobody knew. */
export const settleAttempts = Effect.fnUntraced(function* (
  item: QueueItem,
  outcome: SendAttempt["outcome"],
  at: string
) {
  const queue = yield* QueueRepo
  const { attempts } = yield* queue.history(item.organizationId, item.draftId)
  for (const attempt of attempts) {
    if (attempt.queueItemId !== item.id || attempt.outcome !== "unknown") continue
    yield* queue.saveAttempt({ ...attempt, outcome, detail: "settled", endedAt: attempt.endedAt ?? at })
  }
})

/**
 * Settles a message that may have been sent. A message that still waits may be said to be sent too, by whoever sent it by
 * hand. Not sent puts the draft under review. Fails with NOT_FOUND or WRONG_STATE.
 */
export const resolveItem = Effect.fnUntraced(function* (
  queueId: string,
  outcome: "sent" | "not_sent",
  externalId: string | null
): Effect.fn.Return<Settled, Failure, Needs> {
  const { item, view } = yield* holdItem(queueId)
  const waits = item.state === "queued" || item.state === "waiting_relation"
  if (item.state !== "ambiguous" && !(outcome === "sent" && waits)) return yield* ended(item)
  const at = changedAt(item.updatedAt, yield* now)
  const next =
    outcome === "sent"
      ? yield* recordSent(view, item, { _tag: "Sent", messageId: null, externalId, relation: undefined }, at)
      : yield* recordRefusal(undefined, view, item, "not_sent", "Somebody looked: it was not sent.", at)
  yield* settleAttempts(item, outcome === "sent" ? "confirmed" : "refused", at)
  yield* store(next.row, next.item)
  if (outcome === "not_sent") yield* settleWaiting([view.row.leadId])
  return { view: { ...view, row: next.row, item: next.item }, listed: yield* readItem(queueId) }
})
