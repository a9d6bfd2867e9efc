/** Why a change stays as it is. */
import * as Schema from "effect/Schema"
import type { FailureCode } from "../kernel/failure/failureTable.ts"
import type { EventType } from "../kernel/journal/Event.ts"
import type { KeptReason } from "../leads/undo/UnusedLeads.ts"

/**
 * TOUCHED: somebody else changed or used it since. SENT: it was sent, or may have been. PROTECTED: it ends contact with a person.
 * CHANGED_VALUE: it changed what was there before. IN_USE: something else needs it, or stands in the way. GONE: it no longer
 * exists. FINAL: this kind of change cannot be undone.
 */
export const KeptChangeReason = Schema.Literals([
  "TOUCHED",
  "SENT",
  "PROTECTED",
  "CHANGED_VALUE",
  "IN_USE",
  "GONE",
  "FINAL"
])
export type KeptChangeReason = typeof KeptChangeReason.Type

const sent = /^(draft\.dispatch|invitation\.|message\.sent)/

const protective: ReadonlySet<EventType> = new Set(["lead.suppressed", "lead.unsuppressed", "lead.erased"])

const values = /^(lead\.(updated|status_changed)|(offer|mission|draft|email)\.)/

/** Why a change stays that is not taken back. */
export const reasonOfType = (type: EventType): KeptChangeReason => {
  if (sent.test(type)) return "SENT"
  if (protective.has(type)) return "PROTECTED"
  return values.test(type) ? "CHANGED_VALUE" : "FINAL"
}

const byCode: Partial<Record<FailureCode, KeptChangeReason>> = {
  CONTENT_CHANGED: "TOUCHED",
  VERSION_CONFLICT: "TOUCHED",
  NOT_FOUND: "GONE",
  DRAFT_FINAL: "SENT",
  DRAFT_IN_FLIGHT: "SENT",
  SEND_OUTCOME_UNKNOWN: "SENT"
}

/** What keeps something that is unsent no longer, or decided. */
const byKind: Readonly<Record<string, KeptChangeReason>> = { email: "SENT", invitation: "SENT", approval: "FINAL" }

/** Why a change stays whose undoing was refused. */
export const refusedReason = (code: FailureCode, type: EventType): KeptChangeReason =>
  byCode[code] ?? byKind[type.split(".")[0] ?? ""] ?? "IN_USE"

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
