/** Storing what happened to a locked lead. */
import * as Effect from "effect/Effect"
import { type Execution, emit } from "../kernel/command/Execution.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import { changedAt, now } from "../kernel/schema/Time.ts"
import { announceStatus } from "./announceStatus.ts"
import type { LeadRow } from "./Lead.ts"
import type { LeadConsequences } from "./LeadConsequences.ts"
import { LeadsRepo, type StoredLead } from "./LeadsRepo.ts"
import { entriesOfLead, statusReason } from "./suppression/Suppression.ts"
import { leadSuppressed } from "./suppression/suppressionEvents.ts"

/** The fields that may change. */
type LeadChanges = Partial<Pick<LeadRow, "status" | "lastInboundAt" | "lastOutboundAt">>

/**
 * Stores and announces the changes. Entering DoNotContact suppresses the lead and all its identifiers; `reason` is the
 * caller's. Returns the lead afterwards.
 */
export const storeLead = Effect.fnUntraced(function* (
  lead: StoredLead,
  changes: LeadChanges,
  reason?: string
): Effect.fn.Return<StoredLead, StoreFailure, LeadsRepo | LeadConsequences | Execution> {
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
