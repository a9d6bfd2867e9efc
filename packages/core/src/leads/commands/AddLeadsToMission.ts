import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { addToMission, linkInput, refusedField, refusedOf } from "../linkLeads.ts"

/** `lead.mission.add`: puts leads into a mission. */
export const AddLeadsToMission = Command.make({
  id: "lead.mission.add",
  title: "Add leads to a mission",
  summary: "Put up to 1,000 known leads into a mission.",
  description:
    "Links leads that exist to a mission. Those in it already are counted, those that do not exist or must not be contacted " +
    "are listed with a code, and the others are added all the same.",
  whenToUse: "To work on people you already have with another offer; new people come in with lead.upsert or an import.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: linkInput,
  output: Schema.Struct({
    added: Schema.Int.annotate({ description: "How many are new in the mission" }),
    already: Schema.Int.annotate({ description: "How many were in it" }),
    refused: refusedField
  }),
  riskNotes: ["Writes links only; sends nothing."],
  relatedCommands: ["lead.mission.remove", "lead.search", "mission.get"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [
    {
      title: "Two leads",
      input: {
        lead_ids: ["ld_SAMPLE00000000000000000001", "ld_SAMPLE00000000000000000002"],
        mission_id: "spring-outreach"
      }
    }
  ],
  run: ({ lead_ids, mission_id }) =>
    Effect.map(addToMission(mission_id, lead_ids), (linked) => ({
      added: linked.changed.length,
      already: linked.already,
      refused: refusedOf(linked)
    }))
})
