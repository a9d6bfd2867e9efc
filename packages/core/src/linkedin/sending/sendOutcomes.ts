/**
 * What each outcome of a send makes of draft, queue item and lead. The caller stores draft and item.
 *
 * Source: G8, G10, G11, G35; contract 1.9.
 */
import * as Effect from "effect/Effect"
import { type Execution, emit } from "../../Execution.ts"
import { type Failure, fail } from "../../Failure.ts"
import { applyStatusEvent, recordMessage } from "../../leads/index.ts"
import type { LeadEvent } from "../../leads/LeadStatus.ts"
import { changedAt } from "../../Time.ts"
import { type DraftRow, type QueueItem, type QueueReason, withState } from "../DraftRow.ts"
import { ambiguous, type DraftChange, dispatched, dispatchFailed, enqueued } from "../DraftStatus.ts"
import { type DraftView, stateOfView } from "../DraftView.ts"
import { announceDraft } from "../draftEvents.ts"
import { firstLookSeconds, lookAgainAt, relationDeadline, SendOptions, secondsAfter } from "../SendOptions.ts"
import type { SendClaim, SendOutcome } from "./SendClaim.ts"

/** The lead's own rules may refuse an event, as when it opted out meanwhile; what was sent was sent all the same. */
const tellLead = (leadId: string, event: LeadEvent) =>
  Effect.catchIf(
    applyStatusEvent(leadId, event),
    ({ code }) => code === "LEAD_SUPPRESSED",
    () => Effect.void
  )

/** Draft and queue item as they are to be stored, and what the caller hears. */
export interface Next {
  readonly row: DraftRow
  readonly item: QueueItem
  readonly failure?: Failure
}

const moved = (view: DraftView, change: DraftChange, at: string): DraftRow =>
  withState(view.row, change.state, changedAt(view.row.updatedAt, at))

const ended = (item: QueueItem, state: QueueItem["state"], reason: QueueReason | null, at: string): QueueItem => ({
  ...item,
  state,
  reason,
  notBefore: null,
  expiresAt: null,
  updatedAt: changedAt(item.updatedAt, at)
})

const announceMessage = (row: DraftRow, details: Readonly<Record<string, unknown>>) =>
  emit({
    type: "message.sent",
    subject: { type: "lead", id: row.leadId },
    data: { channel: "LINKEDIN", draft_id: row.id, agent_id: row.agentId, mission_id: row.missionId, ...details }
  })

/**
 * The provider confirmed it: the draft is DISPATCHED, and the lead has a message more. `sentAt` is when the provider says
 * that it was sent, if that was not now.
 */
export const recordSent = Effect.fnUntraced(function* (
  view: DraftView,
  item: QueueItem,
  outcome: Extract<SendOutcome, { readonly _tag: "Sent" }>,
  at: string,
  sentAt: string = at
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

/** An approved draft's place in the queue, which a refused send_now leaves as it was. */
const placeBefore = (claim: SendClaim | undefined): QueueItem | null => {
  const before = claim?.isCallers === true ? claim.before.item : null
  return before === null || before.bypass ? null : before
}

/** Back under review, with the reason; a caller's draft, in a queue it was approved for or in none, is as it was. */
export const recordRefusal = Effect.fnUntraced(function* (
  claim: SendClaim | undefined,
  view: DraftView,
  item: QueueItem,
  reason: QueueReason,
  detail: string,
  at: string
): Effect.fn.Return<Next, Failure, Execution> {
  const place = placeBefore(claim)
  if (claim !== undefined && place !== null) {
    const { row } = claim.before
    yield* announceDraft("draft.dispatch_failed", row, { queue_id: item.id, reason, detail: detail.slice(0, 200) })
    return { row, item: { ...place, reason, attempts: item.attempts, updatedAt: changedAt(item.updatedAt, at) } }
  }
  const row =
    claim?.isCallers === true && claim.before.item === null
      ? claim.before.row
      : moved(view, yield* Effect.fromResult(dispatchFailed(stateOfView(view))), at)
  yield* announceDraft("draft.dispatch_failed", row, { queue_id: item.id, reason, detail: detail.slice(0, 200) })
  return { row, item: ended(item, "failed", reason, at) }
})

/** It may have been sent: blocked until the conversation or a person shows it. */
export const recordUnknown = Effect.fnUntraced(function* (
  view: DraftView,
  item: QueueItem,
  detail: string,
  at: string
): Effect.fn.Return<Next, Failure, Execution> {
  const row = moved(view, yield* Effect.fromResult(ambiguous(stateOfView(view))), at)
  yield* announceDraft("draft.dispatch_unknown", row, { queue_id: item.id, detail: detail.slice(0, 200) })
  const unknown = { ...ended(item, "ambiguous", "outcome_unknown", at), notBefore: secondsAfter(at, firstLookSeconds) }
  return { row, item: unknown, failure: unknownOutcome(item) }
})

/** Not connected: it waits, with or without an invitation. */
export const recordWaiting = Effect.fnUntraced(function* (
  view: DraftView,
  item: QueueItem,
  invitation: "none" | "pending" | "wanted",
  at: string
) {
  const expiresAt = item.expiresAt ?? relationDeadline(at, yield* SendOptions)
  const change = yield* Effect.fromResult(enqueued({ ...stateOfView(view), queueState: null }, "waiting_relation"))
  yield* tellLead(view.row.leadId, "outbound_waiting")
  const waiting: QueueItem = {
    ...item,
    state: "waiting_relation",
    reason: "not_connected",
    failures: 0,
    invitedAt: item.invitedAt ?? (invitation === "pending" ? at : null),
    notBefore: lookAgainAt(at, item.createdAt, expiresAt),
    expiresAt,
    updatedAt: changedAt(item.updatedAt, at)
  }
  return { row: { ...moved(view, change, at), queueItemId: item.id }, item: waiting }
})

/** Back in the queue, to be tried again at `notBefore`. */
export const recordRetry = Effect.fnUntraced(function* (
  view: DraftView,
  item: QueueItem,
  reason: QueueReason,
  notBefore: string,
  at: string
) {
  const change = yield* Effect.fromResult(enqueued({ ...stateOfView(view), queueState: null }, "queued"))
  yield* tellLead(view.row.leadId, "outbound_waiting")
  const queued: QueueItem = {
    ...item,
    state: "queued",
    reason,
    failures: item.failures + 1,
    notBefore,
    updatedAt: changedAt(item.updatedAt, at)
  }
  return { row: { ...moved(view, change, at), queueItemId: item.id }, item: queued }
})

/** What a caller hears when nobody knows. */
export const unknownOutcome = (item: QueueItem): Failure =>
  fail(
    "SEND_OUTCOME_UNKNOWN",
    `It is not known whether the message was sent, so nothing sends it again. Look at the conversation on LinkedIn, then settle queue item ${item.id} with linkedin.queue.resolve.`
  )
