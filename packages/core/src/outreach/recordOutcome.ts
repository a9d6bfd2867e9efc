/** Recording the outcome of a claim, for messages and invitations: the second transaction of a send. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { emit, warn } from "../kernel/command/Execution.ts"
import { type Failure, isStoreDown } from "../kernel/failure/Failure.ts"
import { type InstantText, now } from "../kernel/schema/IdsAndTime.ts"
import { SendOutcomeUnknown } from "../leads/failures.ts"
import { carryOut, decide, recordDelivery } from "./carryOut.ts"
import { type DraftView, holdDraft } from "./DraftsRepo.ts"
import { refusalOf } from "./eligibility.ts"
import { GatewayRejected, type TransmissionFailure } from "./failures.ts"
import { applyRefusal, readFacts } from "./gate.ts"
import { acceptInvitation, requestInvitation } from "./invitations/requestInvitation.ts"
import { type Event, type Life, lifeOf, viewIn } from "./Life.ts"
import type { SendAttempt } from "./pacing/UsageLimits.ts"
import { AccountsRepo } from "./provider/AccountsRepo.ts"
import { accountDisconnected, accountIfAny, statusOfRefusal } from "./provider/LinkedInGateway.ts"
import type { RefusalKind } from "./provider/ProviderReads.ts"
import {
  maxFailures,
  recheckRelationAt,
  relationDeadline,
  retryAccountAt,
  retryAt,
  SendOptions
} from "./SendOptions.ts"
import * as Sending from "./startTransmission.ts"
import type { Invitation, LinkedInTransmission, Message, TransmissionView } from "./Transmission.ts"
import { changeRelation, holdInvitation, TransmissionsRepo } from "./TransmissionsRepo.ts"

/** The failure for an unknown outcome. */
export const unknownOutcome = ({ id, kind }: Pick<LinkedInTransmission, "id" | "kind">): SendOutcomeUnknown =>
  new SendOutcomeUnknown({
    message:
      kind === "message"
        ? `It is unknown whether the message was sent, so it is not sent again. Check the conversation on LinkedIn, then settle queue item ${id} with linkedin.queue.resolve.`
        : `It is unknown whether the invitation was sent, so it is not sent again. Check LinkedIn, then settle ${id} with linkedin.queue.resolve, or withdraw it with linkedin.invitation.withdraw.`
  })

const rejection = (what: string, kind: string, providerCode: string): GatewayRejected =>
  new GatewayRejected({
    message:
      `LinkedIn's provider refused the ${what} (${kind}, provider=${providerCode.slice(0, 100)}). Nothing was sent` +
      `${what === "message" ? " and the draft is unchanged. Check the recipient" : ". Check the person"} before retrying.`
  })

type OutcomeEvent = Event<"Confirm" | "FindPending" | "Accept" | "AwaitRelation" | "Retry" | "Fail" | "Lose">

type Claimed = Sending.LinkedInClaim & Partial<Pick<Sending.MessageClaim, "before">>

/** How long a limit of the provider stops an action, unless the provider says. */
const limitSeconds = 86_400

/** What an outcome is to the state machine, and the failure for the caller. */
const eventFor = (
  claim: Claimed,
  row: LinkedInTransmission,
  outcome: Sending.SendOutcome,
  at: InstantText,
  options: SendOptions
): { readonly event: OutcomeEvent; readonly failure?: TransmissionFailure } => {
  const {
    account,
    attempt: { number: attempt },
    isFromCommand
  } = claim
  const { failures } = row
  // What a refused send_now restores: the draft, and the queue item from before.
  const before = isFromCommand && claim.before?.item?.bypass !== true ? claim.before : undefined
  const retry = (reason: RefusalKind | "unavailable", detail: string, advice: number | null): OutcomeEvent => {
    if (reason === "limit") {
      return { _tag: "Retry", attempt, reason, notBefore: retryAt(at, 1, advice ?? limitSeconds), failures }
    }
    const counted = failures + 1
    if (counted >= maxFailures) return { _tag: "Fail", attempt, reason, detail, before }
    return { _tag: "Retry", attempt, reason, notBefore: retryAt(at, counted, advice), failures: counted }
  }
  switch (outcome._tag) {
    case "Sent": {
      const externalId = row.kind === "message" ? (outcome.externalId ?? outcome.messageId) : outcome.externalId
      return { event: { _tag: "Confirm", attempt, externalId, recordedAs: null, isFirst: false } }
    }
    case "AlreadyPending":
      return { event: { _tag: "FindPending", attempt } }
    case "AlreadyConnected":
      return { event: { _tag: "Accept", attempt } }
    case "Waiting": {
      const expiresAt = row.expiresAt ?? relationDeadline(at, options)
      const known = row.kind === "message" ? row.invitedAt : null
      const invitedAt = known ?? (outcome.invitation === "pending" ? at : null)
      const notBefore = recheckRelationAt(at, row.createdAt, expiresAt)
      return { event: { _tag: "AwaitRelation", attempt, expiresAt, invitedAt, notBefore } }
    }
    case "Unavailable":
      return { event: retry("unavailable", outcome.detail, null) }
    case "Refused": {
      const { kind: reason, providerCode: detail, retryAfterSeconds } = outcome
      if (Sending.isTemporary(reason)) return { event: retry(reason, detail, retryAfterSeconds) }
      if (Sending.isOfAccount(reason) && !isFromCommand) {
        return { event: { _tag: "Retry", attempt, reason, notBefore: retryAccountAt(at), failures } }
      }
      const isDown = Sending.isOfAccount(reason)
      const failure = isDown
        ? accountDisconnected({ ...account, status: statusOfRefusal(reason) })
        : rejection(row.kind, reason, detail)
      return { event: { _tag: "Fail", attempt, reason, detail, before }, failure }
    }
    case "Unknown":
      return { event: { _tag: "Lose", attempt, detail: outcome.detail }, failure: unknownOutcome(row) }
  }
}

/** Stops the action, or notes the account's status, if the provider says so. */
const changeAccount = Effect.fnUntraced(function* (
  { account, row: { kind } }: Sending.LinkedInClaim,
  outcome: Sending.SendOutcome,
  { event }: ReturnType<typeof eventFor>,
  at: InstantText
) {
  const { agentId, id, organizationId, status: from } = account
  if (outcome._tag !== "Refused") return
  if (outcome.kind === "limit" && event._tag === "Retry") {
    yield* (yield* TransmissionsRepo).stop(organizationId, id, kind, event.notBefore)
  }
  if (!Sending.isOfAccount(outcome.kind)) return
  const to = statusOfRefusal(outcome.kind)
  if ((yield* (yield* AccountsRepo).saveFacts(organizationId, id, { status: to }, at)) === undefined) return
  const data = { agent_id: agentId, from, to, provider_code: outcome.providerCode }
  yield* emit({ type: "account.status_changed", subject: { type: "account", id }, data })
})

/** Stores what the provider said of account and person. */
const updateRelation = Effect.fnUntraced(function* (
  { account, recipient: { invitedAt }, row }: Sending.LinkedInClaim,
  leadId: string,
  outcome: Sending.SendOutcome,
  at: InstantText
) {
  const { _tag, relation: heard } = outcome
  const isConnected = _tag === "AlreadyConnected"
  const isInvited =
    row.kind === "invitation"
      ? _tag === "Sent" || _tag === "AlreadyPending" || _tag === "Unknown"
      : _tag === "Waiting" && outcome.invitation === "pending"
  if (heard === undefined && !isInvited && !isConnected) return
  const { id: accountId, organizationId } = account
  const stored = yield* changeRelation({ organizationId, accountId, leadId }, at, (known) => {
    const before = known?.invitedAt ?? invitedAt
    return {
      connected: isConnected || (heard?.connected ?? known?.connected ?? false),
      chatId: heard?.chatId ?? known?.chatId ?? null,
      invitedAt: isInvited ? (row.kind === "invitation" ? at : (before ?? at)) : before
    }
  })
  if (stored?.connected && row.kind === "message") yield* acceptInvitation(organizationId, accountId, leadId, at)
})

/** What the provider said of it. */
const detailOf = (outcome: Sending.SendOutcome): string | null => {
  if (outcome._tag === "Sent") return outcome.externalId
  if ("detail" in outcome) return outcome.detail
  if (outcome._tag === "Waiting") return "not_connected"
  return "providerCode" in outcome ? outcome.providerCode : Sending.wordsOf(outcome).detail
}

const nothingLeft: ReadonlySet<Sending.SendOutcome["_tag"]> = new Set(["Waiting", "Refused", "Unavailable"])

/**
 * Stores the attempt with its outcome, and what follows while the row is still in that attempt. A confirmation is believed even
 * after the attempt was taken for lost, as it is the truth. If nothing was sent, changes made while the provider was asked count.
 */
const record = Effect.fnUntraced(function* (
  claim: Claimed,
  view: DraftView | TransmissionView<Invitation>,
  outcome: Sending.SendOutcome
) {
  const at = yield* now
  const detail = detailOf(outcome)?.slice(0, 500) ?? null
  const attempt: SendAttempt = { ...claim.attempt, outcome: Sending.wordsOf(outcome).attempt, detail, endedAt: at }
  yield* (yield* TransmissionsRepo).saveAttempt(attempt)
  const life = lifeOf(view)
  const stored = "item" in view ? view.item : view.row
  const row = stored ?? claim.row
  const answer = eventFor(claim, row, outcome, at, yield* SendOptions)
  const unheard: { life: Life; failure: TransmissionFailure | undefined } = { life, failure: unknownOutcome(row) }
  if (stored?.id !== claim.row.id || Result.isFailure(decide(life, answer.event, at))) return unheard
  yield* updateRelation(claim, row.leadId, outcome, at)
  yield* changeAccount(claim, outcome, answer, at)
  const event =
    answer.event._tag === "Confirm" && "item" in view
      ? { ...answer.event, ...(yield* recordDelivery(view, answer.event.externalId, at)) }
      : answer.event
  const after = yield* carryOut(
    yield* Effect.catchTag(Effect.fromResult(decide(life, event, at)), "DraftInFlight", Effect.die),
    at
  )
  if (attempt.outcome === "confirmed") yield* Sending.announceUsage(claim.account, attempt)
  const done: typeof unheard = { life: after, failure: answer.failure }
  if (!nothingLeft.has(outcome._tag)) return done
  const decided = { at: attempt.startedAt, leadStatus: claim.leadStatus }
  const block = refusalOf(yield* readFacts(view, yield* accountIfAny(view.agent.id), decided), at)
  if (block === undefined) return done
  const blocked: typeof unheard = {
    life: yield* applyRefusal(after, block, at),
    failure: done.failure ?? block.failure
  }
  return blocked
})

/** Queues the invitation for a message, except within 21 days of a withdrawal. */
const wantInvitation = Effect.fnUntraced(function* (claim: Sending.MessageClaim, item: Message) {
  const { bypass, draftId, invitationNote: note, leadId } = item
  const { approved, approvedBy, createdBy } = claim.view.row
  const recipient = approved?.recipient ?? []
  const requestedBy = approvedBy ?? createdBy
  const asked = yield* Effect.result(
    requestInvitation({ account: claim.account, leadId, draftId, note, bypass, recipient, requestedBy })
  )
  if (asked._tag === "Failure") {
    if (asked.failure.code !== "WRONG_STATE") return yield* asked.failure
    yield* warn(`not_invited: ${asked.failure.message}`)
    return undefined
  }
  const { invitation, isNew } = asked.success
  if (isNew) yield* (yield* TransmissionsRepo).save(item.organizationId, [invitation])
  return invitation.state === "queued" ? invitation : undefined
})

/**
 * Stores the outcome of a message. Returns the draft as it is then, the failure for the caller if it was refused or its outcome is
 * unknown, and the invitation to send now.
 */
export const recordSend = Effect.fnUntraced(function* (claim: Sending.MessageClaim, outcome: Sending.SendOutcome) {
  const held = yield* holdDraft(claim.view.row.id)
  const { failure, life } = yield* record(claim, held, outcome)
  const view = viewIn(held, life)
  const isWanted =
    outcome._tag === "Waiting" && outcome.invitation === "wanted" && view.item?.state === "waiting_relation"
  return { view, failure, wanted: isWanted && view.item ? yield* wantInvitation(claim, view.item) : undefined }
})

/** The same for an invitation. */
export const recordInvitation = Effect.fnUntraced(function* (
  claim: Sending.InvitationClaim,
  outcome: Sending.SendOutcome
) {
  const view = yield* holdInvitation(claim.row.id)
  const { failure, life } = yield* record(claim, view, outcome)
  return { invitation: life.row?.kind === "invitation" ? life.row : view.row, failure }
})

/** The provider may already have it, so storing the outcome is retried. */
export const retryStoring = <A, E extends Failure, R>(record: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(record, {
    schedule: Schedule.exponential("100 millis"),
    times: 4,
    while: isStoreDown
  })
