/**
 * Deciding to send an invitation, and saying so before anything leaves: a claim, or a place in the queue.
 *
 * Source: G10, G39; contract 7 "Sending"; reliability research, threat 1.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../../Actor.ts"
import type { Execution } from "../../Execution.ts"
import type { Failure } from "../../Failure.ts"
import type { LeadConsequences, LeadsRepo } from "../../leads/index.ts"
import { applyStatusEvent } from "../../leads/index.ts"
import { changedAt, now } from "../../Time.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import type { QueueReason, SendAttempt } from "../DraftRow.ts"
import type { LinkedInAccount } from "../LinkedInAccount.ts"
import { LinkedInGateway, type Recipient } from "../LinkedInGateway.ts"
import { holdAccount, paceOf } from "../pacing/paceSend.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { retryAccountAt, retryBusyAt, SendOptions } from "../SendOptions.ts"
import { actionOf, type Invitation } from "./Invitation.ts"

/** What it takes. */
export type ClaimInvitationNeeds =
  | Actor
  | AccountsRepo
  | Execution
  | LeadConsequences
  | LeadsRepo
  | LinkedInGateway
  | QueueRepo

/** An invitation in state `sending` whose attempt is stored. */
export interface InvitationClaim {
  readonly invitation: Invitation
  readonly attempt: SendAttempt
  readonly account: LinkedInAccount
  readonly recipient: Recipient
  /** True for a command, whose caller hears of a refusal. */
  readonly isCallers: boolean
}

/** How to send: under which lease, for whom, and whether the account rests afterwards (it does, unless it just began to). */
export interface InvitationManner {
  readonly isCallers: boolean
  readonly fence?: number
  readonly rests: boolean
}

/** A claim; or it waits, why and until when (null where nothing but a person moves it on); or another process has it. */
export type ClaimedInvitation =
  | { readonly _tag: "Claim"; readonly claim: InvitationClaim }
  | {
      readonly _tag: "Queued"
      readonly invitation: Invitation
      readonly reason: QueueReason
      readonly until: string | null
    }
  | { readonly _tag: "Lost" }

/** Claims a queued invitation whose lead is held and may be contacted, through the account that is its own. */
export const claimInvitation = Effect.fnUntraced(function* (
  invitation: Invitation,
  account: LinkedInAccount,
  manner: InvitationManner
): Effect.fn.Return<ClaimedInvitation, Failure, ClaimInvitationNeeds> {
  const { organizationId } = yield* Actor
  const { invitations, isBusy, person } = yield* QueueRepo
  const at = yield* now
  const wait = Effect.fnUntraced(function* (reason: QueueReason, until: string | null, notBefore = until) {
    const waiting = { ...invitation, reason, notBefore, updatedAt: changedAt(invitation.updatedAt, at) }
    yield* invitations.save(organizationId, [waiting])
    yield* applyStatusEvent(invitation.leadId, "outbound_waiting")
    return { _tag: "Queued", invitation: waiting, reason, until } as const
  })
  /** The account is held, not the invitation: it is due, and the account is looked at again. */
  const holdBack = Effect.fnUntraced(function* (reason: QueueReason, until: string) {
    yield* holdAccount(account, reason, until, at, "invitation")
    const waiting = yield* wait(reason, until, invitation.notBefore ?? at)
    return waiting
  })
  yield* (yield* AccountsRepo).ensure(account)
  if (account.status !== "OK") return yield* wait("account_down", retryAccountAt(at))
  if ((yield* LinkedInGateway).isByHand === true) return yield* wait("by_hand", null)
  if (yield* isBusy(organizationId, invitation.leadId, "")) return yield* wait("lead_busy", retryBusyAt(at))
  const action = actionOf(invitation)
  const pace = yield* paceOf(invitation, account, at, action)
  if ("opensAt" in pace) {
    return yield* pace.isLeads ? wait("outside_hours", pace.opensAt) : holdBack("outside_hours", pace.opensAt)
  }
  const claimed: Invitation = {
    ...invitation,
    state: "sending",
    reason: null,
    notBefore: null,
    attempts: invitation.attempts + 1,
    updatedAt: changedAt(invitation.updatedAt, at)
  }
  const attempt: SendAttempt = {
    organizationId,
    queueItemId: claimed.id,
    number: claimed.attempts,
    accountId: account.id,
    action,
    outcome: null,
    detail: null,
    startedAt: at,
    endedAt: null
  }
  const { leaseSeconds } = yield* SendOptions
  const gapSeconds = manner.rests ? pace.gapSeconds : null
  const { rules } = pace
  const begun = yield* invitations.begin({
    invitation: claimed,
    attempt,
    fence: manner.fence,
    rules,
    gapSeconds,
    leaseSeconds
  })
  if (begun._tag === "Lost") return begun
  if (begun._tag === "Held") {
    const { reason, until } = begun
    // Those without a note may leave while those with one have reached their own limit.
    const isAlone = reason === "limit" || (reason === "usage_limit" && action === "invitation_with_note")
    return yield* isAlone ? wait(reason, until) : holdBack(reason, until)
  }
  const { identities, relation } = yield* person(organizationId, account.id, invitation.leadId)
  const recipient = { leadId: invitation.leadId, identities, invitedAt: relation?.invitedAt ?? null }
  const { isCallers } = manner
  return {
    _tag: "Claim",
    claim: { invitation: { ...claimed, fence: begun.fence }, attempt, account, recipient, isCallers }
  }
})
