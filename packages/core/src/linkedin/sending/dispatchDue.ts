/**
 * The dispatcher's round: sends what is approved and due, one message at a time to each person.
 *
 * Nothing is trusted but the row that is held: the list of what is due may be old, or another process may be at it. Each
 * message goes the way of send_now: claim, transmit, record. Source: contract 7 "Draft-only keys" (hold) and "Sending".
 */
import * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import type { Ids } from "../../Ids.ts"
import type { Journal } from "../../Journal.ts"
import type { LeadConsequences } from "../../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../../leads/LeadsRepo.ts"
import type { SuppressionsRepo } from "../../leads/suppression/SuppressionsRepo.ts"
import { traced } from "../../observed.ts"
import { now } from "../../Time.ts"
import type { Transaction } from "../../Transaction.ts"
import type { AccountsRepo } from "../AccountsRepo.ts"
import type { DraftsRepo } from "../DraftsRepo.ts"
import type { DraftView } from "../DraftView.ts"
import { acceptInvitation } from "../invitations/acceptInvitation.ts"
import { dispatchInvitations } from "../invitations/dispatchInvitations.ts"
import { LinkedInGateway } from "../LinkedInGateway.ts"
import { type DueSend, QueueRepo } from "../QueueRepo.ts"
import { holdDraft } from "../readDraft.ts"
import { SendOptions, secondsBefore } from "../SendOptions.ts"
import { settleWaiting } from "../settleWaiting.ts"
import { withdrawDrafts } from "../withdrawDrafts.ts"
import { type Claimed, claimSend } from "./claimSend.ts"
import { giveUp, markStale } from "./endItem.ts"
import { keepLease } from "./keepLease.ts"
import { recordSend } from "./recordSend.ts"
import { leaseOf } from "./SendClaim.ts"
import { runAsService } from "./SystemRun.ts"
import { transmit } from "./transmit.ts"
import { undisturbed } from "./undisturbed.ts"
import { lookAhead } from "./waitForRelation.ts"

/** What the dispatcher needs. */
export type DispatchNeeds =
  | AccountsRepo
  | DraftsRepo
  | Ids
  | Journal
  | LeadConsequences
  | LeadsRepo
  | LinkedInGateway
  | QueueRepo
  | SuppressionsRepo
  | Transaction

/** Which round: of one organization or of all, and at most how many messages. */
export interface DispatchRound {
  readonly organizationId?: string
  readonly limit?: number
  readonly concurrency?: number
}

/** Whether what was due when the list was read is due still. */
const isDue = ({ item, mission, row }: DraftView, due: DueSend, at: string): boolean => {
  if (row.status !== "READY_TO_SEND" || row.queueItemId !== due.queueItemId) return false
  const mayRun = item?.bypass === true || mission === null || mission.status === "ACTIVE"
  if (item === null) return mayRun
  return mayRun && item.fence === due.fence && item.notBefore !== null && item.notBefore <= at
}

/** A draft that may never be sent leaves the dispatcher's sight. */
const setAside = Effect.fnUntraced(function* (view: DraftView, { code, message }: Failure) {
  const { organizationId } = view.row
  if (code === "LEAD_SUPPRESSED") {
    // A suppression may end or be lifted; only DoNotContact cancels for good.
    const fate = view.lead.status === "DoNotContact" ? "cancel" : "review"
    yield* settleWaiting(yield* withdrawDrafts(organizationId, [view], fate, "lead_suppressed"))
  }
  if (code === "MISSION_ARCHIVED") {
    yield* settleWaiting(yield* withdrawDrafts(organizationId, [view], "review", "mission_archived"))
  }
  if (code === "NO_LINKEDIN_ACCOUNT") yield* giveUp(view, "no_account", message)
})

const claimDue = Effect.fnUntraced(function* (due: DueSend, isConnected: boolean) {
  const view = yield* holdDraft(due.draftId)
  const { item } = view
  if (!isDue(view, due, yield* now)) return undefined
  const lease = item === null ? {} : { fence: item.fence }
  const manner = { isCallers: false, invite: item?.invite ?? false, note: item?.invitationNote ?? null, ...lease }
  const claimed = yield* Effect.result(claimSend(view, view, manner))
  if (claimed._tag === "Failure") return yield* Effect.as(setAside(view, claimed.failure), undefined)
  // A claim tells of the connection when its own look has found it.
  if (isConnected && claimed.success._tag === "Queued" && item !== null) {
    yield* acceptInvitation(item.organizationId, item.accountId, item.leadId, yield* now)
  }
  return claimed.success
})

const worked = <A, E, R>({ fence, organizationId, queueItemId }: DueSend, effect: Effect.Effect<A, E, R>) =>
  queueItemId === null ? effect : keepLease({ organizationId, itemId: queueItemId, fence }, effect)

const send = Effect.fnUntraced(function* (due: DueSend): Effect.fn.Return<boolean, Failure, DispatchNeeds> {
  const ahead = yield* worked(due, lookAhead(due))
  if (ahead === "ended") return false
  const claimed: Claimed | undefined = yield* runAsService(due.organizationId, claimDue(due, ahead === "connected"))
  if (claimed?._tag !== "Claim") return false
  const outcome = yield* keepLease(leaseOf(claimed.claim), transmit(claimed.claim))
  const { view } = yield* runAsService(due.organizationId, recordSend(claimed.claim, outcome))
  return view.row.status === "DISPATCHED"
})

/** Works on one thing that is due; what goes wrong is logged. Answers whether the provider confirmed a message. */
const workOn = (due: DueSend): Effect.Effect<boolean, never, DispatchNeeds> =>
  (due.isStale ? Effect.as(runAsService(due.organizationId, markStale(due)), false) : send(due)).pipe(
    (work) => traced("work send", due.organizationId, work),
    undisturbed,
    Effect.catch((failure) =>
      Effect.as(
        Effect.logWarning("a message could not be dispatched", { draft: due.draftId, code: failure.code }),
        false
      )
    )
  )

/**
 * One round, invitations first; answers how many messages the provider confirmed. A message that fails holds back no other; what went wrong
 * with it is logged. Each of the round's workers takes one item after the other, so that none waits under a lease. Fails
 * with UNAVAILABLE when the store cannot say what is due.
 */
export const dispatchDue = Effect.fnUntraced(function* (
  round: DispatchRound = {}
): Effect.fn.Return<number, Failure, DispatchNeeds> {
  const options = yield* SendOptions
  const queue = yield* QueueRepo
  const at = yield* now
  const { concurrency = 4, limit = 100, organizationId } = round
  const found = yield* queue.due({
    organizationId,
    now: at,
    approvedBefore: secondsBefore(at, options.holdSeconds),
    staleBefore: secondsBefore(at, options.staleSeconds),
    limit
  })
  yield* dispatchInvitations(round)
  const { isByHand = false } = yield* LinkedInGateway
  const mine = isByHand ? found.filter(({ isStale }) => isStale) : found
  const others = yield* Effect.forEach(mine, workOn, { concurrency })
  if (isByHand) return 0
  let sent = others.filter((wasSent) => wasSent).length
  let left = limit - found.length
  const take = Effect.fnUntraced(function* (most: number) {
    left -= most
    const request = { organizationId, isPaced: options.pacing, leaseSeconds: options.leaseSeconds, limit: most }
    return most <= 0 ? [] : yield* queue.take({ ...request, now: yield* now })
  })
  const workers = yield* take(Math.min(concurrency, left))
  const work = Effect.fnUntraced(function* (first: DueSend) {
    for (let due: DueSend | undefined = first; due !== undefined; [due] = yield* take(Math.min(1, left))) {
      if (yield* workOn(due)) sent++
    }
  })
  yield* Effect.forEach(workers, work, { concurrency: "unbounded" })
  return sent
})
