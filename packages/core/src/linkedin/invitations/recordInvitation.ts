/**
 * Writing down what became of an invitation's claim.
 *
 * It is fenced: an outcome changes the invitation only while it is still in the attempt that the outcome belongs to. A
 * confirmation alone is believed later too. Source: G11, G35, G39; contract 7 "Sending".
 */
import * as Effect from "effect/Effect"
import type { Actor } from "../../Actor.ts"
import { type Execution, emit } from "../../Execution.ts"
import { type Failure, fail } from "../../Failure.ts"
import { applyStatusEvent, holdLead, type LeadConsequences, type LeadsRepo } from "../../leads/index.ts"
import { changedAt, now } from "../../Time.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import type { DraftsRepo } from "../DraftsRepo.ts"
import { announceUsage } from "../pacing/announceUsage.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { holdDraft } from "../readDraft.ts"
import { accountDisconnected } from "../resolveAccount.ts"
import { firstLookSeconds, mostFailures, retryAccountAt, retryAt, secondsAfter } from "../SendOptions.ts"
import { attemptAfter } from "../sending/attemptAfter.ts"
import { giveUp } from "../sending/endItem.ts"
import { settleWaiting } from "../settleWaiting.ts"
import { announceInvitation } from "./announceInvitation.ts"
import type { InvitationClaim } from "./claimInvitation.ts"
import { endedInvitation, type Invitation } from "./Invitation.ts"
import type { InvitationOutcome } from "./transmitInvitation.ts"

/** What it takes. */
export type RecordInvitationNeeds =
  | AccountsRepo
  | Actor
  | DraftsRepo
  | Execution
  | LeadConsequences
  | LeadsRepo
  | QueueRepo

/** The invitation after it, with the reason for a caller when it was refused or its outcome is not known. */
export interface RecordedInvitation {
  readonly invitation: Invitation
  readonly failure: Failure | undefined
}

/** How long a limit of the provider's stops invitations, when it does not say itself. Source: G39. */
const limitSeconds = 86_400

/** What a caller hears when nobody knows. */
export const unknownInvitation = ({ id }: Pick<Invitation, "id">): Failure =>
  fail(
    "SEND_OUTCOME_UNKNOWN",
    `It is not known whether the invitation was sent, so nothing sends it again. Look at LinkedIn, then settle ${id} with linkedin.queue.resolve, or take it back with linkedin.invitation.withdraw.`
  )

const rejection = ({ kind, providerCode }: Extract<InvitationOutcome, { readonly _tag: "Rejected" }>): Failure =>
  fail(
    "GATEWAY_REJECTED",
    `LinkedIn's provider refused the invitation (${kind}, provider=${providerCode.slice(0, 100)}). Nothing was sent. Check ` +
      "the person before you try again."
  )

/** An invitation that the provider has. */
export const pendingInvitation = (
  invitation: Invitation,
  externalId: string | null,
  at: string,
  sentAt: string = at
): Invitation => ({
  ...invitation,
  state: "pending",
  reason: "invitation_pending",
  externalId: externalId ?? invitation.externalId,
  failures: 0,
  notBefore: null,
  sentAt: invitation.sentAt ?? sentAt,
  updatedAt: at
})

const next = Effect.fnUntraced(function* (
  { account, isCallers }: InvitationClaim,
  invitation: Invitation,
  outcome: InvitationOutcome,
  at: string
): Effect.fn.Return<RecordedInvitation, Failure, RecordInvitationNeeds> {
  const done = (after: Invitation, failure?: Failure): RecordedInvitation => ({ invitation: after, failure })
  const again = (reason: Invitation["reason"], notBefore: string, failures: number): RecordedInvitation =>
    done({ ...invitation, state: "queued", reason, notBefore, failures, updatedAt: at })
  switch (outcome._tag) {
    case "Sent": {
      const pending = pendingInvitation(invitation, outcome.externalId, at)
      yield* announceInvitation("invitation.sent", pending)
      return done(pending)
    }
    case "AlreadyPending":
      return done(pendingInvitation(invitation, null, at))
    case "AlreadyConnected":
      return done(endedInvitation(invitation, "cancelled", "already_connected", at))
    case "Retry": {
      const { adviceSeconds, reason } = outcome
      if (reason === "limit") {
        const until = retryAt(at, 1, adviceSeconds ?? limitSeconds)
        yield* (yield* QueueRepo).stop(invitation.organizationId, account.id, "invitation", until)
        return again(reason, until, invitation.failures)
      }
      const failures = invitation.failures + 1
      if (failures >= mostFailures) return done(endedInvitation(invitation, "failed", reason, at))
      return again(reason, retryAt(at, failures, adviceSeconds), failures)
    }
    case "Rejected":
      return done(endedInvitation(invitation, "failed", outcome.kind, at), rejection(outcome))
    case "AccountDown": {
      const { kind, providerCode } = outcome
      const status = kind === "account_restricted" ? "RESTRICTED" : "CREDENTIALS"
      if (yield* (yield* AccountsRepo).setStatus(account.organizationId, account.id, status, at)) {
        const data = { agent_id: account.agentId, from: account.status, to: status, provider_code: providerCode }
        yield* emit({ type: "account.status_changed", subject: { type: "account", id: account.id }, data })
      }
      if (!isCallers) return again(kind, retryAccountAt(at), invitation.failures)
      return done(endedInvitation(invitation, "failed", kind, at), accountDisconnected({ ...account, status }))
    }
    case "Unknown": {
      const notBefore = secondsAfter(at, firstLookSeconds)
      const unknown = { ...invitation, state: "ambiguous" as const, reason: "outcome_unknown" as const, notBefore }
      return done({ ...unknown, updatedAt: at }, unknownInvitation(invitation))
    }
  }
})

const saveRelation = Effect.fnUntraced(function* (
  { account, recipient }: InvitationClaim,
  outcome: InvitationOutcome,
  at: string
) {
  const isInvited = outcome._tag === "Sent" || outcome._tag === "AlreadyPending" || outcome._tag === "Unknown"
  const { organizationId } = account
  const { leadId } = recipient
  const queue = yield* QueueRepo
  const { relation: known } = yield* queue.person(organizationId, account.id, leadId)
  const connected = outcome._tag === "AlreadyConnected" || (outcome.relation?.connected ?? known?.connected ?? false)
  const chatId = outcome.relation?.chatId ?? known?.chatId ?? null
  if (outcome.relation === undefined && !isInvited && !connected) return
  const invitedAt = isInvited ? at : (known?.invitedAt ?? null)
  yield* queue.saveRelation({
    organizationId,
    accountId: account.id,
    leadId,
    connected,
    chatId,
    invitedAt,
    checkedAt: at
  })
})

/** The message that waits for an invitation that was refused for good goes back to a person. */
const giveUpMessage = Effect.fnUntraced(function* ({ draftId, reason }: Invitation, detail: string) {
  if (draftId === null) return
  const view = yield* holdDraft(draftId)
  if (view.item?.state === "waiting_relation") yield* giveUp(view, reason ?? "blocked", detail)
})

/** Stores the outcome of a claim, in the transaction that runs. */
export const recordInvitation = Effect.fnUntraced(function* (
  claim: InvitationClaim,
  outcome: InvitationOutcome
): Effect.fn.Return<RecordedInvitation, Failure, RecordInvitationNeeds> {
  const { account, attempt } = claim
  const { organizationId } = claim.invitation
  const queue = yield* QueueRepo
  yield* holdLead(claim.invitation.leadId)
  const at = yield* now
  const ended = attemptAfter(attempt, outcome, at)
  yield* queue.saveAttempt(ended)
  const stored = (yield* queue.invitations.find(organizationId, claim.invitation.id))?.invitation
  const isOpen = stored?.state === "sending" || (stored?.state === "ambiguous" && outcome._tag === "Sent")
  if (stored === undefined || stored.attempts !== attempt.number || !isOpen) {
    return { invitation: stored ?? claim.invitation, failure: unknownInvitation(claim.invitation) }
  }
  const merged = { ...claim, recipient: { ...claim.recipient, leadId: stored.leadId } }
  yield* saveRelation(merged, outcome, at)
  const { failure, invitation: after } = yield* next(claim, stored, outcome, at)
  const invitation = { ...after, updatedAt: changedAt(stored.updatedAt, at) }
  yield* queue.invitations.save(organizationId, [invitation])
  if (ended.outcome === "confirmed") yield* announceUsage(account, ended)
  if (invitation.state === "failed") yield* giveUpMessage(invitation, ended.detail ?? "")
  if (invitation.state === "failed" || invitation.state === "cancelled") yield* settleWaiting([invitation.leadId])
  else {
    yield* Effect.catchIf(
      applyStatusEvent(invitation.leadId, "outbound_waiting"),
      ({ code }) => code === "LEAD_SUPPRESSED",
      () => Effect.void
    )
  }
  return { invitation, failure }
})
