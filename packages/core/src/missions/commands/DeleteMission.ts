import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { MissionInUse } from "../failures.ts"
import { MissionIdText } from "../MissionInput.ts"
import { deleteMission } from "../missionLifecycle.ts"

/** `mission.delete`: deletes a mission without leads. */
export const DeleteMission = Command.make({
  id: "mission.delete",
  title: "Delete a mission",
  summary: "Delete a mission without leads",
  description:
    "Deletes a mission that has no leads, no open drafts and no unfinished import, together with its import records. " +
    "Any other fails with MISSION_IN_USE: archive it with mission.update, status archived. Sent and cancelled drafts " +
    "stay, without a mission.",
  whenToUse: "When a mission was created by mistake. To end a real one, complete or archive it.",
  category: "missions",
  risk: "approval",
  scope: "missions:write",
  input: Schema.Struct({ mission_id: MissionIdText }),
  output: Schema.Struct({ mission_id: Schema.String.annotate({ description: "Id of the deleted mission" }) }),
  failures: [MissionInUse, NotFound],
  riskNotes: ["Cannot be undone; the handle becomes available again."],
  relatedCommands: ["mission.update", "mission.complete", "lead.mission.remove"],
  relatedResources: ["svc://missions"],
  examples: [{ title: "An abandoned idea", input: { mission_id: "winter-ideas" } }],
  run: Effect.fnUntraced(function* ({ mission_id }) {
    return { mission_id: yield* deleteMission(mission_id) }
  })
})
