/** A person and an account turned out to be connected: their invitation is over. */

import * as Effect from "effect/Effect"
import type { AccountId, LeadId, OrganizationId } from "../../../kernel/schema/RecordIds.ts"
import { ended, isLive } from "../Transmission.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"
import { invitationsOf } from "./cancelInvitations.ts"
import { announceInvitation } from "./confirmInvitation.ts"

/**
 * Ends the live invitation of an account to a lead that is held, in the transaction that runs. One that was sent, or may
 * have been, is accepted, and said to be so once; one that waits is no longer needed. One that is being transmitted is
 * left to whoever transmits it.
 */
export const acceptInvitation = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  accountId: AccountId,
  leadId: LeadId,
  at: string
) {
  const known = yield* invitationsOf(organizationId, leadId)
  const live = known.find((one) => one.accountId === accountId && isLive(one))
  if (live === undefined || live.state === "sending") return
  const wasSent = live.state !== "queued"
  yield* (yield* TransmissionsRepo).save(organizationId, [
    wasSent
      ? { ...ended(live, "accepted", null, at), sentAt: live.sentAt ?? at }
      : ended(live, "cancelled", "already_connected", at)
  ])
  if (wasSent) yield* announceInvitation("invitation.accepted", live)
})
