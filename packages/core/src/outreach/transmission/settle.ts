/** Cancelling queue items, and settling those that may have been sent. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { WrongState } from "../../kernel/failure/failures.ts"
import { changedAt, now } from "../../kernel/schema/IdsAndTime.ts"
import { draftOf } from "../drafts/DraftView.ts"
import { holdDraft, readDraft } from "../drafts/readDraft.ts"
import { carryOut } from "./carryOut.ts"
import { decide } from "./decide.ts"
import { type Delivery, lifeOf } from "./Life.ts"
import { entryOf } from "./QueueEntry.ts"
import { holdInvitation, readInvitation, readMessage } from "./readTransmission.ts"
import { recordDelivery } from "./recordOutcome.ts"
import { SendOptions } from "./SendOptions.ts"
import { isLive, type LinkedInTransmission } from "./Transmission.ts"

const isInvitation = (id: string): boolean => id.startsWith("inv_")

const over = ({ id, kind, state }: LinkedInTransmission): WrongState =>
  new WrongState({
    message: `${kind === "message" ? "Queue item" : "Invitation"} ${id} is already ${state}. Read it with linkedin.queue.list.`
  })

/** The output: the item, with the draft of a message. */
const shown = Effect.fnUntraced(function* (id: string, draftId: string | null) {
  const { pacing } = yield* SendOptions
  const view = isInvitation(id) ? yield* readInvitation(id) : yield* readMessage(id)
  const item = entryOf(view, yield* now, pacing)
  return { item, draft: draftId === null ? null : draftOf(yield* readDraft(draftId)) }
})

/** Holds an invitation, or a message and its draft, of which it must still be the current one. */
const holdItem = Effect.fnUntraced(function* (id: string) {
  if (isInvitation(id)) {
    const view = yield* holdInvitation(id)
    return { view, row: view.row, draftId: null }
  }
  const {
    row: { draftId },
    row
  } = yield* readMessage(id)
  const view = yield* holdDraft(draftId)
  return view.item?.id === id ? { view, row: view.item, draftId } : yield* over(row)
})

/**
 * Cancels a queued item; the draft of a message returns to review. Fails with NOT_FOUND, WRONG_STATE (no longer queued),
 * DRAFT_FINAL, DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN.
 */
export const cancelQueued = Effect.fnUntraced(function* (id: string) {
  const { draftId, row, view } = yield* holdItem(id)
  const at = yield* now
  const _tag = draftId === null ? "Cancel" : "Withdraw"
  const decision = yield* Effect.fromResult(decide(lifeOf(view), { _tag, reason: "item_cancelled" }, at))
  if (decision.life.row === row) return yield* over(row)
  yield* carryOut(decision, at)
  return yield* shown(id, draftId)
})

/**
 * Settles an item that may have been sent. A queued item can be settled as sent too, if it was sent manually. not_sent
 * returns a draft to review. Fails with NOT_FOUND or WRONG_STATE.
 */
export const resolveQueued = Effect.fnUntraced(function* (
  id: string,
  outcome: "sent" | "not_sent",
  externalId: string | null
) {
  const { draftId, row, view } = yield* holdItem(id)
  const at = changedAt(row.updatedAt, yield* now)
  const settle = (sent: Delivery | undefined) =>
    Effect.fromResult(
      Result.mapError(decide(lifeOf(view), { _tag: "Settle", sent, reason: "not_sent" }, at), (refusal) =>
        refusal._tag === "DraftFinal" && isLive(row) ? refusal : over(row)
      )
    )
  const isSent = outcome === "sent"
  const decision = yield* settle(isSent ? { externalId: null, recordedAs: null, isFirst: false } : undefined)
  const isMessage = isSent && "item" in view
  yield* carryOut(isMessage ? yield* settle(yield* recordDelivery(view, externalId, at)) : decision, at)
  return yield* shown(id, draftId)
})
