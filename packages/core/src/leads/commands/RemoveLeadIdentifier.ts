import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidEmail, NotFound } from "../../kernel/failure/failures.ts"
import { DraftInFlight, IdentifierRequired, LastIdentifier, NotAProfileUrl, SendOutcomeUnknown } from "../failures.ts"
import { Lead } from "../Lead.ts"
import { leadIdentifierFields, leadIdField } from "../LeadInput.ts"
import { compactLead, leadOf } from "../leadOf.ts"
import { removeIdentifier } from "../removeIdentifier.ts"

const { lead_id: _, prospect_id: __, ...identifierFields } = leadIdentifierFields

/** `lead.identifier.remove`: removes a wrong identifier from a lead. */
export const RemoveLeadIdentifier = Command.make({
  id: "lead.identifier.remove",
  title: "Remove an identifier from a lead",
  summary: "Remove a wrong identifier from a lead",
  description:
    "Removes the one identifier you send, in any usual spelling, and what was derived from it: a member id goes with every token " +
    "that contains it, and a derived one with its last token. If it was shown, another one of its kind is shown " +
    "instead, if any. It no longer matches this lead, so another lead can have it. Suppressions stay.",
  whenToUse: "When an email address, a profile or an id turns out to belong to somebody else.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({ lead_id: leadIdField, ...identifierFields }),
  output: Schema.Struct({ lead_id: Schema.String, lead: Lead }),
  failures: [
    DraftInFlight,
    IdentifierRequired,
    InvalidEmail,
    LastIdentifier,
    NotAProfileUrl,
    NotFound,
    SendOutcomeUnknown
  ],
  riskNotes: [
    "Changes one lead; sends nothing.",
    "Removing a LinkedIn identifier returns approved drafts to review and ends queued and pending invitations; removing an email " +
      "address cancels unsent emails to it."
  ],
  outputNotes: ["A lead keeps at least one identifier."],
  relatedCommands: ["lead.get", "lead.upsert", "lead.merge", "lead.erase"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [
    {
      title: "An email address of somebody else",
      input: { lead_id: "ld_SAMPLE00000000000000000005", email: "barbara@example.com" }
    }
  ],
  compact: ({ lead, lead_id }) => {
    const { output, warnings } = compactLead(lead)
    return { output: { lead_id, lead: output }, warnings }
  },
  run: Effect.fnUntraced(function* ({ lead_id, ...fields }) {
    const stored = yield* removeIdentifier(lead_id, fields)
    return { lead_id: stored.row.id, lead: leadOf(stored) }
  })
})
