/**
 * Writing down what became of a claim: the second transaction of a send.
 *
 * It is fenced: an outcome changes the queue item only while the item is still in the attempt that the outcome belongs
 * to. A confirmation alone is believed later too, as it is the truth. Source: G8, G10, G35; contract 1.9 and 7 "Sending".
 */
import * as Effect from "effect/Effect"
import type { Actor } from "../../Actor.ts"
import { type Execution, emit, warn } from "../../Execution.ts"
import { type Failure, fail } from "../../Failure.ts"
import type { Ids } from "../../Ids.ts"
import { now } from "../../Time.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import type { QueueItem } from "../DraftRow.ts"
import { DraftsRepo } from "../DraftsRepo.ts"
import type { DraftView } from "../DraftView.ts"
import { acceptInvitation } from "../invitations/acceptInvitation.ts"
import type { Invitation } from "../invitations/Invitation.ts"
import { requestInvitation } from "../invitations/requestInvitation.ts"
import { announceUsage } from "../pacing/announceUsage.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { holdDraft } from "../readDraft.ts"
import { accountDisconnected } from "../resolveAccount.ts"
import { mostFailures, retryAccountAt, retryAt } from "../SendOptions.ts"
import { type SettleNeeds, settleWaiting } from "../settleWaiting.ts"
import { attemptAfter } from "./attemptAfter.ts"
import type { SendClaim, SendOutcome } from "./SendClaim.ts"
import {
  type Next,
  recordRefusal,
  recordRetry,
  recordSent,
  recordUnknown,
  recordWaiting,
  unknownOutcome
} from "./sendOutcomes.ts"

/** What it takes. */
export type RecordNeeds = Actor | AccountsRepo | DraftsRepo | Execution | Ids | QueueRepo | SettleNeeds

/** The draft after it, with the reason for a caller when the send was refused or its outcome is not known. */
export interface Recorded {
  readonly view: DraftView
  readonly failure: Failure | undefined
  /** The invitation that it waits for and that is to be sent now. */
  readonly wanted?: Invitation | undefined
}

const saveRelation = Effect.fnUntraced(function* (claim: SendClaim, outcome: SendOutcome, at: string) {
  const { relation } = outcome
  if (relation === undefined) return
  const invited = outcome._tag === "Waiting" && outcome.invitation === "pending"
  yield* (yield* QueueRepo).saveRelation({
    organizationId: claim.item.organizationId,
    accountId: claim.account.id,
    leadId: claim.item.leadId,
    connected: relation.connected,
    chatId: relation.chatId,
    invitedAt: claim.recipient.invitedAt ?? (invited ? at : null),
    checkedAt: at
  })
  const { organizationId } = claim.item
  if (relation.connected) yield* acceptInvitation(organizationId, claim.account.id, claim.item.leadId, at)
})

/** The invitation that a message waits for is queued; one that was taken back lately is not made again. */
const wantInvitation = Effect.fnUntraced(function* (
  claim: SendClaim,
  item: QueueItem
): Effect.fn.Return<Invitation | undefined, Failure, RecordNeeds> {
  const { bypass, draftId, invitationNote: note, leadId } = item
  const asked = yield* Effect.result(requestInvitation({ account: claim.account, leadId, draftId, note, bypass }))
  if (asked._tag === "Failure") {
    if (asked.failure.code !== "WRONG_STATE") return yield* asked.failure
    yield* warn(`not_invited: ${asked.failure.message}`)
    return undefined
  }
  const { _tag, invitation } = asked.success
  if (_tag === "New") yield* (yield* QueueRepo).invitations.save(item.organizationId, [invitation])
  return invitation.state === "queued" ? invitation : undefined
})

/** How long a limit of the provider's stops an action, when it does not say itself. Source: G39. */
const limitSeconds = 86_400

const rejection = (outcome: Extract<SendOutcome, { readonly _tag: "Rejected" }>): Failure =>
  fail(
    "GATEWAY_REJECTED",
    `LinkedIn's provider refused the message (${outcome.kind}, provider=${outcome.providerCode.slice(0, 100)}). Nothing was ` +
      "sent and the draft is as it was. Check the recipient before you try again."
  )

const next = Effect.fnUntraced(function* (
  claim: SendClaim,
  view: DraftView,
  item: QueueItem,
  outcome: SendOutcome,
  at: string
): Effect.fn.Return<Next, Failure, RecordNeeds> {
  switch (outcome._tag) {
    case "Sent":
      return yield* recordSent(view, item, outcome, at)
    case "Waiting":
      return yield* recordWaiting(view, item, outcome.invitation, at)
    case "Retry": {
      const { adviceSeconds, detail, reason } = outcome
      if (reason === "limit") {
        const until = retryAt(at, 1, adviceSeconds ?? limitSeconds)
        yield* (yield* QueueRepo).stop(item.organizationId, claim.account.id, "message", until)
        return yield* recordRetry(view, { ...item, failures: item.failures - 1 }, reason, until, at)
      }
      if (item.failures + 1 >= mostFailures) return yield* recordRefusal(claim, view, item, reason, detail, at)
      return yield* recordRetry(view, item, reason, retryAt(at, item.failures + 1, adviceSeconds), at)
    }
    case "Rejected": {
      const { kind, providerCode } = outcome
      return { ...(yield* recordRefusal(claim, view, item, kind, providerCode, at)), failure: rejection(outcome) }
    }
    case "AccountDown": {
      const { kind, providerCode } = outcome
      const { account } = claim
      const status = kind === "account_restricted" ? "RESTRICTED" : "CREDENTIALS"
      if (yield* (yield* AccountsRepo).setStatus(account.organizationId, account.id, status, at)) {
        const data = { agent_id: account.agentId, from: account.status, to: status, provider_code: providerCode }
        yield* emit({ type: "account.status_changed", subject: { type: "account", id: account.id }, data })
      }
      if (!claim.isCallers) return yield* recordRetry(view, item, kind, retryAccountAt(at), at)
      const failure = accountDisconnected({ ...account, status })
      return { ...(yield* recordRefusal(claim, view, item, kind, providerCode, at)), failure }
    }
    case "Unknown":
      return yield* recordUnknown(view, item, outcome.detail, at)
  }
})

/** Stores the outcome of a claim. Answers the draft as it is then. */
export const recordSend = Effect.fnUntraced(function* (
  claim: SendClaim,
  outcome: SendOutcome
): Effect.fn.Return<Recorded, Failure, RecordNeeds> {
  const { organizationId } = claim.item
  const queue = yield* QueueRepo
  const at = yield* now
  const view = yield* holdDraft(claim.view.row.id)
  const { item } = view
  const attempt = attemptAfter(claim.attempt, outcome, at)
  yield* queue.saveAttempt(attempt)
  const isOurs = item !== null && item.id === claim.item.id && item.attempts === claim.attempt.number
  const isOpen = item?.state === "sending" || (item?.state === "ambiguous" && outcome._tag === "Sent")
  if (!isOurs || !isOpen) return { view, failure: unknownOutcome(claim.item) }
  yield* saveRelation(claim, outcome, at)
  const { failure, ...stored } = yield* next(claim, view, item, outcome, at)
  yield* queue.save(organizationId, [stored.item])
  yield* (yield* DraftsRepo).save(organizationId, [stored.row])
  if (attempt.outcome === "confirmed") yield* announceUsage(claim.account, attempt)
  if (stored.item.state === "failed") yield* settleWaiting([stored.item.leadId])
  const isCarried = stored.row.queueItemId === stored.item.id
  const isWanted = outcome._tag === "Waiting" && outcome.invitation === "wanted"
  const wanted = isWanted ? yield* wantInvitation(claim, stored.item) : undefined
  return { view: { ...view, row: stored.row, item: isCarried ? stored.item : null }, failure, wanted }
})
