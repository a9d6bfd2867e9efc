import * as Command from "../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { compactOne } from "../compactMission.ts"
import { moveInput, moveOutput, moveOutputNotes, runMove } from "./moveCommands.ts"

/** `mission.resume`: activates a paused or new mission. */
export const ResumeMission = Command.make({
  id: "mission.resume",
  title: "Resume a mission",
  summary: "Resume a paused mission, or start a draft",
  description:
    "Activates a paused mission, or a draft that has an agent: approved messages are sent as limits and working " +
    "hours allow. An active mission stays as it is. Restore an archived one first with mission.update, status " +
    "active; a completed mission cannot be resumed.",
  whenToUse: "When the mission may send again, or for the first time.",
  category: "missions",
  risk: "mutate",
  scope: "missions:write",
  input: moveInput,
  output: moveOutput,
  failures: [NotFound, WrongState],
  riskNotes: ["Queued approved messages are sent without asking again."],
  outputNotes: moveOutputNotes,
  relatedCommands: ["mission.pause", "mission.update", "linkedin.draft.list"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [{ title: "Resume", input: { mission_id: "spring-outreach" } }],
  compact: compactOne,
  run: runMove("ACTIVE")
})
