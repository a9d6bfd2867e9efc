/** Events of suppressions: kinds and expiry, never an identifier or a reason, which could name a person. */

import type { NewEvent } from "../../kernel/journal/Event.ts"
import type { LeadId } from "../../kernel/schema/IdsAndTime.ts"

/** A lead is suppressed; `until` null means permanently. */
export const leadSuppressed = (leadId: LeadId, until: string | null): NewEvent => ({
  type: "lead.suppressed",
  subject: { type: "lead", id: leadId },
  data: { until }
})

/** An identifier without a lead is suppressed. */
export const identifierSuppressed = (kind: string, until: string | null): NewEvent => ({
  type: "lead.suppressed",
  subject: { type: "suppression", id: kind },
  data: { until }
})

/** A suppression was lifted. `leadId` is undefined without a lead. */
export const unsuppressed = (leadId: LeadId | undefined, kinds: ReadonlyArray<string>): NewEvent => ({
  type: "lead.unsuppressed",
  subject: leadId === undefined ? { type: "suppression", id: kinds[0] ?? "" } : { type: "lead", id: leadId },
  data: { kinds }
})
