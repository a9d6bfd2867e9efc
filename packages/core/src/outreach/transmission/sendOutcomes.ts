/** Effects of each outcome on draft, message and lead. The caller stores draft and message. */

import * as Effect from "effect/Effect"
import { type Execution, emit } from "../../kernel/command/Execution.ts"
import type { WrongState } from "../../kernel/failure/failures.ts"
import type { InstantText } from "../../kernel/schema/RecordIds.ts"
import { changedAt } from "../../kernel/schema/Time.ts"
import { SendOutcomeUnknown } from "../../leads/failures.ts"
import { markWaiting, recordMessage } from "../../leads/recordMessage.ts"
import { type DraftRow, withState } from "../drafts/DraftRow.ts"
import { type DraftView, stateOfView } from "../drafts/DraftView.ts"
import {
  ambiguous,
  announceDraft,
  type DraftChange,
  dispatched,
  dispatchFailed,
  enqueued
} from "../drafts/draftTransitions.ts"
import type { DraftFinal, TransmissionFailure } from "../failures.ts"
import type { MessageClaim, SendOutcome } from "./Claim.ts"
import type { QueueReason } from "./reasons.ts"
import { firstLookupSeconds, recheckRelationAt, relationDeadline, SendOptions, secondsAfter } from "./SendOptions.ts"
import { changed, ended, type Invitation, type Message } from "./Transmission.ts"

/** Draft and message to store, and the failure for the caller. */
export interface Next {
  readonly row: DraftRow
  readonly item: Message
  readonly failure?: TransmissionFailure
}

const moved = (view: DraftView, change: DraftChange, at: string): DraftRow =>
  withState(view.row, change.state, changedAt(view.row.updatedAt, at))

const announceMessage = (row: DraftRow, details: Readonly<Record<string, unknown>>) =>
  emit({
    type: "message.sent",
    subject: { type: "lead", id: row.leadId },
    data: { channel: "LINKEDIN", draft_id: row.id, agent_id: row.agentId, mission_id: row.missionId, ...details }
  })

/** The provider confirmed it: the draft becomes DISPATCHED, and the lead gets the message, sent at `sentAt`. */
export const recordSent = Effect.fnUntraced(function* (
  view: DraftView,
  item: Message,
  outcome: Pick<Extract<SendOutcome, { readonly _tag: "Sent" }>, "externalId" | "messageId">,
  at: string,
  sentAt: InstantText = at
) {
  const change = yield* Effect.fromResult(dispatched(stateOfView(view)))
  const externalId = outcome.externalId ?? outcome.messageId
  const messageId = yield* recordMessage({
    leadId: view.row.leadId,
    channel: "LINKEDIN",
    direction: "outbound",
    content: item.bodyText,
    date: sentAt,
    senderName: view.agent.name,
    externalId
  })
  const after = moved(view, change, at)
  const row: DraftRow = {
    ...after,
    queueItemId: item.id,
    messageId,
    externalMessageId: externalId,
    dispatchedAt: after.updatedAt
  }
  const details = { queue_id: item.id, message_id: messageId, external_message_id: externalId }
  yield* announceDraft("draft.dispatched", row, details)
  yield* announceMessage(row, { ...details, is_first: !view.lead.wasWritten })
  return { row, item: ended(item, "sent", null, at) }
})

/** The queue item from before send_now, which a refusal restores. */
const placeBefore = (claim: MessageClaim | undefined): Message | null => {
  const before = claim?.isFromCommand === true ? claim.before.item : null
  return before === null || before.bypass ? null : before
}

/** Returns the draft to review, with the reason; after a refused send_now it stays as it was before. */
export const recordRefusal = Effect.fnUntraced(function* (
  claim: MessageClaim | undefined,
  view: DraftView,
  item: Message,
  reason: QueueReason,
  detail: string,
  at: string
): Effect.fn.Return<Next, DraftFinal | WrongState, Execution> {
  const told = { queue_id: item.id, reason, detail: detail.slice(0, 200) }
  const place = placeBefore(claim)
  if (claim !== undefined && place !== null) {
    const { row } = claim.before
    yield* announceDraft("draft.dispatch_failed", row, told)
    return { row, item: { ...place, reason, attempts: item.attempts, updatedAt: changedAt(item.updatedAt, at) } }
  }
  const row =
    claim?.isFromCommand === true && claim.before.item === null
      ? claim.before.row
      : moved(view, yield* Effect.fromResult(dispatchFailed(stateOfView(view))), at)
  yield* announceDraft("draft.dispatch_failed", row, told)
  return { row, item: ended(item, "failed", reason, at) }
})

/** It may have been sent: blocked until the conversation or a person settles it. */
export const recordUnknown = Effect.fnUntraced(function* (
  view: DraftView,
  item: Message,
  detail: string,
  at: string
): Effect.fn.Return<Next, DraftFinal | WrongState, Execution> {
  const row = moved(view, yield* Effect.fromResult(ambiguous(stateOfView(view))), at)
  yield* announceDraft("draft.dispatch_unknown", row, { queue_id: item.id, detail: detail.slice(0, 200) })
  return { row, item: unknownAt(item, at), failure: unknownOutcome(item) }
})

/** The row in state ambiguous; looked up soon. */
export const unknownAt = <Row extends Message | Invitation>(row: Row, at: string): Row => ({
  ...row,
  state: "ambiguous",
  reason: "outcome_unknown",
  expiresAt: null,
  notBefore: secondsAfter(at, firstLookupSeconds),
  updatedAt: changedAt(row.updatedAt, at)
})

/** Not connected: it waits for the connection, with or without an invitation. */
export const recordWaiting = Effect.fnUntraced(function* (
  view: DraftView,
  item: Message,
  invitation: "none" | "pending" | "wanted",
  at: string
) {
  const expiresAt = item.expiresAt ?? relationDeadline(at, yield* SendOptions)
  const invitedAt = item.invitedAt ?? (invitation === "pending" ? at : null)
  const notBefore = recheckRelationAt(at, item.createdAt, expiresAt)
  const waiting = { reason: "not_connected", failures: 0, invitedAt, notBefore, expiresAt } as const
  return yield* requeue(view, item, "waiting_relation", waiting, at)
})

/** Puts it back into the queue. */
export const requeue = Effect.fnUntraced(function* (
  view: DraftView,
  item: Message,
  state: "queued" | "waiting_relation",
  changes: Partial<Message>,
  at: string
) {
  const change = yield* Effect.fromResult(enqueued({ ...stateOfView(view), queueState: null }, state))
  yield* markWaiting(view.row.leadId)
  const row = { ...moved(view, change, at), queueItemId: item.id }
  return { row, item: changed(item, { ...changes, state }, at) }
})

/** The failure for an unknown outcome. */
export const unknownOutcome = (item: Message): SendOutcomeUnknown =>
  new SendOutcomeUnknown({
    message: `It is unknown whether the message was sent, so it is not sent again. Check the conversation on LinkedIn, then settle queue item ${item.id} with linkedin.queue.resolve.`
  })
