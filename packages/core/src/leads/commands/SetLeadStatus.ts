import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { line } from "../../kernel/schema/TextFields.ts"
import { LeadSuppressed } from "../failures.ts"
import { holdLead } from "../holdLead.ts"
import { Lead } from "../Lead.ts"
import { leadIdField } from "../LeadInput.ts"
import { LeadStatus, setManually } from "../LeadStatus.ts"
import { compactLead, leadOf } from "../leadOf.ts"
import { storeLead } from "../storeLead.ts"

/** `lead.status.set`: sets the status of a lead. */
export const SetLeadStatus = Command.make({
  id: "lead.status.set",
  title: "Set a lead's status",
  summary: "Set a lead's status",
  description:
    "Sets any status, whatever it was before. NotInterested cancels messages that are not sent yet. DoNotContact " +
    "also cancels drafts and suppresses every identifier of the lead, so that imports skip it; only " +
    "lead.suppression.lift reverses it.",
  whenToUse: "After a call, a meeting or a reply outside the service; immediately when a person opts out.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    lead_id: leadIdField,
    status: LeadStatus.annotate({ description: "The new status" }),
    reason: Schema.optionalKey(line(500, "The reason; stored with the change"))
  }),
  output: Schema.Struct({ lead_id: Schema.String, lead: Lead }),
  failures: [LeadSuppressed, NotFound],
  riskNotes: [
    "Changes one lead; sends nothing.",
    "NotInterested and DoNotContact cancel messages that are not sent yet; DoNotContact also cancels drafts."
  ],
  outputNotes: ["Setting the same status again changes nothing."],
  relatedCommands: ["lead.get", "lead.upsert", "lead.suppress", "lead.suppression.lift"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [
    {
      title: "After agreeing on a meeting",
      input: { lead_id: "ld_SAMPLE00000000000000000001", status: "MeetingBooked", reason: "Agreed on the phone" }
    }
  ],
  compact: ({ lead, lead_id }) => {
    const { output, warnings } = compactLead(lead)
    return { output: { lead_id, lead: output }, warnings }
  },
  run: Effect.fnUntraced(function* ({ lead_id, reason, status }) {
    const lead = yield* holdLead(lead_id)
    const next = yield* Effect.fromResult(setManually(lead.row.status, status))
    const stored = next === lead.row.status ? lead : yield* storeLead(lead, { status: next }, reason || undefined)
    return { lead_id: stored.row.id, lead: leadOf(stored) }
  })
})
