/**
 * What cancelling means for leads: one for whom nothing waits any more, and to whom nothing was sent, is New again.
 * Source: G11.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import type { Execution } from "../Execution.ts"
import type { Failure } from "../Failure.ts"
import { applyStatusEvent } from "../leads/index.ts"
import type { LeadConsequences } from "../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../leads/LeadsRepo.ts"
import { QueueRepo } from "./QueueRepo.ts"

/** What it takes. */
export type SettleNeeds = Actor | Execution | LeadConsequences | LeadsRepo | QueueRepo

/** Looks at leads of which a queue item was cancelled. */
export const settleWaiting = Effect.fnUntraced(function* (
  leadIds: ReadonlyArray<string>
): Effect.fn.Return<void, Failure, SettleNeeds> {
  const { organizationId } = yield* Actor
  const queue = yield* QueueRepo
  for (const leadId of leadIds) {
    if ((yield* queue.countLive(organizationId, leadId)) === 0) yield* applyStatusEvent(leadId, "nothing_waiting")
  }
})
