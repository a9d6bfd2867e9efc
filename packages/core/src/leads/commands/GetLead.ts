import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { now } from "../../Time.ts"
import { readLead } from "../findLead.ts"
import { Lead } from "../Lead.ts"
import { leadIdentifierFields } from "../LeadInput.ts"
import { compactLead, leadOf } from "../leadOf.ts"
import { contextOf, ProspectContext } from "../ProspectContext.ts"

const compactMessages = 3

/** `lead.get`: reads one lead with its context. */
export const GetLead = Command.make({
  id: "lead.get",
  title: "Read a lead",
  summary: "Read one person by any identifier, with conversation, draft, missions and next action.",
  description:
    "Answers the lead that lead_id or any other identifier means, and what surrounds it: the latest messages, how a LinkedIn " +
    "account stands to it, the open draft, the missions with what they offer, and what to do next.",
  whenToUse: "Before writing to a person, and to see why a lead is where it is.",
  category: "leads",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct(leadIdentifierFields),
  output: Schema.Struct({ lead_id: Schema.String, lead: Lead, prospect_context: ProspectContext }),
  outputNotes: ["The id of a lead that was merged answers the lead that it went into."],
  relatedCommands: ["lead.search", "lead.upsert", "linkedin.draft.create"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "By e-mail", input: { email: "grace@example.com" } }],
  compact: ({ lead, lead_id, prospect_context }) => {
    const { output, warnings } = compactLead(lead)
    const conversation = prospect_context.conversation.slice(-compactMessages)
    return { output: { lead_id, lead: output, prospect_context: { ...prospect_context, conversation } }, warnings }
  },
  run: Effect.fnUntraced(function* (input) {
    const view = yield* readLead(input)
    return { lead_id: view.row.id, lead: leadOf(view), prospect_context: contextOf(view, yield* now) }
  })
})
