/** Recording the outcome of sending an invitation. */

import * as Effect from "effect/Effect"
import { now } from "../../../kernel/schema/Time.ts"
import { SendOutcomeUnknown } from "../../../leads/failures.ts"
import { markWaiting } from "../../../leads/recordMessage.ts"
import { holdDraft } from "../../drafts/readDraft.ts"
import type { TransmissionFailure } from "../../failures.ts"
import { accountIfAny } from "../../provider/resolveAccount.ts"
import { afterFailure } from "../afterFailure.ts"
import type { InvitationClaim, SendOutcome } from "../Claim.ts"
import { wordingOfInvitation } from "../disclosure.ts"
import { refusalOf } from "../eligibility.ts"
import { clearWaitingLeads, failForGood, readFacts } from "../gate.ts"
import { holdInvitation } from "../readTransmission.ts"
import { saveOutcome, updateRelation } from "../saveOutcome.ts"
import { unknownAt } from "../sendOutcomes.ts"
import { announceUsage } from "../startTransmission.ts"
import { changed, ended, type Invitation } from "../Transmission.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"
import { announceInvitation, pendingInvitation } from "./confirmInvitation.ts"

/** The invitation afterwards, with the failure for the caller if it was refused or its outcome is unknown. */
interface RecordedInvitation {
  readonly invitation: Invitation
  readonly failure: TransmissionFailure | undefined
}

/** The failure for an unknown outcome. */
export const unknownInvitation = ({ id }: Pick<Invitation, "id">): SendOutcomeUnknown =>
  new SendOutcomeUnknown({
    message: `It is unknown whether the invitation was sent, so it is not sent again. Check LinkedIn, then settle ${id} with linkedin.queue.resolve, or withdraw it with linkedin.invitation.withdraw.`
  })

const next = Effect.fnUntraced(function* (
  claim: InvitationClaim,
  row: Invitation,
  outcome: Exclude<SendOutcome, { readonly _tag: "Waiting" }>,
  at: string
) {
  const done = (invitation: Invitation, failure?: TransmissionFailure): RecordedInvitation => ({ invitation, failure })
  switch (outcome._tag) {
    case "Sent": {
      const pending = pendingInvitation(row, outcome.externalId, at)
      yield* announceInvitation("invitation.sent", pending)
      return done(pending)
    }
    case "AlreadyPending":
      return done(pendingInvitation(row, null, at))
    case "AlreadyConnected":
      return done(ended(row, "cancelled", "already_connected", at))
  }
  const follow = yield* afterFailure(claim, row.failures, outcome, at)
  switch (follow._tag) {
    case "Again": {
      const { failures, notBefore, reason } = follow
      return done(changed(row, { state: "queued", reason, notBefore, failures }, at))
    }
    case "Over":
      return done(ended(row, "failed", follow.reason, at), follow.failure)
    case "Unknown":
      return done(unknownAt(row, at), unknownInvitation(row))
  }
})

/** Fails the message that waits for a permanently refused invitation. */
const failWaitingMessage = Effect.fnUntraced(function* ({ draftId, reason }: Invitation, detail: string) {
  if (draftId === null) return
  const view = yield* holdDraft(draftId)
  if (view.item?.state === "waiting_relation") yield* failForGood(view, reason ?? "blocked", detail)
})

/** Stores the outcome of a claim, in the current transaction. */
export const recordInvitation = Effect.fnUntraced(function* (claim: InvitationClaim, outcome: SendOutcome) {
  const { organizationId } = claim.row
  const view = yield* holdInvitation(claim.row.id)
  const stored = view.row
  const at = yield* now
  const { attempt, isOurs } = yield* saveOutcome(claim, stored, outcome, at)
  const unheard: RecordedInvitation = { invitation: stored, failure: unknownInvitation(stored) }
  if (!isOurs || outcome._tag === "Waiting") return unheard
  yield* updateRelation({ ...claim, recipient: { ...claim.recipient, leadId: stored.leadId } }, outcome, at)
  const { failure, invitation: after } = yield* next(claim, stored, outcome, at)
  // If nothing was sent, changes made while the provider was asked still count.
  const decided = { at: attempt.startedAt, leadStatus: claim.leadStatus }
  const block =
    after.state === "queued"
      ? refusalOf(
          yield* readFacts(view, wordingOfInvitation(after), after, yield* accountIfAny(after.agentId), decided),
          at
        )
      : undefined
  const invitation = block === undefined ? after : ended(after, "cancelled", block.reason, at)
  yield* (yield* TransmissionsRepo).save(organizationId, [invitation])
  if (attempt.outcome === "confirmed") yield* announceUsage(claim.account, attempt)
  if (invitation.state === "failed") yield* failWaitingMessage(invitation, attempt.detail ?? "")
  const isOver = invitation.state === "failed" || invitation.state === "cancelled"
  yield* isOver ? clearWaitingLeads([invitation.leadId]) : markWaiting(invitation.leadId)
  const recorded: RecordedInvitation = { invitation, failure: failure ?? block?.failure }
  return recorded
})
