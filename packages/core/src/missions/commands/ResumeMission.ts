import * as Command from "../../Command.ts"
import { compactOne } from "../compactMission.ts"
import { moveInput, moveOutput, moveOutputNotes, runMove } from "./moveCommands.ts"

/** `mission.resume`: lets a paused or new campaign send. */
export const ResumeMission = Command.make({
  id: "mission.resume",
  title: "Resume a mission",
  summary: "Let a paused campaign go on, or start one that is a draft.",
  description:
    "A paused mission, or a draft that has an agent, becomes active: approved messages go out as limits and working hours " +
    "allow. An active mission stays as it is. An archived one is restored first with mission.update, status active; a " +
    "completed one is over.",
  whenToUse: "When the campaign may send again, or for the first time.",
  category: "missions",
  risk: "mutate",
  scope: "missions:write",
  input: moveInput,
  output: moveOutput,
  riskNotes: ["Approved messages that waited are sent without being asked about again."],
  outputNotes: moveOutputNotes,
  relatedCommands: ["mission.pause", "mission.update", "linkedin.draft.list"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [{ title: "Go on", input: { mission_id: "spring-outreach" } }],
  compact: compactOne,
  run: runMove("ACTIVE")
})
