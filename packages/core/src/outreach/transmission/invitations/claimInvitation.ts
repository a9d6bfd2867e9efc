/** Deciding to send an invitation, and saying so before anything leaves: a claim, or a place in the queue. */
import * as Effect from "effect/Effect"
import { now } from "../../../kernel/schema/Time.ts"
import { markWaiting } from "../../../leads/recordMessage.ts"
import type { LinkedInAccount } from "../../provider/LinkedInAccount.ts"
import type { InvitationClaim } from "../Claim.ts"
import type { Facts, Refused } from "../eligibility.ts"
import type { QueueReason } from "../reasons.ts"
import { startTransmission } from "../startTransmission.ts"
import { changed, type Invitation } from "../Transmission.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"

/** How to send: under which lease, for whom, and whether the account rests afterwards (it does, unless it just began to). */
interface InvitationMode extends Pick<InvitationClaim, "isFromCommand" | "leadStatus"> {
  readonly fence?: number
  readonly rests: boolean
}

/** A claim; or it waits, why and until when (null where nothing but a person moves it on); or another process has it. */
type ClaimedInvitation =
  | { readonly _tag: "Claim"; readonly claim: InvitationClaim }
  | {
      readonly _tag: "Queued"
      readonly invitation: Invitation
      readonly reason: QueueReason
      readonly until: string | null
    }
  | Refused
  | { readonly _tag: "Lost" }

/** Claims a queued invitation whose lead is held. `gate` is what the gate reads; `account` what the agent has now. */
export const claimInvitation = Effect.fnUntraced(function* (
  invitation: Invitation,
  account: LinkedInAccount | undefined,
  gate: Facts,
  { fence, isFromCommand, leadStatus, rests }: InvitationMode
) {
  const { id, leadId, notBefore, organizationId } = invitation
  const row = changed(invitation, {}, yield* now)
  const started = yield* startTransmission(row, account, gate, {
    fence,
    rests,
    recipient: row.recipient,
    prepare: Effect.void
  })
  if (started._tag === "Later") {
    const { isAccountHeld, reason } = started
    const until = reason === "by_hand" ? null : (started.when ?? row.updatedAt)
    // Where the account is held, the invitation is due, and the account is looked at again.
    const waiting = { ...row, reason, notBefore: isAccountHeld ? (notBefore ?? row.updatedAt) : until }
    yield* (yield* TransmissionsRepo).save(organizationId, [waiting])
    yield* markWaiting(leadId)
    const queued: ClaimedInvitation = { _tag: "Queued", invitation: waiting, reason, until }
    return queued
  }
  if (started._tag !== "Started") {
    const left: ClaimedInvitation = started
    return left
  }
  const { attempt, fence: taken, recipient } = started
  const begun = { state: "sending", reason: null, notBefore: null, attempts: attempt.number, fence: taken } as const
  const lease = { organizationId, id, fence: taken }
  const claim = {
    row: { ...row, ...begun },
    lease,
    attempt,
    account: started.account,
    recipient,
    isFromCommand,
    sought: undefined,
    leadStatus
  }
  const claimed: ClaimedInvitation = { _tag: "Claim", claim }
  return claimed
})
