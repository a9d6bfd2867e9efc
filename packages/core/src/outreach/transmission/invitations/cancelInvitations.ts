/**
 * Cancelling queued invitations because a lead, draft or agent changed.
 *
 * Invitations that are being sent, may have been sent or are open stay as they are.
 */

import * as Effect from "effect/Effect"
import type { DraftId, LeadId, OrganizationId } from "../../../kernel/schema/RecordIds.ts"
import { now } from "../../../kernel/schema/Time.ts"
import { DraftInFlight, SendOutcomeUnknown } from "../../../leads/failures.ts"
import type { QueueReason } from "../reasons.ts"
import { ended, type Invitation, isLive, type Transmission } from "../Transmission.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"

/** The invitations to a lead, newest first. */
export const invitationsOf = (organizationId: OrganizationId, leadId: LeadId) =>
  Effect.flatMap(TransmissionsRepo, ({ ofLead }) =>
    Effect.map(ofLead(organizationId, leadId), (rows) => rows.filter((row) => row.kind === "invitation"))
  )

/** Cancels the queued invitations among `found`; returns the ids of their leads, each once. */
export const cancelInvitations = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  found: ReadonlyArray<Transmission>,
  reason: QueueReason
) {
  const at = yield* now
  const cancelled = found.flatMap((one) =>
    one.kind === "invitation" && one.state === "queued" ? [ended(one, "cancelled", reason, at)] : []
  )
  if (cancelled.length > 0) yield* (yield* TransmissionsRepo).save(organizationId, cancelled)
  return [...new Set(cancelled.map(({ leadId }) => leadId))]
})

/** Like {@link cancelInvitations}, for all of a lead. */
export const cancelInvitationsOf = (organizationId: OrganizationId, leadId: LeadId, reason: QueueReason) =>
  Effect.flatMap(invitationsOf(organizationId, leadId), (found) => cancelInvitations(organizationId, found, reason))

/** Like {@link cancelInvitations}, for a draft whose message no longer waits. */
export const cancelInvitationsFor = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  draftId: DraftId,
  reason: QueueReason
) {
  const queued = yield* (yield* TransmissionsRepo).queued(organizationId, { draftIds: [draftId] })
  yield* cancelInvitations(organizationId, queued, reason)
})

/**
 * Prepares a merge of leads: cancels a loser's invitation when the winner has a live one from the same account. Fails with
 * DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN for one that is being sent or may have been sent, as its recipient must stay known.
 */
export const mergeInvitations = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  winnerLeadId: LeadId,
  loserLeadIds: ReadonlyArray<string>
) {
  const at = yield* now
  const mine = yield* invitationsOf(organizationId, winnerLeadId)
  const taken = new Set(mine.filter(isLive).map(({ accountId }) => accountId))
  const surplus: Array<Invitation> = []
  for (const leadId of loserLeadIds) {
    for (const one of (yield* invitationsOf(organizationId, leadId)).filter(isLive)) {
      if (one.state === "sending") {
        return yield* new DraftInFlight({
          message: `An invitation to lead ${leadId} is being sent. Retry in a moment.`
        })
      }
      if (one.state === "ambiguous") {
        return yield* new SendOutcomeUnknown({
          message: `It is unknown whether invitation ${one.id} to lead ${leadId} was sent. Settle it with linkedin.queue.resolve.`
        })
      }
      if (taken.has(one.accountId)) surplus.push(ended(one, "cancelled", "lead_merged", at))
      taken.add(one.accountId)
    }
  }
  if (surplus.length > 0) yield* (yield* TransmissionsRepo).save(organizationId, surplus)
})
