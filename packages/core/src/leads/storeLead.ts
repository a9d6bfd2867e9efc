/** Writing down what happened to a lead that is held. Source: G11. */
import * as Effect from "effect/Effect"
import { type Execution, emit } from "../Execution.ts"
import type { Failure } from "../Failure.ts"
import { changedAt, now } from "../Time.ts"
import { announceStatus } from "./announceStatus.ts"
import type { LeadRow } from "./Lead.ts"
import type { LeadConsequences } from "./LeadConsequences.ts"
import { LeadsRepo, type StoredLead } from "./LeadsRepo.ts"
import { entriesOfLead, statusReason } from "./suppression/Suppression.ts"
import { leadSuppressed } from "./suppression/suppressionEvents.ts"

/** What may happen to a lead. */
export type LeadChanges = Partial<Pick<LeadRow, "status" | "lastInboundAt" | "lastOutboundAt">>

/**
 * Stores the changes, states them and lets a new status take effect: entering DoNotContact suppresses the lead and all
 * its identifiers. `reason` is why, in the caller's words. Answers the lead afterwards.
 */
export const storeLead = Effect.fnUntraced(function* (
  lead: StoredLead,
  changes: LeadChanges,
  reason?: string
): Effect.fn.Return<StoredLead, Failure, LeadsRepo | LeadConsequences | Execution> {
  const before = lead.row
  const row = { ...before, ...changes, updatedAt: changedAt(before.updatedAt, yield* now) }
  const { organizationId, updatedAt: createdAt } = row
  const isSuppressed = row.status === "DoNotContact" && before.status !== "DoNotContact"
  const entry = { reason: reason ?? statusReason, until: null, createdAt }
  const suppressed = isSuppressed ? entriesOfLead(row, lead.identities, entry) : []
  yield* (yield* LeadsRepo).write({ organizationId, rows: [row], held: [], released: [], link: undefined, suppressed })
  if (isSuppressed) yield* emit(leadSuppressed(row.id, null))
  yield* announceStatus(before.status, row, reason)
  return { ...lead, row }
})
