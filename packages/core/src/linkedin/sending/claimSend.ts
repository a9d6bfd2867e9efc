/**
 * Deciding to send, and saying so before anything leaves: one transaction that ends in a claim or in a place in the queue.
 *
 * The lead is held, so two messages to one person are never on their way at once; the draft is held, so it has one claim.
 * Source: G10; contract 7 "Sending"; reliability research, threat 1.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../../Actor.ts"
import type { Execution } from "../../Execution.ts"
import { type Failure, fail } from "../../Failure.ts"
import { Ids } from "../../Ids.ts"
import { applyStatusEvent, type SuppressionsRepo } from "../../leads/index.ts"
import { changedAt, now } from "../../Time.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import { type QueueItem, type QueueReason, type SendAttempt, withState } from "../DraftRow.ts"
import { enqueued, sending } from "../DraftStatus.ts"
import { DraftsRepo } from "../DraftsRepo.ts"
import { type DraftView, stateOfView } from "../DraftView.ts"
import { LinkedInGateway } from "../LinkedInGateway.ts"
import { holdAccount, paceOf } from "../pacing/paceSend.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { refuseSending } from "../readDraft.ts"
import { anyAccountOfAgent, requireHealthy } from "../resolveAccount.ts"
import { retryAccountAt, retryBusyAt, SendOptions } from "../SendOptions.ts"
import type { SettleNeeds } from "../settleWaiting.ts"
import { newItem } from "./enqueueDraft.ts"
import type { SendClaim } from "./SendClaim.ts"

/** What it takes. */
export type ClaimNeeds =
  | Actor
  | AccountsRepo
  | DraftsRepo
  | Execution
  | Ids
  | LinkedInGateway
  | QueueRepo
  | SettleNeeds
  | SuppressionsRepo

/** How to send. `note` goes with an invitation; `fence` is the lease under which the dispatcher took the item. */
export interface SendManner {
  readonly isCallers: boolean
  readonly fence?: number
  readonly invite: boolean
  readonly note: string | null
}

/**
 * A claim; or the draft as it waits in the queue because account or person are busy or its account rests; or nothing,
 * because another process took the item over.
 */
export type Claimed =
  | { readonly _tag: "Claim"; readonly claim: SendClaim }
  | { readonly _tag: "Queued"; readonly view: DraftView }
  | { readonly _tag: "Lost"; readonly view: DraftView }

const liveItem = ({ item }: DraftView): QueueItem | null =>
  item !== null && (item.state === "queued" || item.state === "waiting_relation") ? item : null

const queueItemOf = (
  view: DraftView,
  live: QueueItem | null,
  id: string,
  accountId: string,
  manner: SendManner,
  at: string
): QueueItem => {
  const { invite, isCallers, note } = manner
  if (live === null) {
    return newItem(view, id, accountId, at, { bypass: isCallers, invite, invitationNote: note, notBefore: null })
  }
  return {
    ...live,
    accountId,
    bypass: live.bypass || isCallers,
    invite: live.invite || invite,
    invitationNote: note ?? live.invitationNote,
    updatedAt: changedAt(live.updatedAt, at)
  }
}

/** Back to where it was, to be looked at when its account may write again; a person found connected waits no more. */
const holdBack = Effect.fnUntraced(function* (
  view: DraftView,
  item: QueueItem,
  notBefore: string | null
): Effect.fn.Return<Claimed, Failure, ClaimNeeds> {
  const change = yield* Effect.fromResult(enqueued({ ...stateOfView(view), queueState: null }, "queued"))
  const waiting: QueueItem = { ...item, state: "queued", reason: null, notBefore, expiresAt: null }
  const row = { ...withState(view.row, change.state, view.row.updatedAt), queueItemId: item.id }
  yield* (yield* QueueRepo).save(row.organizationId, [waiting])
  if (view.row.queueItemId !== item.id) yield* (yield* DraftsRepo).save(row.organizationId, [row])
  return { _tag: "Queued", view: { ...view, row, item: waiting } }
})

const enqueue = Effect.fnUntraced(function* (
  view: DraftView,
  item: QueueItem,
  reason: QueueReason,
  notBefore: string
): Effect.fn.Return<Claimed, Failure, ClaimNeeds> {
  const state = item.state === "waiting_relation" ? "waiting_relation" : "queued"
  const change = yield* Effect.fromResult(enqueued(stateOfView(view), state))
  const waiting: QueueItem = { ...item, state, reason, notBefore }
  const row = {
    ...withState(view.row, change.state, changedAt(view.row.updatedAt, item.updatedAt)),
    queueItemId: item.id
  }
  yield* (yield* QueueRepo).save(row.organizationId, [waiting])
  yield* (yield* DraftsRepo).save(row.organizationId, [row])
  yield* applyStatusEvent(row.leadId, "outbound_waiting")
  return { _tag: "Queued", view: { ...view, row, item: waiting } }
})

/**
 * Claims an approved draft that is held, in the transaction that holds it. `before` is the draft as it was before this
 * transaction changed anything.
 *
 * Fails with WRONG_STATE, DRAFT_FINAL, DRAFT_IN_FLIGHT, SEND_OUTCOME_UNKNOWN, LEAD_SUPPRESSED, MISSION_ARCHIVED,
 * NO_LINKEDIN_ACCOUNT (also when the agent was deleted) and, for a caller, ACCOUNT_DISCONNECTED.
 */
export const claimSend = Effect.fnUntraced(function* (
  view: DraftView,
  before: DraftView,
  manner: SendManner
): Effect.fn.Return<Claimed, Failure, ClaimNeeds> {
  const { organizationId } = yield* Actor
  const flying = yield* Effect.fromResult(sending(stateOfView(view)))
  yield* refuseSending(view)
  if (view.agent.deleted) {
    return yield* fail(
      "NO_LINKEDIN_ACCOUNT",
      `Agent ${view.agent.handle} was deleted, and its LinkedIn account went with it. Draft the message anew with another agent.`
    )
  }
  const queue = yield* QueueRepo
  const at = yield* now
  const live = liveItem(view)
  const id = live?.id ?? (yield* (yield* Ids).next("que"))
  const account = yield* anyAccountOfAgent(view.agent.id)
  if (manner.isCallers) yield* requireHealthy(account)
  yield* (yield* AccountsRepo).ensure(account)
  const item = queueItemOf(view, live, id, account.id, manner, at)
  if (account.status !== "OK") return yield* enqueue(view, item, "account_down", retryAccountAt(at))
  // A person sends it, whatever the hour, and no lease is ever taken.
  if ((yield* LinkedInGateway).isByHand === true) return yield* enqueue(view, item, "by_hand", at)
  if (yield* queue.isBusy(organizationId, view.row.leadId, item.id)) {
    return yield* enqueue(view, item, "lead_busy", retryBusyAt(at))
  }
  const pace = yield* paceOf(item, account, at)
  if ("opensAt" in pace) {
    if (pace.isLeads) return yield* enqueue(view, item, "outside_hours", pace.opensAt)
    yield* holdAccount(account, "outside_hours", pace.opensAt, at)
    return yield* holdBack(view, item, item.notBefore ?? at)
  }
  if (live === null || manner.isCallers || live.accountId !== account.id) {
    yield* queue.save(organizationId, [live === null ? { ...item, notBefore: at } : item])
  }
  const claimed: QueueItem = { ...item, state: "sending", reason: null, notBefore: null, attempts: item.attempts + 1 }
  const attempt: SendAttempt = {
    organizationId,
    queueItemId: claimed.id,
    number: claimed.attempts,
    accountId: account.id,
    action: "message",
    outcome: null,
    detail: null,
    startedAt: at,
    endedAt: null
  }
  const { leaseSeconds } = yield* SendOptions
  // A message has one rule.
  const caps = pace.rules?.[0]?.caps ?? null
  const { gapSeconds } = pace
  const begun = yield* queue.begin({ item: claimed, attempt, fence: manner.fence, caps, gapSeconds, leaseSeconds })
  if (begun._tag === "Lost") return { _tag: "Lost", view }
  if (begun._tag === "Held") {
    if (begun.reason === "limit") return yield* enqueue(view, item, "limit", begun.until)
    yield* holdAccount(account, begun.reason, begun.until, at)
    return yield* holdBack(view, item, item.notBefore ?? at)
  }
  const row = { ...withState(view.row, flying.state, changedAt(view.row.updatedAt, at)), queueItemId: claimed.id }
  yield* (yield* DraftsRepo).save(organizationId, [row])
  const { identities, relation } = yield* queue.person(organizationId, account.id, row.leadId)
  const recipient = { leadId: row.leadId, identities, invitedAt: claimed.invitedAt ?? relation?.invitedAt ?? null }
  return {
    _tag: "Claim",
    claim: {
      before: { row: before.row, item: live },
      view: { ...view, row, item: claimed },
      item: { ...claimed, fence: begun.fence },
      attempt,
      account,
      recipient,
      isCallers: manner.isCallers
    }
  }
})
