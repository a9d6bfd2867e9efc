import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { readLead } from "../findLead.ts"
import { Lead } from "../Lead.ts"
import { compactLead, leadOf } from "../leadOf.ts"
import { mergeInto } from "../mergeInto.ts"

/** `lead.merge`: makes one lead of several. */
export const MergeLeads = Command.make({
  id: "lead.merge",
  title: "Merge leads",
  summary: "Make one lead of several that are the same person.",
  description:
    "Gives identifiers, missions, messages, notes, drafts and history of the losers to the winner, whose id stays; the ids " +
    "of the losers lead to it from now on. Of drafts with the same agent only one stays open. Of several custom ids the " +
    "winner's stays.",
  whenToUse: "When lead.duplicates or an identity conflict shows two leads that you know to be one person.",
  category: "leads",
  risk: "approval",
  scope: "leads:merge",
  input: Schema.Struct({
    winner_lead_id: nonEmptyLine(64, "Id of the lead that stays"),
    loser_lead_ids: Schema.Array(nonEmptyLine(64))
      .check(Schema.isBetweenLength(1, 50))
      .annotate({ description: "Ids of the leads that go up in it, 1 to 50" }),
    field_policy: Schema.Literals(["winner", "latest"])
      .annotate({
        description:
          "Whose values count: winner keeps the winner's and fills its gaps (default); latest takes those of the lead that changed last",
        default: "winner"
      })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("winner" as const)))
  }),
  output: Schema.Struct({
    lead_id: Schema.String,
    lead: Lead,
    merged: Schema.Array(Schema.String).annotate({ description: "Leads that went up in it just now" })
  }),
  riskNotes: ["Cannot be undone.", "Different members of LinkedIn are never merged."],
  outputNotes: ["meta.warnings name custom ids that were given up."],
  relatedCommands: ["lead.duplicates", "lead.get", "lead.upsert"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [
    {
      title: "Two leads that are one person",
      input: { winner_lead_id: "ld_SAMPLE00000000000000000001", loser_lead_ids: ["ld_SAMPLE00000000000000000005"] }
    }
  ],
  compact: ({ lead, ...rest }) => {
    const { output, warnings } = compactLead(lead)
    return { output: { ...rest, lead: output }, warnings }
  },
  run: Effect.fnUntraced(function* ({ field_policy, loser_lead_ids, winner_lead_id }) {
    const { merged, winnerId } = yield* mergeInto(winner_lead_id, loser_lead_ids, field_policy)
    return { lead_id: winnerId, lead: leadOf(yield* readLead({ lead_id: winnerId })), merged }
  })
})
