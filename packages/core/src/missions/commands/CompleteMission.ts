import * as Command from "../../Command.ts"
import { compactOne } from "../compactMission.ts"
import { moveInput, moveOutput, moveOutputNotes, runMove } from "./moveCommands.ts"

/** `mission.complete`: marks a campaign as done. */
export const CompleteMission = Command.make({
  id: "mission.complete",
  title: "Complete a mission",
  summary: "Mark a campaign as done; it sends nothing by itself any more.",
  description:
    "An active or paused mission becomes completed. Leads, drafts and numbers stay; approved messages are not sent any more " +
    "unless somebody uses send_now. It cannot be resumed; it can be archived, and comes back from the archive as paused.",
  whenToUse: "When the campaign has reached its end. Nothing completes a mission by itself.",
  category: "missions",
  risk: "mutate",
  scope: "missions:write",
  input: moveInput,
  output: moveOutput,
  riskNotes: ["Messages that wait are neither sent nor cancelled; warnings count them."],
  outputNotes: moveOutputNotes,
  relatedCommands: ["mission.stats", "mission.update", "linkedin.draft.cancel"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [{ title: "The season is over", input: { mission_id: "spring-outreach", reason: "Spring is over" } }],
  compact: compactOne,
  run: runMove("COMPLETED")
})
