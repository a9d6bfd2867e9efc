import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { compactOne } from "../compactMission.ts"
import { CommandMission, missionRecord, showMission, shownImports } from "../Mission.ts"
import { MissionIdText } from "../MissionInput.ts"
import { viewMission } from "../writeMission.ts"

/** `mission.get`: reads one mission. */
export const GetMission = Command.make({
  id: "mission.get",
  title: "Get a mission",
  summary: "Get a mission by id or handle",
  description:
    "Returns the mission with its brief, its offer, the number of leads contacted and replied, and its imports, " +
    "newest first.",
  whenToUse: "Before drafting a message for a lead of the mission, or to check its progress.",
  category: "missions",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({ mission_id: MissionIdText }),
  output: Schema.Struct({ mission: CommandMission }),
  failures: [NotFound],
  outputNotes: [`The newest ${shownImports} imports; import.list returns all of them.`],
  relatedCommands: ["mission.list", "mission.update", "import.list"],
  relatedResources: ["svc://status"],
  examples: [{ title: "The sample mission", input: { mission_id: "spring-outreach" } }],
  compact: compactOne,
  show: showMission,
  record: missionRecord,
  run: ({ mission_id }) => viewMission(mission_id)
})
