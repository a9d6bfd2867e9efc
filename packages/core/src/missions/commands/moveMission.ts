import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { CommandMission, commandMissionOf, compactOne } from "../Mission.ts"
import { MissionIdText } from "../MissionInput.ts"
import { changeMissionStatus, type TargetStatus } from "../missionLifecycle.ts"

/** Their input. */
const moveInput = Schema.Struct({
  mission_id: MissionIdText,
  reason: Schema.optionalKey(nonEmptyLine(500, "The reason, for the event feed"))
})

/** What the commands of this file have in common. */
const move = {
  risk: "mutate",
  scope: "missions:write",
  input: moveInput,
  output: Schema.Struct({ mission: CommandMission }),
  failures: [NotFound, WrongState],
  outputNotes: [
    "status is active for every mission that is not archived; the first warning gives the actual status.",
    "Further warnings count the queued messages."
  ],
  relatedResources: ["svc://missions/{handle}"],
  compact: compactOne
} as const

/** Their run. */
const runMove = (to: TargetStatus) =>
  Effect.fnUntraced(function* ({ mission_id, reason }: typeof moveInput.Type) {
    return { mission: commandMissionOf(yield* changeMissionStatus(mission_id, to, reason)) }
  })

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
  ...move,
  riskNotes: ["Nothing is cancelled; messages that are being sent right now still go out."],
  relatedCommands: ["mission.resume", "mission.complete", "mission.update", "linkedin.draft.cancel"],
  examples: [
    { title: "While the brief is rewritten", input: { mission_id: "spring-outreach", reason: "New brief on Monday" } }
  ],
  run: runMove("PAUSED")
})

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
  ...move,
  riskNotes: ["Queued approved messages are sent without asking again."],
  relatedCommands: ["mission.pause", "mission.update", "linkedin.draft.list"],
  examples: [{ title: "Resume", input: { mission_id: "spring-outreach" } }],
  run: runMove("ACTIVE")
})

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
  ...move,
  riskNotes: ["Queued messages are neither sent nor cancelled; warnings count them."],
  relatedCommands: ["mission.stats", "mission.update", "linkedin.draft.cancel"],
  examples: [{ title: "End of the season", input: { mission_id: "spring-outreach", reason: "Spring is over" } }],
  run: runMove("COMPLETED")
})
