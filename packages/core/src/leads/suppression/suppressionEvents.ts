/** What is said of suppressions: kinds and ends, never an identifier or a reason, which may name a person. Source: G35. */
import type { NewEvent } from "../../Event.ts"

/** A lead must not be contacted, until an instant or for good. */
export const leadSuppressed = (leadId: string, until: string | null): NewEvent => ({
  type: "lead.suppressed",
  subject: { type: "lead", id: leadId },
  data: { until }
})

/** An identifier that no lead has is suppressed. */
export const identifierSuppressed = (kind: string, until: string | null): NewEvent => ({
  type: "lead.suppressed",
  subject: { type: "suppression", id: kind },
  data: { until }
})

/** A suppression was lifted. `leadId` is undefined where it named no lead. */
export const unsuppressed = (leadId: string | undefined, kinds: ReadonlyArray<string>): NewEvent => ({
  type: "lead.unsuppressed",
  subject: leadId === undefined ? { type: "suppression", id: kinds[0] ?? "" } : { type: "lead", id: leadId },
  data: { kinds }
})
