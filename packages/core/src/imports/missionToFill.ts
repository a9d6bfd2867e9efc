/** The mission that an import adds leads to. Source: G20. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { type MissionRow, MissionsRepo, refuseArchived } from "../missions/index.ts"
import { nonEmptyLine } from "../TextFields.ts"

/** The input fields that name it. */
export const missionFields = {
  mission_id: Schema.optionalKey(nonEmptyLine(64, "The mission that gets the leads: its id or its handle")),
  mission_handle: Schema.optionalKey(nonEmptyLine(64, "Another word for mission_id"))
}

/** Finds it. Fails with INVALID_INPUT (none named, or two), NOT_FOUND and MISSION_ARCHIVED. */
export const missionToFill = Effect.fnUntraced(function* (input: {
  readonly mission_id?: string
  readonly mission_handle?: string
}): Effect.fn.Return<MissionRow, Failure, Actor | MissionsRepo> {
  const { organizationId } = yield* Actor
  const named = input.mission_id ?? input.mission_handle
  if (named === undefined) {
    return yield* fail(
      "INVALID_INPUT",
      "mission_id or mission_handle: required, as people are imported into a mission. Find one with mission.list."
    )
  }
  const mission = yield* (yield* MissionsRepo).findByIdOrHandle(organizationId, named)
  if (mission === undefined) return yield* notFound("mission", named)
  const other = input.mission_handle
  if (other !== undefined && other !== mission.id && other !== mission.handle) {
    return yield* fail("INVALID_INPUT", "mission_id and mission_handle name two missions. Send one of them.")
  }
  yield* Effect.fromResult(refuseArchived(mission.status, "import"))
  return mission
})
