/** What is drafted and queued for leads that turned out to be one person. Source: G18. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Execution } from "../Execution.ts"
import type { Failure } from "../Failure.ts"
import { now } from "../Time.ts"
import { refuseAmbiguous, refuseInFlight } from "./DraftRefusal.ts"
import { cancel } from "./DraftStatus.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { type DraftView, stateOfView } from "./DraftView.ts"
import { moveInvitations } from "./invitations/cancelInvitations.ts"
import { QueueRepo } from "./QueueRepo.ts"
import { withdrawDrafts } from "./withdrawDrafts.ts"

/**
 * Gives drafts, queue items and relations of the losers to the winner. Where the winner has an open draft
 * with the same agent, the loser's is cancelled; the oldest of several losers' stays. Fails with DRAFT_IN_FLIGHT or
 * SEND_OUTCOME_UNKNOWN for a draft that is being transmitted or may have been, as whom it went to must stay known.
 */
export const moveDrafts = Effect.fnUntraced(function* (
  organizationId: string,
  winnerLeadId: string,
  loserLeadIds: ReadonlyArray<string>
): Effect.fn.Return<void, Failure, DraftsRepo | QueueRepo | Execution> {
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
        yield* Effect.fromResult(Result.map(cancel(state), () => undefined))
        surplus.push(view)
      } else {
        agents.add(view.agent.id)
      }
    }
  }
  yield* withdrawDrafts(organizationId, surplus, "cancel", "lead_merged")
  yield* moveInvitations(organizationId, winnerLeadId, loserLeadIds)
  yield* (yield* QueueRepo).adopt(organizationId, winnerLeadId, loserLeadIds, yield* now)
})
