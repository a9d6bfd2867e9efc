import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { line } from "../../TextFields.ts"
import { holdLead } from "../holdLead.ts"
import { Lead } from "../Lead.ts"
import { leadIdField } from "../LeadInput.ts"
import { LeadStatus, setManually } from "../LeadStatus.ts"
import { compactLead, leadOf } from "../leadOf.ts"
import { storeLead } from "../storeLead.ts"

/** `lead.status.set`: says where a lead stands. */
export const SetLeadStatus = Command.make({
  id: "lead.status.set",
  title: "Set a lead's status",
  summary: "Say where a lead stands, with a reason.",
  description:
    "Sets any status, whatever it was before. NotInterested takes back messages that wait to be sent. DoNotContact cancels " +
    "drafts too and suppresses every identifier of the lead, so that imports skip it; only lead.suppression.lift leaves it.",
  whenToUse: "After a call, a meeting or an answer that the service did not see; at once when a person opts out.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    lead_id: leadIdField,
    status: LeadStatus.annotate({ description: "Where the lead stands from now on" }),
    reason: Schema.optionalKey(line(500, "Why, in your words; kept with the change"))
  }),
  output: Schema.Struct({ lead_id: Schema.String, lead: Lead }),
  riskNotes: [
    "Writes one lead; sends nothing.",
    "NotInterested and DoNotContact take back what waits to be sent; DoNotContact also cancels drafts."
  ],
  outputNotes: ["The same status again changes nothing."],
  relatedCommands: ["lead.get", "lead.upsert", "lead.suppress", "lead.suppression.lift"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [
    {
      title: "After a meeting was agreed",
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
