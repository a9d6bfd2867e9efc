/** A message or an invitation as shown in the queue. */

import * as Schema from "effect/Schema"
import { snakeFields } from "../kernel/schema/snakeCase.ts"
import { eligibility } from "./eligibility.ts"
import { DraftQueueState } from "./LinkedInDraft.ts"
import { QueueReason, sentenceOf, waitingSentence } from "./reasons.ts"
import { actionOf, isWaiting, type LinkedInTransmission, type TransmissionView } from "./Transmission.ts"

/** States of queue items, messages and invitations. */
export const QueueState = Schema.Literals([...DraftQueueState.literals, "pending", "accepted", "withdrawn"]).annotate({
  description: "pending, accepted and withdrawn apply to invitations only"
})

/** States that are not settled yet. */
export const unsettledStates: ReadonlyArray<typeof DraftQueueState.Type> = [
  "queued",
  "waiting_relation",
  "sending",
  "ambiguous"
]

/** A queue item. */
export const QueueEntry = Schema.Struct({
  queue_id: Schema.String,
  kind: Schema.Literals(["message", "invitation"]),
  draft_id: Schema.NullOr(Schema.String).annotate({
    description: "The draft of the message, or the draft that waits for the invitation; null without one"
  }),
  lead_id: Schema.String,
  lead_name: Schema.String,
  account_id: Schema.String,
  state: QueueState,
  reason: Schema.NullOr(QueueReason).annotate({ description: "Why it is in this state" }),
  why: Schema.NullOr(Schema.String).annotate({ description: "The reason in words" }),
  position: Schema.NullOr(Schema.Int).annotate({
    description: "Position among the account's queued messages, starting at 1; otherwise null"
  }),
  not_before: Schema.NullOr(Schema.String).annotate({
    format: "date-time",
    description: "Earliest time of the next attempt; null if a person must act"
  }),
  attempts: Schema.Int.annotate({ description: "Number of attempts" })
})
export type QueueEntry = typeof QueueEntry.Type

/** Why an item waits, and until when; of several reasons, the most important one. */
export const waitReason = (
  { hold, mission, row }: TransmissionView<LinkedInTransmission>,
  now: string,
  paced: boolean
): { readonly reason: QueueReason | null; readonly until: string | null } => {
  const { bypass, notBefore, reason, state } = row
  if (state !== "queued" || notBefore === null) return { reason, until: notBefore }
  const isManual = reason === "by_hand"
  const facts = { action: actionOf(row), bypass, mission, isManual, notBefore, reason, paced, hold }
  const answer = eligibility(facts, now)
  if (answer._tag === "Now") return { reason: reason ?? "due", until: notBefore }
  return { reason: answer.reason, until: answer._tag === "Later" ? answer.when : null }
}

/** An item as shown at `now`. */
export const entryOf = (view: TransmissionView<LinkedInTransmission>, now: string, paced: boolean): QueueEntry => {
  const { position, row } = view
  const { reason, until } = waitReason(view, now, paced)
  return {
    queue_id: row.id,
    ...snakeFields(row, ["kind", "draftId", "leadId", "accountId", "state"]),
    lead_name: view.lead.name,
    reason,
    why: reason && (isWaiting(row) ? waitingSentence : sentenceOf)(reason),
    position,
    not_before: until,
    attempts: row.attempts
  }
}
