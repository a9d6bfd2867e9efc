/** Announcing a change of status: the event, and the consequences for unsent messages. */
import * as Effect from "effect/Effect"
import { type Execution, emit } from "../kernel/command/Execution.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { LeadRow } from "./Lead.ts"
import { LeadConsequences } from "./LeadConsequences.ts"
import { consequences, type LeadStatus } from "./LeadStatus.ts"

/** Emits the change from `before` to the lead's status and applies its consequences; does nothing when the status stayed. */
export const announceStatus = (
  before: LeadStatus,
  row: LeadRow,
  given?: string
): Effect.Effect<void, StoreFailure, Execution | LeadConsequences> => announceMergedStatus([before], row, given)

/** Like {@link announceStatus}, for a merged lead: first its own earlier status, then those of the leads merged into it. */
export const announceMergedStatus = Effect.fnUntraced(function* (
  [before, ...brought]: readonly [LeadStatus, ...ReadonlyArray<LeadStatus>],
  { id, organizationId, status }: LeadRow,
  given?: string
): Effect.fn.Return<void, StoreFailure, Execution | LeadConsequences> {
  if (status !== before) {
    const data = { from: before, to: status, ...(given === undefined ? {} : { reason: given }) }
    yield* emit({ type: "lead.status_changed", subject: { type: "lead", id }, data })
  }
  const other = [before, ...brought].find((from) => from !== status) ?? status
  const following = consequences(other, status)
  if (!following.cancelQueueItems && !following.cancelDrafts) return
  const reason = status === "DoNotContact" ? "lead_suppressed" : "lead_not_interested"
  yield* (yield* LeadConsequences).onStatus(organizationId, id, following, reason)
})
