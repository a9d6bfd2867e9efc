import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { deleteMission } from "../endMission.ts"
import { MissionIdText } from "../MissionInput.ts"

/** `mission.delete`: deletes a campaign that has no leads. */
export const DeleteMission = Command.make({
  id: "mission.delete",
  title: "Delete a mission",
  summary: "Delete a campaign without leads for good; archive one that has any.",
  description:
    "Deletes a mission that has no leads, no open drafts and no unfinished import, together with the record of its imports. " +
    "Any other is refused with MISSION_IN_USE: archive it with mission.update, status archived. Drafts that were sent or " +
    "cancelled stay and belong to no mission.",
  whenToUse: "When a mission was created by mistake. To end a real one, complete or archive it.",
  category: "missions",
  risk: "approval",
  scope: "missions:write",
  input: Schema.Struct({ mission_id: MissionIdText }),
  output: Schema.Struct({ mission_id: Schema.String.annotate({ description: "Id of the mission that is gone" }) }),
  riskNotes: ["Cannot be undone; the handle becomes free."],
  relatedCommands: ["mission.update", "mission.complete", "lead.mission.remove"],
  relatedResources: ["svc://missions"],
  examples: [{ title: "An idea that came to nothing", input: { mission_id: "winter-ideas" } }],
  run: Effect.fnUntraced(function* ({ mission_id }) {
    return { mission_id: yield* deleteMission(mission_id) }
  })
})
