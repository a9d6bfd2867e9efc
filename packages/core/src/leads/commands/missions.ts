import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { addToMission, linkInput, refusedField, refusedOf, removeFromMission } from "../linkLeads.ts"

/** `lead.mission.add`: adds leads to a mission. */
export const AddLeadsToMission = Command.make({
  id: "lead.mission.add",
  title: "Add leads to a mission",
  summary: "Add up to 1,000 existing leads to a mission",
  description:
    "Adds existing leads to a mission. Leads already in it are counted; leads that are not found or are suppressed " +
    "are listed with a code, and the others are still added.",
  whenToUse: "To contact existing leads with a different offer. New people come in with lead.upsert or an import.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: linkInput,
  output: Schema.Struct({
    added: Schema.Int.annotate({ description: "Number of leads added to the mission" }),
    already: Schema.Int.annotate({ description: "Number of leads already in it" }),
    refused: refusedField
  }),
  failures: [MissionArchived, NotFound],
  riskNotes: ["Adds leads to the mission; sends nothing."],
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

/** `lead.mission.remove`: removes leads from a mission. */
export const RemoveLeadsFromMission = Command.make({
  id: "lead.mission.remove",
  title: "Remove leads from a mission",
  summary: "Remove up to 1,000 leads from a mission",
  description:
    "Removes leads from a mission; the leads themselves stay. Their open LinkedIn drafts of that mission are " +
    "cancelled, including approved and queued ones; drafts of other missions, messages and emails stay as they are.",
  whenToUse: "When people do not fit a mission.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: linkInput,
  output: Schema.Struct({
    removed: Schema.Int.annotate({ description: "Number of leads removed from the mission" }),
    already: Schema.Int.annotate({ description: "Number of leads that were not in it" }),
    drafts_cancelled: Schema.Int.annotate({
      description: "Number of open drafts of the mission that were cancelled"
    }),
    refused: refusedField
  }),
  failures: [NotFound],
  riskNotes: ["Cancelled drafts stay cancelled when the leads are added again; a message being sent is not stopped."],
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
