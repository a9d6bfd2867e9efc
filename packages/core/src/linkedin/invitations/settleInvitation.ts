/** Taking an invitation out of the queue, and settling one of which nobody knows. Source: contract 7 "Sending". */
import * as Effect from "effect/Effect"
import { Actor } from "../../Actor.ts"
import type { Execution } from "../../Execution.ts"
import { type Failure, fail, notFound } from "../../Failure.ts"
import { applyStatusEvent, holdLead } from "../../leads/index.ts"
import { changedAt, now } from "../../Time.ts"
import type { SendAttempt } from "../DraftRow.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { type SettleNeeds, settleWaiting } from "../settleWaiting.ts"
import { announceInvitation } from "./announceInvitation.ts"
import { endedInvitation, type Invitation } from "./Invitation.ts"
import type { ListedInvitation } from "./InvitationStore.ts"
import { pendingInvitation } from "./recordInvitation.ts"

/** Whether an id of the queue is that of an invitation. */
export const isInvitationId = (id: string): boolean => id.startsWith("inv_")

/** An invitation by its id. Fails with NOT_FOUND. */
export const readInvitation = Effect.fnUntraced(function* (
  id: string
): Effect.fn.Return<ListedInvitation, Failure, Actor | QueueRepo> {
  const { organizationId } = yield* Actor
  return (yield* (yield* QueueRepo).invitations.find(organizationId, id)) ?? (yield* notFound("invitation", id))
})

/** An invitation whose lead is held until the transaction ends. Fails with NOT_FOUND. */
export const holdInvitation = Effect.fnUntraced(function* (id: string) {
  const found = yield* readInvitation(id)
  yield* holdLead(found.invitation.leadId)
  return (yield* readInvitation(id)).invitation
})

const ended = ({ id, state }: Invitation): Failure =>
  fail("WRONG_STATE", `Invitation ${id} is ${state}, so this is over. Read it with linkedin.queue.list.`)

/** Writes down what became of the transmission of which nobody knew. */
export const settleInvitationAttempts = Effect.fnUntraced(function* (
  invitation: Invitation,
  outcome: NonNullable<SendAttempt["outcome"]>,
  detail: string,
  at: string
): Effect.fn.Return<void, Failure, QueueRepo> {
  const { attemptsOf, saveAttempt } = yield* QueueRepo
  for (const attempt of yield* attemptsOf(invitation.organizationId, invitation.id)) {
    if (attempt.outcome !== null && attempt.outcome !== "unknown") continue
    yield* saveAttempt({ ...attempt, outcome, detail, endedAt: attempt.endedAt ?? at })
  }
})

/** The provider has it, or it is accepted already: stores and states that it was sent. Answers it as it is then. */
export const confirmInvitation = Effect.fnUntraced(function* (
  invitation: Invitation,
  at: string,
  isAccepted: boolean
): Effect.fn.Return<Invitation, Failure, Execution | QueueRepo> {
  const updatedAt = changedAt(invitation.updatedAt, at)
  const queue = yield* QueueRepo
  const pending = pendingInvitation(invitation, null, updatedAt, at)
  const settled = isAccepted ? endedInvitation(pending, "accepted", null, updatedAt) : pending
  yield* settleInvitationAttempts(invitation, "confirmed", "settled", at)
  yield* queue.invitations.save(invitation.organizationId, [settled])
  yield* announceInvitation("invitation.sent", settled)
  const { accountId, leadId, organizationId } = invitation
  const { relation } = yield* queue.person(organizationId, accountId, leadId)
  const chatId = relation?.chatId ?? null
  const connected = isAccepted || relation?.connected === true
  const standing = { organizationId, accountId, leadId, connected, chatId }
  yield* queue.saveRelation({ ...standing, invitedAt: relation?.invitedAt ?? at, checkedAt: at })
  return settled
})

/** Takes an invitation that waits out of the queue. Fails with NOT_FOUND, WRONG_STATE, DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN. */
export const cancelQueuedInvitation = Effect.fnUntraced(function* (
  id: string
): Effect.fn.Return<ListedInvitation, Failure, SettleNeeds> {
  const invitation = yield* holdInvitation(id)
  if (invitation.state === "sending") {
    return yield* fail("DRAFT_IN_FLIGHT", `Invitation ${id} is being sent right now. Read the queue again in a moment.`)
  }
  if (invitation.state === "ambiguous") {
    return yield* fail(
      "SEND_OUTCOME_UNKNOWN",
      `Invitation ${id} may have been sent. Settle it with linkedin.queue.resolve, or take it back with linkedin.invitation.withdraw.`
    )
  }
  if (invitation.state !== "queued") return yield* ended(invitation)
  const at = changedAt(invitation.updatedAt, yield* now)
  const queue = yield* QueueRepo
  yield* queue.invitations.save(invitation.organizationId, [
    endedInvitation(invitation, "cancelled", "item_cancelled", at)
  ])
  yield* settleWaiting([invitation.leadId])
  return yield* readInvitation(id)
})

/**
 * Settles an invitation that may have been sent; one that waits may be said to be sent by whoever sent it by hand. Fails
 * with NOT_FOUND or WRONG_STATE.
 */
export const resolveInvitation = Effect.fnUntraced(function* (
  id: string,
  outcome: "sent" | "not_sent"
): Effect.fn.Return<ListedInvitation, Failure, SettleNeeds> {
  const invitation = yield* holdInvitation(id)
  const { state } = invitation
  if (state !== "ambiguous" && !(outcome === "sent" && state === "queued")) return yield* ended(invitation)
  const at = yield* now
  if (outcome === "sent") {
    yield* confirmInvitation(invitation, at, false)
    yield* Effect.catchIf(
      applyStatusEvent(invitation.leadId, "outbound_waiting"),
      ({ code }) => code === "LEAD_SUPPRESSED",
      () => Effect.void
    )
    return yield* readInvitation(id)
  }
  const { invitations, person, saveRelation } = yield* QueueRepo
  const updatedAt = changedAt(invitation.updatedAt, at)
  yield* settleInvitationAttempts(invitation, "refused", "settled", at)
  yield* invitations.save(invitation.organizationId, [endedInvitation(invitation, "failed", "not_sent", updatedAt)])
  const { relation } = yield* person(invitation.organizationId, invitation.accountId, invitation.leadId)
  if (relation !== undefined) yield* saveRelation({ ...relation, invitedAt: null })
  yield* settleWaiting([invitation.leadId])
  return yield* readInvitation(id)
})
