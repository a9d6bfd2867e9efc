import * as Command from "../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { compactOne } from "../compactMission.ts"
import { moveInput, moveOutput, moveOutputNotes, runMove } from "./moveCommands.ts"

/** `mission.complete`: completes a mission. */
export const CompleteMission = Command.make({
  id: "mission.complete",
  title: "Complete a mission",
  summary: "Mark a mission as completed",
  description:
    "Completes an active or paused mission. Leads, drafts and statistics stay; approved messages are no longer sent, " +
    "and nothing more can be approved. A completed mission cannot be resumed; it can be archived, and is restored " +
    "from the archive as paused.",
  whenToUse: "When a mission has reached its end. Missions are never completed automatically.",
  category: "missions",
  risk: "mutate",
  scope: "missions:write",
  input: moveInput,
  output: moveOutput,
  failures: [NotFound, WrongState],
  riskNotes: ["Queued messages are neither sent nor cancelled; warnings count them."],
  outputNotes: moveOutputNotes,
  relatedCommands: ["mission.stats", "mission.update", "linkedin.draft.cancel"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [{ title: "End of the season", input: { mission_id: "spring-outreach", reason: "Spring is over" } }],
  compact: compactOne,
  run: runMove("COMPLETED")
})
