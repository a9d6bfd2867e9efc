/** The worker of a process: sends what is due, looks up unknown outcomes and polls conversations. */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { eachDue, type Round, repeatRound, type Share } from "../kernel/background/Worker.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import { now, type OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { type PollNeeds, pollInboxes } from "./conversations/pollInboxes.ts"
import { type DispatchNeeds, machineOf } from "./dispatchKind.ts"
import { invitations } from "./invitations/sendInvitation.ts"
import { claimMessage, messages } from "./messages.ts"
import { LinkedInGateway } from "./provider/LinkedInGateway.ts"
import { isSendingHeld, SendOptions, secondsBefore } from "./SendOptions.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

const invitationMachine = machineOf(invitations)
const messageMachine = machineOf(messages)

/** Sends what is due of one organization, invitations first. */
const sendDue = Effect.fnUntraced(function* (organizationId: OrganizationId, share: Share) {
  const { holdSeconds } = yield* SendOptions
  const invited = yield* invitationMachine.sendDue(organizationId, share)
  // Approved drafts whose agent had no account then.
  const approvedBefore = secondsBefore(yield* now, holdSeconds)
  const unqueued = yield* (yield* TransmissionsRepo).unqueued({ organizationId, approvedBefore, limit: share.limit })
  const begun = yield* Effect.forEach(
    unqueued,
    (id) => messageMachine.sendUnqueued(organizationId, id, claimMessage(id, undefined, false)),
    share
  )
  const started = begun.filter((wasSent) => wasSent).length
  const sent = yield* messageMachine.sendDue(organizationId, { ...share, limit: share.limit - unqueued.length })
  return {
    taken: Math.max(invited.taken, started + sent.taken),
    invitations: invited.done,
    messages: started + sent.done
  }
})

/** Seconds until a queue that people work off is looked at again; what they lose is noted when it happens. */
const manualSeconds = 3_600

/**
 * One round, at most `limit` messages and invitations each; returns how many of each the provider confirmed. With a manual gateway
 * it sends nothing and only recovers lost ones. Fails with UNAVAILABLE when the store is unreachable.
 */
export const dispatchRound = Effect.fnUntraced(function* (
  round: Round = {}
): Effect.fn.Return<{ readonly invitations: number; readonly messages: number }, StoreFailure, DispatchNeeds> {
  const { isManual = false } = yield* LinkedInGateway
  const isHeld = yield* isSendingHeld
  const total = { invitations: 0, messages: 0 }
  const turns = { concurrency: 4, ...round, batch: 2, ...(isHeld && { recheckSeconds: 0 }) }
  yield* eachDue(
    "linkedin",
    isManual ? { ...turns, recheckSeconds: manualSeconds } : turns,
    Effect.fnUntraced(function* (organizationId, share) {
      const lost = yield* invitationMachine.blockLost(organizationId, share)
      const found = Math.max(lost, yield* messageMachine.blockLost(organizationId, share))
      // Nothing is leased while sending is held: a claim would only put it back, round after round.
      if (isManual || isHeld) return found
      const { invitations, messages, taken } = yield* sendDue(organizationId, share)
      total.invitations += invitations
      total.messages += messages
      return Math.max(found, taken)
    })
  )
  return total
})

/** One round; returns how many messages the provider confirmed. Fails like {@link dispatchRound}. */
export const dispatchDue = (round: Round = {}): Effect.Effect<number, StoreFailure, DispatchNeeds> =>
  Effect.map(dispatchRound(round), ({ messages }) => messages)

/** Looks up unknown outcomes; returns how many messages were sent. Fails like {@link dispatchDue}. */
export const settleUnknown = Effect.fnUntraced(function* (round: Round = {}) {
  let sent = 0
  yield* eachDue(
    "outcomes",
    { concurrency: 2, limit: 20, ...round },
    Effect.fnUntraced(function* (organizationId, share) {
      const invited = yield* invitationMachine.settleDue(organizationId, share)
      const { done, taken } = yield* messageMachine.settleDue(organizationId, share)
      sent += done
      return Math.max(invited.taken, taken)
    })
  )
  return sent
})

/** The worker of a process, as long as the layer lives; sends up to `concurrency` messages at once. */
export const outreachWorkerLayer = (options: {
  readonly concurrency: number
}): Layer.Layer<never, never, DispatchNeeds | PollNeeds> =>
  Layer.effectDiscard(
    Effect.all([
      repeatRound("sending", dispatchDue(options), "1 second"),
      repeatRound("settling", settleUnknown(), "10 seconds"),
      repeatRound("reading inboxes", pollInboxes(), "15 seconds")
    ])
  )
