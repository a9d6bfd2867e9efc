/** Giving what merged leads have to the winner. */

import * as Effect from "effect/Effect"
import type { Execution } from "../../kernel/command/Execution.ts"
import { type LeadId, now, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { DraftInFlight, SendOutcomeUnknown } from "../../leads/failures.ts"
import type { MergeRefusal } from "../../leads/LeadConsequences.ts"
import { decideEach, store } from "../transmission/carryOut.ts"
import { invitationsOf } from "../transmission/invitations/acceptInvitation.ts"
import { type Life, lifeOf, refusalIn } from "../transmission/Life.ts"
import { isLive } from "../transmission/Transmission.ts"
import { TransmissionsRepo } from "../transmission/TransmissionsRepo.ts"
import { DraftsRepo } from "./DraftsRepo.ts"

/** Why a life must not be given to another lead: whom it went to must stay known. */
const refuseMove = (life: Life): DraftInFlight | SendOutcomeUnknown | undefined => {
  const refusal = refusalIn(life)
  return refusal instanceof DraftInFlight || refusal instanceof SendOutcomeUnknown ? refusal : undefined
}

/** Whom it is sent as: a lead has one open draft of an agent, and one live invitation of an account. */
const senderOf = ({ draft, row }: Life): string | undefined => draft?.agentId ?? row?.accountId ?? undefined

/**
 * Gives drafts, queue items and relations of the losers to the winner. Where the winner has an open draft with the same agent, or
 * a live invitation from the same account, the loser's is cancelled; the oldest of several losers' stays. Fails with
 * DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN for what is being transmitted or may have been.
 */
export const moveDrafts = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  winnerLeadId: LeadId,
  loserLeadIds: ReadonlyArray<string>
): Effect.fn.Return<void, MergeRefusal, DraftsRepo | TransmissionsRepo | Execution> {
  const { hold } = yield* DraftsRepo
  const lives = Effect.fnUntraced(function* (leadId: LeadId) {
    const open = yield* hold(organizationId, { leadId })
    const invitations = (yield* invitationsOf(organizationId, leadId)).filter(isLive)
    return [...open.map(lifeOf), ...invitations.map((row): Life => ({ draft: null, row }))]
  })
  const taken = new Set((yield* lives(winnerLeadId)).map(senderOf))
  const surplus: Array<Life> = []
  for (const leadId of loserLeadIds) {
    for (const life of yield* lives(leadId)) {
      const refusal = refuseMove(life)
      if (refusal !== undefined) return yield* refusal
      if (taken.has(senderOf(life))) surplus.push(life)
      taken.add(senderOf(life))
    }
  }
  const at = yield* now
  const isDraft = ({ draft }: Life) => draft !== null
  yield* store([
    ...decideEach(surplus.filter(isDraft), { _tag: "Cancel", reason: "lead_merged" }, at),
    ...decideEach(
      surplus.filter((life) => !isDraft(life)),
      { _tag: "Detach", reason: "lead_merged" },
      at
    )
  ])
  yield* (yield* TransmissionsRepo).adopt(organizationId, winnerLeadId, loserLeadIds, at)
})
