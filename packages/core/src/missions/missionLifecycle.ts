/** Pausing, resuming, completing and deleting missions: the rules of the commands. */
import * as Effect from "effect/Effect"
import { Actor, emit, ownRecord, warn } from "../kernel/command/Execution.ts"

import { MissionInUse } from "./failures.ts"
import { MissionsRepo, type MissionToDelete, type WaitingMessages } from "./MissionsRepo.ts"
import { updateMission } from "./writeMission.ts"

/** The statuses that mission.resume, mission.pause and mission.complete set. */
export type TargetStatus = "ACTIVE" | "PAUSED" | "COMPLETED"

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const messages = (count: number): string => plural(count, "message")

const heldWords: Readonly<Record<TargetStatus, string>> = {
  PAUSED: "wait until the mission is resumed with mission.resume.",
  ACTIVE: "are sent as soon as limits and working hours allow; to stop one, use linkedin.draft.cancel.",
  COMPLETED: "are no longer sent: cancel them with linkedin.draft.cancel, or archive the mission, which cancels them."
}

const warningsOf = (to: TargetStatus, waiting: WaitingMessages): ReadonlyArray<string> => [
  ...(waiting.held > 0 ? [`waiting: ${messages(waiting.held)} approved; they ${heldWords[to]}`] : []),
  ...(waiting.bypassing > 0 && to !== "ACTIVE"
    ? [`sending: ${messages(waiting.bypassing)} of send_now will still be sent; linkedin.draft.cancel stops them.`]
    : []),
  ...(waiting.ambiguous > 0
    ? [`ambiguous: it is unknown whether ${messages(waiting.ambiguous)} were sent; settle them first.`]
    : []),
  ...(waiting.toReview > 0 && to !== "PAUSED" ? [`review: ${messages(waiting.toReview)} under review.`] : [])
]

/**
 * Changes the status of a mission; warnings count its waiting messages, and the first one names the status, which the
 * output of commands does not show. A mission that already has the status stays as it is. Fails with NOT_FOUND and
 * WRONG_STATE.
 */
export const changeMissionStatus = Effect.fnUntraced(function* (
  idOrHandle: string,
  to: TargetStatus,
  reason: string | undefined
) {
  const view = yield* updateMission(idOrHandle, { write: {}, move: { to, reason } })
  const { id, name, organizationId } = view.mission
  yield* warn(`${name} is ${to.toLowerCase()}.`)
  const waiting = yield* (yield* MissionsRepo).waiting(organizationId, id)
  for (const warning of warningsOf(to, waiting)) yield* warn(warning)
  return view
})

const belongings = ({ leads, openDrafts, openEmails, unfinishedImports }: MissionToDelete): string =>
  [
    ...(leads > 0 ? [plural(leads, "lead")] : []),
    ...(openDrafts > 0 ? [plural(openDrafts, "open draft")] : []),
    ...(openEmails > 0 ? [plural(openEmails, "unsent email")] : []),
    ...(unfinishedImports > 0 ? [plural(unfinishedImports, "unfinished import")] : [])
  ].join(", ")

/**
 * Deletes a mission without leads, with the records of its imports. Fails with NOT_FOUND, and with MISSION_IN_USE if it
 * has leads, open drafts, unsent emails or an unfinished import.
 */
export const deleteMission = Effect.fnUntraced(function* (idOrHandle: string) {
  const { organizationId } = yield* Actor
  const repo = yield* MissionsRepo
  const held = yield* ownRecord("mission", idOrHandle, repo.holdForDeletion)
  const { handle, id } = held.mission
  const has = belongings(held)
  if (has !== "") {
    return yield* new MissionInUse({
      missionId: id,
      message: `Mission ${handle} has ${has} and cannot be deleted. Archive it with mission.update, status archived.`
    })
  }
  yield* repo.remove(organizationId, id)
  yield* emit({ type: "mission.updated", subject: { type: "mission", id }, data: { handle, deleted: true } })
  return id
})
