/** The worker of a process: sends what is due, looks up unknown outcomes and polls conversations. */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { repeatRound } from "../kernel/background/Worker.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import { now } from "../kernel/schema/IdsAndTime.ts"
import { type PollNeeds, pollInboxes } from "./conversations/pollInboxes.ts"
import { type DispatchNeeds, type DispatchRound, machineOf } from "./dispatchKind.ts"
import { invitations } from "./invitations/sendInvitation.ts"
import { claimMessage, messages } from "./messages.ts"
import { LinkedInGateway } from "./provider/LinkedInGateway.ts"
import { isSendingHeld, SendOptions, secondsBefore } from "./SendOptions.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

const invitationMachine = machineOf(invitations)
const messageMachine = machineOf(messages)

/**
 * One round, invitations first; returns how many of each the provider confirmed. With a manual gateway it sends nothing and
 * only recovers lost ones. Fails with UNAVAILABLE when the store is unreachable.
 */
export const dispatchRound = Effect.fnUntraced(function* (
  round: DispatchRound = {}
): Effect.fn.Return<{ readonly invitations: number; readonly messages: number }, StoreFailure, DispatchNeeds> {
  const { holdSeconds } = yield* SendOptions
  const { isManual = false } = yield* LinkedInGateway
  const { concurrency = 4, limit = 100, organizationId } = round
  yield* invitationMachine.blockLost(round)
  yield* messageMachine.blockLost(round)
  // Nothing is leased while sending is held: a claim would only put it back, round after round.
  if (isManual || (yield* isSendingHeld)) return { invitations: 0, messages: 0 }
  const invited = yield* invitationMachine.sendDue(round)
  // Approved drafts whose agent had no account then.
  const approvedBefore = secondsBefore(yield* now, holdSeconds)
  const unqueued = yield* (yield* TransmissionsRepo).unqueued({ organizationId, approvedBefore, limit })
  const begun = yield* Effect.forEach(
    unqueued,
    ({ id, organizationId }) => messageMachine.sendUnqueued(organizationId, id, claimMessage(id, undefined, false)),
    { concurrency }
  )
  const sent = yield* messageMachine.sendDue({ ...round, limit: limit - unqueued.length })
  return { invitations: invited, messages: sent + begun.filter((wasSent) => wasSent).length }
})

/** One round; returns how many messages the provider confirmed. Fails like {@link dispatchRound}. */
export const dispatchDue = (round: DispatchRound = {}): Effect.Effect<number, StoreFailure, DispatchNeeds> =>
  Effect.map(dispatchRound(round), ({ messages }) => messages)

/** Looks up unknown outcomes; returns how many messages were sent. Fails like {@link dispatchDue}. */
export const settleUnknown = Effect.fnUntraced(function* (round: DispatchRound = {}) {
  yield* invitationMachine.settleDue(round)
  return yield* messageMachine.settleDue(round)
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
