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
    "Removes the links between leads and a mission. Leads, messages and drafts stay as they are; a draft that should not be " +
    "sent any more is cancelled with linkedin.draft.cancel.",
  whenToUse: "When people turn out not to fit a mission.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: linkInput,
  output: Schema.Struct({
    removed: Schema.Int.annotate({ description: "How many are not in the mission any more" }),
    already: Schema.Int.annotate({ description: "How many were not in it" }),
    refused: refusedField
  }),
  riskNotes: ["Removes links only; drafts of the leads stay and approved ones are still sent."],
  relatedCommands: ["lead.mission.add", "lead.search", "linkedin.draft.cancel"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [
    { title: "One lead", input: { lead_ids: ["ld_SAMPLE00000000000000000005"], mission_id: "spring-outreach" } }
  ],
  run: ({ lead_ids, mission_id }) =>
    Effect.map(removeFromMission(mission_id, lead_ids), (linked) => ({
      removed: linked.changed.length,
      already: linked.already,
      refused: refusedOf(linked)
    }))
})
