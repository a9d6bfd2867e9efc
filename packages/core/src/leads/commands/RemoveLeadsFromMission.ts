import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { linkInput, refusedField, refusedOf, removeFromMission } from "../linkLeads.ts"

/** `lead.mission.remove`: takes leads out of a mission. */
export const RemoveLeadsFromMission = Command.make({
  id: "lead.mission.remove",
  title: "Remove leads from a mission",
  summary: "Take up to 1,000 leads out of a mission; they stay leads.",
  description:
    "Removes the links between leads and a mission. Their open LinkedIn drafts of that mission are cancelled, approved ones " +
    "and what waits in the queue too; drafts of other missions, messages and e-mails stay as they are.",
  whenToUse: "When people turn out not to fit a mission.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: linkInput,
  output: Schema.Struct({
    removed: Schema.Int.annotate({ description: "How many are not in the mission any more" }),
    already: Schema.Int.annotate({ description: "How many were not in it" }),
    drafts_cancelled: Schema.Int.annotate({
      description: "How many of their open drafts of the mission were cancelled with it"
    }),
    refused: refusedField
  }),
  riskNotes: ["Cancelled drafts stay cancelled when the leads are added again; one that is being sent is not stopped."],
  relatedCommands: ["lead.mission.add", "lead.search", "linkedin.draft.list", "email.cancel"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [
    { title: "One lead", input: { lead_ids: ["ld_SAMPLE00000000000000000005"], mission_id: "spring-outreach" } }
  ],
  run: ({ lead_ids, mission_id }) =>
    Effect.map(removeFromMission(mission_id, lead_ids), ({ cancelled, linked }) => ({
      removed: linked.changed.length,
      already: linked.already,
      drafts_cancelled: cancelled,
      refused: refusedOf(linked)
    }))
})
