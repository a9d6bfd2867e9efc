/**
 * What cancelling means for leads: one for whom nothing waits, and to whom nothing was sent, is New again.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Actor.ts"
import type { Execution } from "../../kernel/command/Execution.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { LeadConsequences } from "../../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../../leads/LeadsRepo.ts"
import { clearWaiting } from "../../leads/recordMessage.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** What it takes. */
export type SettleNeeds = Actor | Execution | LeadConsequences | LeadsRepo | TransmissionsRepo

/** Looks at leads of which a queue item was cancelled. */
export const clearWaitingLeads = Effect.fnUntraced(function* (
  leadIds: ReadonlyArray<string>
): Effect.fn.Return<void, StoreFailure, SettleNeeds> {
  const { organizationId } = yield* Actor
  const queue = yield* TransmissionsRepo
  for (const leadId of leadIds) {
    if ((yield* queue.countLive(organizationId, leadId)) === 0) yield* clearWaiting(leadId)
  }
})
