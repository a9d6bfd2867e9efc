/** Storing what happened to a locked lead. */

import * as Effect from "effect/Effect"
import { type Execution, emit } from "../kernel/command/Execution.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import { changedAt, now } from "../kernel/schema/IdsAndTime.ts"
import type { LeadRow } from "./Lead.ts"
import { LeadConsequences } from "./LeadConsequences.ts"
import { consequences, type LeadStatus } from "./LeadStatus.ts"
import { LeadsRepo, type StoredLead } from "./LeadsRepo.ts"
import { entriesOfLead, statusReason } from "./suppression/Suppression.ts"
import { leadSuppressed } from "./suppression/suppressionEvents.ts"

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
  yield* (yield* LeadsRepo).write({ organizationId, rows: [row], suppressed })
  if (isSuppressed) yield* emit(leadSuppressed(row.id, null))
  yield* announceStatus(before.status, row, reason)
  return { ...lead, row }
})
