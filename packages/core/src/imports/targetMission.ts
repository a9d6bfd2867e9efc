/** The target mission of an import. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../kernel/command/Actor.ts"
import { InvalidInput, NotFound, type StoreFailure } from "../kernel/failure/failures.ts"
import type { MissionId } from "../kernel/schema/RecordIds.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import type { MissionArchived } from "../missions/failures.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import type { ImportRun } from "./ImportRun.ts"

/** The input fields. */
export const missionFields = {
  mission_id: Schema.optionalKey(nonEmptyLine(64, "The mission to add the leads to, by id or handle")),
  mission_handle: Schema.optionalKey(nonEmptyLine(64, "Alias of mission_id"))
}

/** Locks the mission of a run that is about to be stored. Fails with NOT_FOUND and MISSION_ARCHIVED. */
export const holdMissionOf = Effect.fnUntraced(function* ({
  missionId,
  organizationId
}: ImportRun): Effect.fn.Return<void, StoreFailure | MissionArchived | NotFound, MissionsRepo> {
  const mission = yield* (yield* MissionsRepo).hold(organizationId, missionId)
  if (mission === undefined) return yield* new NotFound({ kind: "mission", id: missionId })
  yield* Effect.fromResult(refuseArchived(mission.status, "import"))
})

/** Finds the mission. Fails with INVALID_INPUT (none or two given), NOT_FOUND and MISSION_ARCHIVED. */
export const targetMission = Effect.fnUntraced(function* (input: {
  readonly mission_id?: MissionId
  readonly mission_handle?: string
}): Effect.fn.Return<MissionRow, StoreFailure | InvalidInput | MissionArchived | NotFound, Actor | MissionsRepo> {
  const { organizationId } = yield* Actor
  const named = input.mission_id ?? input.mission_handle
  if (named === undefined) {
    return yield* new InvalidInput({
      message: "mission_id or mission_handle is required. Find a mission with mission.list."
    })
  }
  const mission = yield* (yield* MissionsRepo).findByIdOrHandle(organizationId, named)
  if (mission === undefined) return yield* new NotFound({ kind: "mission", id: named })
  const other = input.mission_handle
  if (other !== undefined && other !== mission.id && other !== mission.handle) {
    return yield* new InvalidInput({
      message: "mission_id and mission_handle name different missions. Send one of them."
    })
  }
  yield* Effect.fromResult(refuseArchived(mission.status, "import"))
  return mission
})
