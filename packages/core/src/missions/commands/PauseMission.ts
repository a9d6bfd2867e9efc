import * as Command from "../../Command.ts"
import { compactOne } from "../compactMission.ts"
import { moveInput, moveOutput, moveOutputNotes, runMove } from "./moveCommands.ts"

/** `mission.pause`: stops a campaign from sending by itself. */
export const PauseMission = Command.make({
  id: "mission.pause",
  title: "Pause a mission",
  summary: "Stop a campaign from sending until it is resumed.",
  description:
    "An active mission becomes paused: approved messages wait, drafts can still be written and approved, leads added. What " +
    "somebody sends with send_now still goes out. A paused mission stays as it is; a draft, completed or archived one is " +
    "refused with WRONG_STATE.",
  whenToUse: "When something about the campaign must be looked at before more messages leave.",
  category: "missions",
  risk: "mutate",
  scope: "missions:write",
  input: moveInput,
  output: moveOutput,
  riskNotes: ["Nothing is cancelled; messages that are being transmitted right now still arrive."],
  outputNotes: moveOutputNotes,
  relatedCommands: ["mission.resume", "mission.complete", "mission.update", "linkedin.draft.cancel"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [
    { title: "While the brief is rewritten", input: { mission_id: "spring-outreach", reason: "New brief on Monday" } }
  ],
  compact: compactOne,
  run: runMove("PAUSED")
})
