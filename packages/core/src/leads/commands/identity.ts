import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidEmail, NotFound } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import {
  DraftInFlight,
  DraftOpen,
  IdentifierRequired,
  LastIdentifier,
  lookupFailures,
  NotAProfileUrl,
  SendOutcomeUnknown
} from "../failures.ts"
import { readLead } from "../findLead.ts"
import { identifierFields } from "../identity/IdentityInput.ts"
import { Lead } from "../Lead.ts"
import { leadIdField } from "../LeadInput.ts"
import { leadOf, withCompactLead } from "../leadOf.ts"
import { mergeInto } from "../mergeLeads.ts"
import { removeIdentifier } from "../removeIdentifier.ts"

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
  compact: withCompactLead,
  run: Effect.fnUntraced(function* ({ lead_id, ...fields }) {
    const stored = yield* removeIdentifier(lead_id, fields)
    return { lead_id: stored.row.id, lead: leadOf(stored) }
  })
})

/** `lead.merge`: merges leads. */
export const MergeLeads = Command.make({
  id: "lead.merge",
  title: "Merge leads",
  summary: "Merge several leads of the same person into one",
  description:
    "Moves identifiers, missions, messages, notes, drafts and history of the losing leads to the winner, whose id " +
    "stays; the other ids then resolve to the winner. Only one draft per agent stays open. The winner's custom id is " +
    "kept.",
  whenToUse: "When lead.duplicates or an identity conflict shows leads that you know to be the same person.",
  category: "leads",
  risk: "approval",
  scope: "leads:merge",
  input: Schema.Struct({
    winner_lead_id: nonEmptyLine(64, "Id of the lead to keep"),
    loser_lead_ids: Schema.Array(nonEmptyLine(64))
      .check(Schema.isBetweenLength(1, 50))
      .annotate({ description: "Ids of the leads to merge into it, 1 to 50" }),
    field_policy: Schema.Literals(["winner", "latest"])
      .annotate({
        description:
          "Which values win: winner keeps the winner's and fills its gaps (default); latest takes those of the lead " +
          "changed last",
        default: "winner"
      })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("winner" as const)))
  }),
  output: Schema.Struct({
    lead_id: Schema.String,
    lead: Lead,
    merged: Schema.Array(Schema.String).annotate({ description: "Leads merged by this call" })
  }),
  failures: [...lookupFailures, DraftInFlight, DraftOpen, SendOutcomeUnknown],
  riskNotes: ["Cannot be undone.", "Leads with different LinkedIn member ids are never merged."],
  outputNotes: ["meta.warnings names custom ids that were dropped."],
  relatedCommands: ["lead.duplicates", "lead.get", "lead.upsert"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [
    {
      title: "Two leads of one person",
      input: { winner_lead_id: "ld_SAMPLE00000000000000000001", loser_lead_ids: ["ld_SAMPLE00000000000000000005"] }
    }
  ],
  compact: withCompactLead,
  run: Effect.fnUntraced(function* ({ field_policy, loser_lead_ids, winner_lead_id }) {
    const { merged, winnerId } = yield* mergeInto(winner_lead_id, loser_lead_ids, field_policy)
    return { lead_id: winnerId, lead: leadOf(yield* readLead({ lead_id: winnerId })), merged }
  })
})
