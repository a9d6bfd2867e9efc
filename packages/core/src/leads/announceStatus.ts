/** What follows a lead's change of status: the event, and what it means for messages that are not sent yet. Source: G11. */
import * as Effect from "effect/Effect"
import { type Execution, emit } from "../Execution.ts"
import type { Failure } from "../Failure.ts"
import type { LeadRow } from "./Lead.ts"
import { LeadConsequences } from "./LeadConsequences.ts"
import { consequences, type LeadStatus } from "./LeadStatus.ts"

/**
 * States the change from `before` to the lead's status, with its reason if one was given, and lets it take effect;
 * nothing when the status stayed.
 */
export const announceStatus = (
  before: LeadStatus,
  { id, organizationId, status }: LeadRow,
  given?: string
): Effect.Effect<void, Failure, Execution | LeadConsequences> =>
  Effect.gen(function* () {
    if (status === before) return
    const data = { from: before, to: status, ...(given === undefined ? {} : { reason: given }) }
    yield* emit({ type: "lead.status_changed", subject: { type: "lead", id }, data })
    const following = consequences(before, status)
    if (!following.cancelQueueItems && !following.cancelDrafts) return
    const reason = status === "DoNotContact" ? "lead_suppressed" : "lead_not_interested"
    yield* Effect.asVoid((yield* LeadConsequences).onStatus(organizationId, id, following, reason))
  })
