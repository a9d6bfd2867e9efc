/**
 * The dispatcher's round of invitations: settles what nobody knows, and sends what is due within hours and limits.
 *
 * Source: contract 7 "Sending"; G39; reliability research, threat 1.
 */
import * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import { holdLead } from "../../leads/index.ts"
import { changedAt, now } from "../../Time.ts"
import { LinkedInGateway, type Recipient, type Relation } from "../LinkedInGateway.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { refuseSuppressed } from "../readDraft.ts"
import { anyAccountOfAgent } from "../resolveAccount.ts"
import { firstLookSeconds, lookForUnknownAt, SendOptions, secondsAfter } from "../SendOptions.ts"
import type { DispatchNeeds, DispatchRound } from "../sending/dispatchDue.ts"
import { asService, runAsService } from "../sending/SystemRun.ts"
import { lookAtRelation } from "../sending/transmit.ts"
import { undisturbed } from "../sending/undisturbed.ts"
import { settleWaiting } from "../settleWaiting.ts"
import { announceInvitation } from "./announceInvitation.ts"
import { cancelInvitations } from "./cancelInvitations.ts"
import { claimInvitation } from "./claimInvitation.ts"
import type { Invitation } from "./Invitation.ts"
import type { DueInvitation } from "./InvitationStore.ts"
import { keepInvitation } from "./keepInvitation.ts"
import { recordInvitation } from "./recordInvitation.ts"
import { confirmInvitation, settleInvitationAttempts } from "./settleInvitation.ts"
import { transmitInvitation } from "./transmitInvitation.ts"

const lost = "The process that sent it went away before it could say what happened."

/** The invitation as it is stored now, if it is still leased under the same fence; its lead is held. */
const holdDue = Effect.fnUntraced(function* (due: DueInvitation) {
  const { row: lead } = yield* holdLead(due.leadId)
  const found = yield* (yield* QueueRepo).invitations.find(due.organizationId, due.invitationId)
  const invitation = found?.invitation
  return invitation?.fence === due.fence && invitation.state === due.state ? { invitation, lead } : undefined
})

const setAside = Effect.fnUntraced(function* (invitation: Invitation, { code }: Failure) {
  const reason = code === "LEAD_SUPPRESSED" ? ("lead_suppressed" as const) : ("no_account" as const)
  yield* settleWaiting(yield* cancelInvitations(invitation.organizationId, [invitation], reason))
})

const claimDue = Effect.fnUntraced(function* (due: DueInvitation) {
  const held = yield* holdDue(due)
  if (held === undefined) return undefined
  const { invitation, lead } = held
  const ready = yield* Effect.result(Effect.andThen(refuseSuppressed(lead), anyAccountOfAgent(invitation.agentId)))
  if (ready._tag === "Failure") {
    const { code } = ready.failure
    if (code !== "LEAD_SUPPRESSED" && code !== "NO_LINKEDIN_ACCOUNT" && code !== "NOT_FOUND")
      return yield* ready.failure
    return yield* Effect.as(setAside(invitation, ready.failure), undefined)
  }
  const account = ready.success
  // The agent writes with another account now, which may have an invitation of its own.
  if (account.id !== invitation.accountId) {
    yield* settleWaiting(yield* cancelInvitations(due.organizationId, [invitation], "no_account"))
    return undefined
  }
  return yield* claimInvitation(invitation, account, { isCallers: false, fence: due.fence, rests: true })
})

const send = Effect.fnUntraced(function* (due: DueInvitation): Effect.fn.Return<void, Failure, DispatchNeeds> {
  const claimed = yield* runAsService(due.organizationId, claimDue(due))
  if (claimed?._tag !== "Claim") return
  const { claim } = claimed
  const outcome = yield* keepInvitation(claim.invitation, transmitInvitation(claim))
  yield* runAsService(due.organizationId, recordInvitation(claim, outcome))
})

/** A transmission whose lease ended and that never did: it may have gone out. */
const markStale = Effect.fnUntraced(function* (due: DueInvitation) {
  const held = yield* holdDue(due)
  if (held === undefined) return
  const { invitation } = held
  const at = yield* now
  yield* settleInvitationAttempts(invitation, "unknown", lost, at)
  const updatedAt = changedAt(invitation.updatedAt, at)
  const unknown: Invitation = { ...invitation, state: "ambiguous", reason: "outcome_unknown", updatedAt }
  const notBefore = secondsAfter(at, firstLookSeconds)
  yield* (yield* QueueRepo).invitations.save(due.organizationId, [{ ...unknown, notBefore }])
})

const look = Effect.fnUntraced(function* (
  due: DueInvitation
): Effect.fn.Return<Relation | undefined, Failure, DispatchNeeds> {
  const { organizationId } = due
  const queue = yield* QueueRepo
  const invitation = (yield* queue.invitations.find(organizationId, due.invitationId))?.invitation
  if (invitation === undefined) return undefined
  const account = yield* Effect.option(asService(organizationId, anyAccountOfAgent(invitation.agentId)))
  // Another account cannot see it.
  if (account._tag === "None" || account.value.id !== invitation.accountId || account.value.status !== "OK") {
    return undefined
  }
  const { identities } = yield* queue.person(organizationId, invitation.accountId, invitation.leadId)
  // What was recorded of it is what is to be found out.
  const recipient: Recipient = { leadId: invitation.leadId, identities, invitedAt: null }
  const found = yield* lookAtRelation({ account: account.value, recipient })
  return found._tag === "Known" ? found.relation : undefined
})

/** What the provider shows of one of unknown outcome settles it; what it does not show stays unknown. */
const settle = Effect.fnUntraced(function* (due: DueInvitation, relation: Relation | undefined) {
  const held = yield* holdDue(due)
  if (held === undefined) return
  const { invitation } = held
  const at = yield* now
  if (relation?.connected === true || relation?.invitation === "pending") {
    const settled = yield* confirmInvitation(invitation, at, relation.connected)
    if (relation.connected) yield* announceInvitation("invitation.accepted", settled)
    return
  }
  const notBefore = lookForUnknownAt(at, invitation.updatedAt)
  yield* (yield* QueueRepo).invitations.save(due.organizationId, [{ ...invitation, notBefore }])
})

const settleUnknown = Effect.fnUntraced(function* (due: DueInvitation): Effect.fn.Return<void, Failure, DispatchNeeds> {
  const relation = yield* keepInvitation({ ...due, id: due.invitationId }, look(due))
  yield* runAsService(due.organizationId, settle(due, relation))
})

/** Works on one; what goes wrong with it is logged, and holds back no other. */
const workOn = (due: DueInvitation): Effect.Effect<void, never, DispatchNeeds> => {
  const work: Effect.Effect<void, Failure, DispatchNeeds> =
    due.state === "queued"
      ? send(due)
      : due.state === "sending"
        ? runAsService(due.organizationId, markStale(due))
        : settleUnknown(due)
  return Effect.catch(undisturbed(work), ({ code }) =>
    Effect.logWarning("an invitation could not be dispatched", { invitation: due.invitationId, code })
  )
}

/** One round. Fails with UNAVAILABLE when the store cannot say what is due. */
export const dispatchInvitations = Effect.fnUntraced(function* (
  round: DispatchRound = {}
): Effect.fn.Return<void, Failure, DispatchNeeds> {
  const { leaseSeconds, pacing } = yield* SendOptions
  const { invitations } = yield* QueueRepo
  const { concurrency = 4, limit = 100, organizationId } = round
  const { isByHand = false } = yield* LinkedInGateway
  const request = { organizationId, leaseSeconds }
  const unsettled = yield* invitations.takeUnsettled({ ...request, now: yield* now, limit: Math.min(limit, 20) })
  const mine = isByHand ? unsettled.filter(({ state }) => state === "sending") : unsettled
  yield* Effect.forEach(mine, workOn, { concurrency, discard: true })
  if (isByHand) return
  let left = limit
  const take = Effect.fnUntraced(function* (most: number) {
    left -= most
    if (most <= 0) return []
    return yield* invitations.take({ ...request, now: yield* now, isPaced: pacing, limit: most })
  })
  const work = Effect.fnUntraced(function* (first: DueInvitation) {
    for (let due: DueInvitation | undefined = first; due !== undefined; [due] = yield* take(Math.min(1, left))) {
      yield* workOn(due)
    }
  })
  yield* Effect.forEach(yield* take(Math.min(concurrency, left)), work, { concurrency: "unbounded", discard: true })
})
