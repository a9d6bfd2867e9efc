/** Cancelling queue items, and settling those that may have been sent. */

import * as Effect from "effect/Effect"
import { WrongState } from "../../kernel/failure/failures.ts"
import { changedAt, now } from "../../kernel/schema/Time.ts"
import { DraftInFlight, SendOutcomeUnknown } from "../../leads/failures.ts"
import { markWaiting } from "../../leads/recordMessage.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import { type DraftView, draftOf, stateOfView } from "../drafts/DraftView.ts"
import { withdrawApproval } from "../drafts/draftTransitions.ts"
import { holdDraft, readDraft } from "../drafts/readDraft.ts"
import { withdrawDrafts } from "../drafts/withdrawDrafts.ts"
import { clearWaitingLeads } from "./gate.ts"
import { cancelInvitations } from "./invitations/cancelInvitations.ts"
import { confirmInvitation, forgetInvited } from "./invitations/confirmInvitation.ts"
import { entryOf } from "./QueueEntry.ts"
import { holdInvitation, readInvitation, readMessage } from "./readTransmission.ts"
import { SendOptions } from "./SendOptions.ts"
import { recordRefusal, recordSent } from "./sendOutcomes.ts"
import { settleAttempts } from "./settleAttempts.ts"
import { ended, type LinkedInTransmission } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

const isInvitation = (id: string): boolean => id.startsWith("inv_")

const over = ({ id, kind, state }: LinkedInTransmission): WrongState =>
  new WrongState({
    message: `${kind === "message" ? "Queue item" : "Invitation"} ${id} is already ${state}. Read it with linkedin.queue.list.`
  })

/** The output: the item, with the draft of a message. */
const shown = Effect.fnUntraced(function* (id: string, draft: DraftView | null) {
  const { pacing } = yield* SendOptions
  const view = isInvitation(id) ? yield* readInvitation(id) : yield* readMessage(id)
  return { item: entryOf(view, yield* now, pacing), draft: draft === null ? null : draftOf(draft) }
})

/** Locks the draft of a message, which must still be its current one. */
const holdMessage = Effect.fnUntraced(function* (id: string) {
  const { row } = yield* readMessage(id)
  const view = yield* holdDraft(row.draftId)
  if (view.item === null || view.item.id !== id) return yield* over(row)
  return { view, item: view.item }
})

const cancelMessage = Effect.fnUntraced(function* (id: string) {
  const { item, view } = yield* holdMessage(id)
  const change = yield* Effect.fromResult(withdrawApproval(stateOfView(view)))
  if (!change.cancelsQueueItem) return yield* over(item)
  yield* clearWaitingLeads(yield* withdrawDrafts(item.organizationId, [view], "review", "item_cancelled"))
  return yield* readDraft(view.row.id)
})

const cancelInvitation = Effect.fnUntraced(function* (id: string) {
  const { row } = yield* holdInvitation(id)
  if (row.state === "sending") {
    return yield* new DraftInFlight({
      message: `Invitation ${id} is being sent. Read the queue again in a moment.`
    })
  }
  if (row.state === "ambiguous") {
    return yield* new SendOutcomeUnknown({
      message: `Invitation ${id} may have been sent. Settle it with linkedin.queue.resolve, or withdraw it with linkedin.invitation.withdraw.`
    })
  }
  if (row.state !== "queued") return yield* over(row)
  yield* clearWaitingLeads(yield* cancelInvitations(row.organizationId, [row], "item_cancelled"))
  return null
})

/**
 * Cancels a queued item; the draft of a message returns to review. Fails with NOT_FOUND, WRONG_STATE (no longer queued),
 * DRAFT_FINAL, DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN.
 */
export const cancelQueued = Effect.fnUntraced(function* (id: string) {
  return yield* shown(id, isInvitation(id) ? yield* cancelInvitation(id) : yield* cancelMessage(id))
})

const resolveMessage = Effect.fnUntraced(function* (
  id: string,
  outcome: "sent" | "not_sent",
  externalId: string | null
) {
  const { item, view } = yield* holdMessage(id)
  const waits = item.state === "queued" || item.state === "waiting_relation"
  if (item.state !== "ambiguous" && !(outcome === "sent" && waits)) return yield* over(item)
  const at = changedAt(item.updatedAt, yield* now)
  const next =
    outcome === "sent"
      ? yield* recordSent(view, item, { messageId: null, externalId }, at)
      : yield* recordRefusal(undefined, view, item, "not_sent", "Somebody looked: it was not sent.", at)
  yield* settleAttempts(item, outcome === "sent" ? "confirmed" : "refused", "settled", at)
  yield* (yield* TransmissionsRepo).save(item.organizationId, [next.item])
  yield* (yield* DraftsRepo).save(item.organizationId, [next.row])
  if (outcome === "not_sent") yield* clearWaitingLeads([view.row.leadId])
  return { ...view, ...next }
})

const resolveInvitation = Effect.fnUntraced(function* (id: string, outcome: "sent" | "not_sent") {
  const { row } = yield* holdInvitation(id)
  if (row.state !== "ambiguous" && !(outcome === "sent" && row.state === "queued")) return yield* over(row)
  const at = yield* now
  if (outcome === "sent") {
    yield* confirmInvitation(row, at, false)
    yield* markWaiting(row.leadId)
    return null
  }
  yield* settleAttempts(row, "refused", "settled", at)
  yield* (yield* TransmissionsRepo).save(row.organizationId, [ended(row, "failed", "not_sent", at)])
  yield* forgetInvited(row, at)
  yield* clearWaitingLeads([row.leadId])
  return null
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
  return yield* shown(
    id,
    isInvitation(id) ? yield* resolveInvitation(id, outcome) : yield* resolveMessage(id, outcome, externalId)
  )
})
