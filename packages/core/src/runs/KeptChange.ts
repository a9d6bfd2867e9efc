/** Why a change stays as it is. */
import * as Schema from "effect/Schema"
import type { FailureCode } from "../kernel/failure/failureTable.ts"
import type { EventType } from "../kernel/journal/Event.ts"
import type { KeptReason } from "../leads/undo/UnusedLeads.ts"

/**
 * TOUCHED: somebody else changed or used it since. SENT: it was sent, or may have been. PROTECTED: it ends contact with a person.
 * IN_USE: something else needs it, or stands in the way. GONE: it no longer exists. FINAL: this kind of change cannot be
 * undone. LATER_KEPT: a later change of it stays, so earlier ones do.
 */
export const KeptChangeReason = Schema.Literals([
  "TOUCHED",
  "SENT",
  "PROTECTED",
  "IN_USE",
  "GONE",
  "FINAL",
  "LATER_KEPT"
])
export type KeptChangeReason = typeof KeptChangeReason.Type

const sent: ReadonlySet<EventType> = new Set([
  "draft.dispatched",
  "draft.dispatch_failed",
  "draft.dispatch_unknown",
  "invitation.sent",
  "invitation.withdrawn",
  "message.sent"
])

const protective: ReadonlySet<EventType> = new Set(["lead.suppressed", "lead.unsuppressed", "lead.erased"])

/** Why a kind of change stays that keeps nothing to undo it with. */
export const finalReason = (type: EventType): KeptChangeReason =>
  sent.has(type) ? "SENT" : protective.has(type) ? "PROTECTED" : "FINAL"

const byCode: Partial<Record<FailureCode, KeptChangeReason>> = {
  CONTENT_CHANGED: "TOUCHED",
  VERSION_CONFLICT: "TOUCHED",
  NOT_FOUND: "GONE",
  DRAFT_FINAL: "SENT",
  DRAFT_IN_FLIGHT: "SENT",
  SEND_OUTCOME_UNKNOWN: "SENT",
  LEAD_SUPPRESSED: "PROTECTED"
}

/** Why a change stays whose undoing was refused. */
export const refusedReason = (code: FailureCode): KeptChangeReason => byCode[code] ?? "IN_USE"

/** Why a lead stays that an import created. */
export const importReasons: Readonly<Record<KeptReason, KeptChangeReason>> = {
  MERGED: "FINAL",
  CONTACTED: "SENT",
  DRAFTED: "IN_USE",
  NOTED: "IN_USE",
  SUPPRESSED: "PROTECTED",
  IN_OTHER_MISSION: "IN_USE",
  IN_OTHER_IMPORT: "IN_USE",
  AWAITING_APPROVAL: "IN_USE",
  CHANGED: "TOUCHED"
}
