/** A person and an account turned out to be connected: their invitation is over. Source: G35; catalogue 4.1. */
import * as Effect from "effect/Effect"
import type { Execution } from "../../Execution.ts"
import type { Failure } from "../../Failure.ts"
import { changedAt } from "../../Time.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { announceInvitation } from "./announceInvitation.ts"
import { endedInvitation, isLive } from "./Invitation.ts"

/**
 * Ends the live invitation of an account to a lead that is held, in the transaction that runs. One that was sent, or may
 * have been, is accepted, and said to be so once; one that waits is not needed any more. One that is being transmitted is
 * left to whoever transmits it.
 */
export const acceptInvitation = Effect.fnUntraced(function* (
  organizationId: string,
  accountId: string,
  leadId: string,
  at: string
): Effect.fn.Return<void, Failure, Execution | QueueRepo> {
  const { invitations } = yield* QueueRepo
  const live = (yield* invitations.ofLead(organizationId, leadId)).find(
    (one) => one.accountId === accountId && isLive(one)
  )
  if (live === undefined || live.state === "sending") return
  const endedAt = changedAt(live.updatedAt, at)
  const wasSent = live.state !== "queued"
  yield* invitations.save(organizationId, [
    wasSent
      ? endedInvitation({ ...live, sentAt: live.sentAt ?? endedAt }, "accepted", null, endedAt)
      : endedInvitation(live, "cancelled", "already_connected", endedAt)
  ])
  if (wasSent) yield* announceInvitation("invitation.accepted", live)
})
