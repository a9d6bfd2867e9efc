/** What is drafted and queued for leads that turned out to be one person. */

import * as Effect from "effect/Effect"
import type { Execution } from "../../kernel/command/Execution.ts"
import type { LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import type { MergeRefusal } from "../../leads/LeadConsequences.ts"
import { mergeInvitations } from "../transmission/invitations/cancelInvitations.ts"
import { TransmissionsRepo } from "../transmission/TransmissionsRepo.ts"
import { refuseAmbiguous, refuseInFlight } from "./DraftRefusal.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { type DraftView, stateOfView } from "./DraftView.ts"
import { withdrawDrafts } from "./withdrawDrafts.ts"

/**
 * Gives drafts, queue items and relations of the losers to the winner. Where the winner has an open draft
 * with the same agent, the loser's is cancelled; the oldest of several losers' stays. Fails with DRAFT_IN_FLIGHT or
 * SEND_OUTCOME_UNKNOWN for a draft that is being transmitted or may have been, as whom it went to must stay known.
 */
export const moveDrafts = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  winnerLeadId: LeadId,
  loserLeadIds: ReadonlyArray<string>
): Effect.fn.Return<void, MergeRefusal, DraftsRepo | TransmissionsRepo | Execution> {
  const drafts = yield* DraftsRepo
  const agents = new Set(
    (yield* drafts.holdOpen(organizationId, { leadId: winnerLeadId })).map(({ agent }) => agent.id)
  )
  const surplus: Array<DraftView> = []
  for (const leadId of loserLeadIds) {
    for (const view of yield* drafts.holdOpen(organizationId, { leadId })) {
      const state = stateOfView(view)
      const refusal = refuseInFlight(state) ?? refuseAmbiguous(state)
      if (refusal !== undefined) return yield* refusal
      if (agents.has(view.agent.id)) {
        surplus.push(view)
      } else {
        agents.add(view.agent.id)
      }
    }
  }
  yield* withdrawDrafts(organizationId, surplus, "cancel", "lead_merged")
  yield* mergeInvitations(organizationId, winnerLeadId, loserLeadIds)
  yield* (yield* TransmissionsRepo).adopt(organizationId, winnerLeadId, loserLeadIds, yield* now)
})
