/**
 * A queue item, a message or an invitation, as it is shown: where it is, why, and until when.
 *
 * Source: catalogue 4.1 linkedin.queue.list; contract 7 "Sending".
 */
import * as Schema from "effect/Schema"
import type { QueueReason } from "./DraftRow.ts"
import { DraftQueueState } from "./DraftStatus.ts"
import type { ListedInvitation } from "./invitations/InvitationStore.ts"
import type { AccountHold } from "./pacing/Pacing.ts"
import type { ListedItem } from "./QueueRepo.ts"

/** States of queue items, messages and invitations. */
export const QueueState = Schema.Literals([...DraftQueueState.literals, "pending", "accepted", "withdrawn"]).annotate({
  description: "pending, accepted and withdrawn are those of invitations only"
})

/** The states of what is not settled yet. */
export const openStates: ReadonlyArray<typeof DraftQueueState.Type> = [
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
    description: "The draft of the message, or the one that waits for the invitation; null for an invitation by itself"
  }),
  lead_id: Schema.String,
  account_id: Schema.String,
  state: QueueState,
  reason: Schema.NullOr(Schema.String).annotate({
    description:
      "Why it is where it is: hold, due, spacing, outside_hours, usage_limit, limit, mission_paused, by_hand, …"
  }),
  position: Schema.NullOr(Schema.Int).annotate({
    description: "Its place among the account's messages that wait, from 1; null for others"
  }),
  not_before: Schema.NullOr(Schema.String).annotate({
    format: "date-time",
    description: "It is not tried before; null where nothing but a person moves it on"
  }),
  attempts: Schema.Int.annotate({ description: "Transmissions begun" })
})
export type QueueEntry = typeof QueueEntry.Type

interface Why {
  readonly reason: QueueReason | null
  readonly until: string | null
}

/** What holds a waiting item, the weightiest first; `now` is when it is asked. */
const accountWhy = (hold: AccountHold, bypass: boolean, now: string): Why | undefined => {
  const holds: ReadonlyArray<[QueueReason, string | null]> = bypass
    ? [["limit", hold.messageStoppedUntil]]
    : [
        ["limit", hold.messageStoppedUntil],
        [hold.pacedReason ?? "spacing", hold.pacedUntil],
        ["spacing", hold.nextAt]
      ]
  const found = holds.find(([, until]) => until !== null && until > now)
  return found === undefined ? undefined : { reason: found[0], until: found[1] }
}

const whyOf = ({ hold, isMissionActive, item }: ListedItem, now: string, paced: boolean): Why => {
  const { bypass, notBefore, reason, state } = item
  if (state !== "queued") return { reason, until: notBefore }
  if (reason === "by_hand" && isMissionActive) return { reason, until: null }
  if (!bypass && !isMissionActive) return { reason: "mission_paused", until: null }
  if (notBefore !== null && notBefore > now) return { reason: reason ?? "hold", until: notBefore }
  return accountWhy(hold, bypass || !paced, now) ?? { reason: reason ?? "due", until: notBefore }
}

/** The item as it is shown at an instant. */
export const entryOf = (listed: ListedItem, now: string, paced: boolean): QueueEntry => {
  const { item, position } = listed
  const { reason, until } = whyOf(listed, now, paced)
  return {
    queue_id: item.id,
    kind: "message",
    draft_id: item.draftId,
    lead_id: item.leadId,
    account_id: item.accountId,
    state: item.state,
    reason,
    position,
    not_before: until,
    attempts: item.attempts
  }
}

/** Why an invitation is where it is, and until when, at an instant. */
export const whyInvitation = ({ hold, invitation }: ListedInvitation, now: string, paced: boolean): Why => {
  const { bypass, notBefore, reason, state } = invitation
  if (state !== "queued" || notBefore === null) return { reason, until: notBefore }
  if (notBefore > now) return { reason: reason ?? "hold", until: notBefore }
  const stopped: ReadonlyArray<[QueueReason, string | null]> = [["limit", hold.invitationStoppedUntil]]
  const holds: ReadonlyArray<[QueueReason, string | null]> =
    bypass || !paced
      ? stopped
      : [...stopped, [hold.invitationPacedReason ?? "spacing", hold.invitationPacedUntil], ["spacing", hold.nextAt]]
  const found = holds.find(([, until]) => until !== null && until > now)
  return found === undefined ? { reason: reason ?? "due", until: notBefore } : { reason: found[0], until: found[1] }
}

/** The invitation as it is shown at an instant. */
export const invitationEntryOf = (listed: ListedInvitation, now: string, paced: boolean): QueueEntry => {
  const { accountId, attempts, draftId, id, leadId, state } = listed.invitation
  const { reason, until } = whyInvitation(listed, now, paced)
  return {
    queue_id: id,
    kind: "invitation",
    draft_id: draftId,
    lead_id: leadId,
    account_id: accountId,
    state,
    reason,
    position: null,
    not_before: until,
    attempts
  }
}
