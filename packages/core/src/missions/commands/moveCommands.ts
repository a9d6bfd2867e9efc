/** What `mission.pause`, `mission.resume` and `mission.complete` have in common. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { nonEmptyLine } from "../../TextFields.ts"
import { type LifeMove, moveMission } from "../endMission.ts"
import { CommandMission, commandMissionOf } from "../Mission.ts"
import { MissionIdText } from "../MissionInput.ts"

/** Their input. */
export const moveInput = Schema.Struct({
  mission_id: MissionIdText,
  reason: Schema.optionalKey(nonEmptyLine(500, "Why, for the event feed"))
})

/** Their output. */
export const moveOutput = Schema.Struct({ mission: CommandMission })

/** What their output does not say. */
export const moveOutputNotes: ReadonlyArray<string> = [
  "status is active for every mission that is not archived; the first warning names the real one.",
  "Further warnings count the messages that wait."
]

/** Their run. */
export const runMove = (to: LifeMove) =>
  Effect.fnUntraced(function* ({ mission_id, reason }: typeof moveInput.Type) {
    return { mission: commandMissionOf(yield* moveMission(mission_id, to, reason)) }
  })
