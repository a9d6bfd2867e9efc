import * as Command from "../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { compactOne } from "../compactMission.ts"
import { moveInput, moveOutput, moveOutputNotes, runMove } from "./moveCommands.ts"

/** `mission.pause`: pauses a mission. */
export const PauseMission = Command.make({
  id: "mission.pause",
  title: "Pause a mission",
  summary: "Pause a mission until it is resumed",
  description:
    "Pauses an active mission: approved messages wait, while drafts can still be written and approved and leads " +
    "added. send_now still sends. A paused mission stays as it is; a draft, completed or archived one fails with " +
    "WRONG_STATE.",
  whenToUse: "When something about the mission must be checked before more messages are sent.",
  category: "missions",
  risk: "mutate",
  scope: "missions:write",
  input: moveInput,
  output: moveOutput,
  failures: [NotFound, WrongState],
  riskNotes: ["Nothing is cancelled; messages that are being sent right now still go out."],
  outputNotes: moveOutputNotes,
  relatedCommands: ["mission.resume", "mission.complete", "mission.update", "linkedin.draft.cancel"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [
    { title: "While the brief is rewritten", input: { mission_id: "spring-outreach", reason: "New brief on Monday" } }
  ],
  compact: compactOne,
  run: runMove("PAUSED")
})
