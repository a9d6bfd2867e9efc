import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { shorten } from "../../kernel/schema/shorten.ts"
import { now } from "../../kernel/schema/Time.ts"
import { lookupFailures } from "../failures.ts"
import { readLead } from "../findLead.ts"
import { Lead } from "../Lead.ts"
import { leadIdentifierFields } from "../LeadInput.ts"
import { compactLead, leadOf } from "../leadOf.ts"
import { contextOf, ProspectContext } from "../ProspectContext.ts"

const compactMessages = 3

/** `lead.get`: reads one lead with its context. */
export const GetLead = Command.make({
  id: "lead.get",
  title: "Get a lead",
  summary: "Get a lead with its messages, draft and next action",
  description:
    "Returns the lead with this lead_id or any other identifier, with its latest messages, its LinkedIn relation to " +
    "your accounts, the open draft, its missions with their briefs and the offers' proof, and the next action.",
  whenToUse: "Before writing to a person, and to see why a lead is in its current status.",
  category: "leads",
  risk: "read",
  scope: "leads:read",
  unlisted: ["custom_id", "linkedin_id", "sales_nav_id"],
  input: Schema.Struct(leadIdentifierFields),
  output: Schema.Struct({ lead_id: Schema.String, lead: Lead, prospect_context: ProspectContext }),
  failures: lookupFailures,
  outputNotes: ["The id of a merged lead returns the lead it was merged into."],
  relatedCommands: ["lead.search", "lead.upsert", "linkedin.draft.create"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "By email", input: { email: "grace@example.com" } }],
  compact: ({ lead, lead_id, prospect_context }) => {
    const { output, warnings } = compactLead(lead)
    const conversation = prospect_context.conversation.slice(-compactMessages)
    const missions = prospect_context.missions.map((mission) => ({
      ...mission,
      proof: mission.proof.map((item) => ({ ...item, content: shorten(item.content) }))
    }))
    const context = { ...prospect_context, conversation, missions }
    return { output: { lead_id, lead: output, prospect_context: context }, warnings }
  },
  run: Effect.fnUntraced(function* (input) {
    const view = yield* readLead(input)
    return { lead_id: view.row.id, lead: leadOf(view), prospect_context: contextOf(view, yield* now) }
  })
})
