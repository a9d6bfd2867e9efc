/**
 * Taking invitations out of the queue because something happened elsewhere: the lead, its draft or the agent changed.
 *
 * What is being transmitted, may have been sent, or is with the person, stays as it is. Source: G1, G11, G32.
 */
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../Failure.ts"
import { changedAt, now } from "../../Time.ts"
import type { QueueReason } from "../DraftRow.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { endedInvitation, type Invitation, isLive } from "./Invitation.ts"

/** Cancels those that wait; answers the ids of their leads, each once. */
export const cancelInvitations = Effect.fnUntraced(function* (
  organizationId: string,
  found: ReadonlyArray<Invitation>,
  reason: QueueReason
): Effect.fn.Return<ReadonlyArray<string>, Failure, QueueRepo> {
  const at = yield* now
  const waiting = found.filter(({ state }) => state === "queued")
  if (waiting.length === 0) return []
  const ended = waiting.map((one) => endedInvitation(one, "cancelled", reason, changedAt(one.updatedAt, at)))
  yield* (yield* QueueRepo).invitations.save(organizationId, ended)
  return [...new Set(waiting.map(({ leadId }) => leadId))]
})

/** As {@link cancelInvitations}, for all of a lead. */
export const cancelInvitationsOf = Effect.fnUntraced(function* (
  organizationId: string,
  leadId: string,
  reason: QueueReason
): Effect.fn.Return<ReadonlyArray<string>, Failure, QueueRepo> {
  const { invitations } = yield* QueueRepo
  return yield* cancelInvitations(organizationId, yield* invitations.ofLead(organizationId, leadId), reason)
})

/** As {@link cancelInvitations}, for a draft whose message does not wait any more. */
export const cancelInvitationsFor = Effect.fnUntraced(function* (
  organizationId: string,
  draftId: string,
  reason: QueueReason
): Effect.fn.Return<void, Failure, QueueRepo> {
  const { invitations } = yield* QueueRepo
  yield* cancelInvitations(organizationId, yield* invitations.queued(organizationId, { draftIds: [draftId] }), reason)
})

/**
 * Gives the invitations of leads that turned out to be one person to the winner. Where the winner has a live one of the
 * same account, the loser's is over. Fails with DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN for one that is being transmitted
 * or may have been, as whom it went to must stay known.
 */
export const moveInvitations = Effect.fnUntraced(function* (
  organizationId: string,
  winnerLeadId: string,
  loserLeadIds: ReadonlyArray<string>
): Effect.fn.Return<void, Failure, QueueRepo> {
  const { invitations } = yield* QueueRepo
  const at = yield* now
  const mine = yield* invitations.ofLead(organizationId, winnerLeadId)
  const taken = new Set(mine.filter(isLive).map(({ accountId }) => accountId))
  const surplus: Array<Invitation> = []
  for (const leadId of loserLeadIds) {
    for (const one of (yield* invitations.ofLead(organizationId, leadId)).filter(isLive)) {
      if (one.state === "sending") {
        return yield* fail("DRAFT_IN_FLIGHT", `An invitation to lead ${leadId} is being sent right now. Try again.`)
      }
      if (one.state === "ambiguous") {
        return yield* fail(
          "SEND_OUTCOME_UNKNOWN",
          `It is not known whether invitation ${one.id} to lead ${leadId} was sent. Settle it with linkedin.queue.resolve.`
        )
      }
      if (taken.has(one.accountId)) {
        surplus.push(endedInvitation(one, "cancelled", "lead_merged", changedAt(one.updatedAt, at)))
      }
      taken.add(one.accountId)
    }
  }
  if (surplus.length > 0) yield* invitations.save(organizationId, surplus)
  yield* invitations.adopt(organizationId, winnerLeadId, loserLeadIds, at)
})
