/** Distinguishes an unknown mission from an empty one. */
import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"
import type { NotFound, StoreFailure } from "../kernel/failure/failures.ts"
import { orNotFound } from "../kernel/failure/orNotFound.ts"
import { MissionsRepo } from "./MissionsRepo.ts"

/**
 * Fails with NOT_FOUND if the list of a mission is empty because the mission, by id or handle, does not exist. It is only
 * looked up if the list is empty.
 */
export const refuseUnknownMission = Effect.fnUntraced(function* (
  mission: string | undefined,
  listed: ReadonlyArray<unknown>
): Effect.fn.Return<void, StoreFailure | NotFound, Actor | MissionsRepo> {
  if (mission === undefined || listed.length > 0) return
  const { organizationId } = yield* Actor
  yield* orNotFound("mission", mission, (yield* MissionsRepo).findByIdOrHandle(organizationId, mission))
})
