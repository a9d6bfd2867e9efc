/** Withdraws what would be sent to identities that were removed from a lead. */

import * as Effect from "effect/Effect"
import type { LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import { DraftInFlight, SendOutcomeUnknown } from "../../leads/failures.ts"
import type { Identity } from "../../leads/identity/Identity.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import { withdrawDrafts } from "../drafts/withdrawDrafts.ts"
import { endEmail } from "./emails/changeEmail.ts"
import { isIdle } from "./gate.ts"
import { ended, isLive, type Transmission } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

const reason = "identifier_removed"

/** The failure when it is being sent, or may have been sent. An email names its address itself, whatever becomes of it. */
const refusalOf = ({ id, kind, leadId, state }: Transmission): DraftInFlight | SendOutcomeUnknown | undefined => {
  if (state === "sending") {
    return new DraftInFlight({
      message: `Something is being sent to this identifier of lead ${leadId}. Retry in a moment.`
    })
  }
  return state !== "ambiguous" || kind === "email"
    ? undefined
    : new SendOutcomeUnknown({
        message: `It is unknown whether ${kind} ${id} to lead ${leadId} was sent. Settle it with linkedin.queue.resolve.`
      })
}

/**
 * Returns approved drafts to review and cancels queued and pending invitations when a LinkedIn identity was removed, and
 * cancels unsent emails to a removed address, which cannot be changed. Relations with the removed profile are deleted. Returns
 * whether something waited for the lead and nothing does now. Fails with DRAFT_IN_FLIGHT and SEND_OUTCOME_UNKNOWN.
 */
export const withdrawDetached = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  leadId: LeadId,
  removed: ReadonlyArray<Identity>
) {
  const addresses = new Set(removed.flatMap(({ kind, value }) => (kind === "email" ? [value] : [])))
  const isLinkedIn = removed.some(({ kind }) => kind !== "email" && kind !== "custom_id")
  if (addresses.size === 0 && !isLinkedIn) return false
  const queue = yield* TransmissionsRepo
  const open = isLinkedIn ? yield* (yield* DraftsRepo).holdOpen(organizationId, { leadId }) : []
  const affected = (yield* queue.ofLead(organizationId, leadId)).filter((row) =>
    row.kind === "email" ? addresses.has(row.toAddress.toLowerCase()) : isLinkedIn
  )
  for (const row of affected) {
    const refusal = refusalOf(row)
    if (refusal !== undefined) return yield* refusal
  }
  for (const row of affected) {
    if (row.kind === "email" && (row.state === "queued" || row.state === "in_review")) {
      yield* endEmail(row, "cancelled", reason)
    }
  }
  if (!isLinkedIn) return false
  const idle = yield* withdrawDrafts(organizationId, open, "review", reason)
  const at = yield* now
  const invitations = affected.flatMap((row) =>
    row.kind === "invitation" && isLive(row) ? [ended(row, "cancelled", reason, at)] : []
  )
  if (invitations.length > 0) yield* queue.save(organizationId, invitations)
  yield* queue.forgetRelations(organizationId, leadId)
  return idle.length + invitations.length > 0 && (yield* isIdle(organizationId, leadId))
})
