import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { compactOne } from "../compactMission.ts"
import { CommandMission, commandMissionOf, shownImports } from "../Mission.ts"
import { MissionIdText } from "../MissionInput.ts"
import { viewMission } from "../writeMission.ts"

/** `mission.get`: reads one campaign. */
export const GetMission = Command.make({
  id: "mission.get",
  title: "Read a mission",
  summary: "Read one campaign by its id or handle.",
  description:
    "Answers the mission with its brief, the offer it proposes, how many of its leads were contacted and replied, and its " +
    "imports, newest first.",
  whenToUse: "Before drafting a message for a lead of the mission, or to see how far it is.",
  category: "missions",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({ mission_id: MissionIdText }),
  output: Schema.Struct({ mission: CommandMission }),
  outputNotes: [`The newest ${shownImports} imports; import.list has all of them.`],
  relatedCommands: ["mission.list", "mission.update", "import.list"],
  relatedResources: ["svc://status"],
  examples: [{ title: "The sample mission", input: { mission_id: "spring-outreach" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ mission_id }) {
    return { mission: commandMissionOf(yield* viewMission(mission_id)) }
  })
})
