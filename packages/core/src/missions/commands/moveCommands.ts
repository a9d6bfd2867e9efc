/** The common parts of `mission.pause`, `mission.resume` and `mission.complete`. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { CommandMission, commandMissionOf } from "../Mission.ts"
import { MissionIdText } from "../MissionInput.ts"
import { changeMissionStatus, type TargetStatus } from "../missionLifecycle.ts"

/** Their input. */
export const moveInput = Schema.Struct({
  mission_id: MissionIdText,
  reason: Schema.optionalKey(nonEmptyLine(500, "The reason, for the event feed"))
})

/** Their output. */
export const moveOutput = Schema.Struct({ mission: CommandMission })

/** Their output notes. */
export const moveOutputNotes: ReadonlyArray<string> = [
  "status is active for every mission that is not archived; the first warning gives the actual status.",
  "Further warnings count the queued messages."
]

/** Their run. */
export const runMove = (to: TargetStatus) =>
  Effect.fnUntraced(function* ({ mission_id, reason }: typeof moveInput.Type) {
    return { mission: commandMissionOf(yield* changeMissionStatus(mission_id, to, reason)) }
  })
