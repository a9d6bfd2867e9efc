/** Pausing, resuming, completing and deleting missions: the rules behind the commands. Source: G1; catalogue 4.1. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import type { AgentsRepo } from "../agents/index.ts"
import { type Execution, emit, warn } from "../Execution.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import type { OffersRepo } from "../offers/index.ts"
import type { MissionView } from "./Mission.ts"
import type { MissionArchival } from "./MissionArchival.ts"
import { MissionReportRepo, type WaitingMessages } from "./MissionReportRepo.ts"
import { MissionsRepo } from "./MissionsRepo.ts"
import { updateMission } from "./writeMission.ts"

/** Where the three commands lead. */
export type LifeMove = "ACTIVE" | "PAUSED" | "COMPLETED"

const messages = (count: number): string => `${count} ${count === 1 ? "message" : "messages"}`

const heldWords: Readonly<Record<LifeMove, string>> = {
  PAUSED: "wait until the mission is resumed with mission.resume.",
  ACTIVE: "go out as soon as limits and working hours allow; cancel with linkedin.draft.cancel what should not.",
  COMPLETED:
    "are not sent any more: cancel them with linkedin.draft.cancel, or archive the mission, which takes them back."
}

const warningsOf = (to: LifeMove, waiting: WaitingMessages): ReadonlyArray<string> => [
  ...(waiting.held > 0 ? [`waiting: ${messages(waiting.held)} approved; they ${heldWords[to]}`] : []),
  ...(waiting.bypassing > 0 && to !== "ACTIVE"
    ? [`sending: ${messages(waiting.bypassing)} of send_now still go out; linkedin.draft.cancel stops them.`]
    : []),
  ...(waiting.ambiguous > 0
    ? [`ambiguous: of ${messages(waiting.ambiguous)} it is not known whether they were sent; settle them first.`]
    : []),
  ...(waiting.toReview > 0 && to !== "PAUSED" ? [`review: ${messages(waiting.toReview)} under review.`] : [])
]

/**
 * Moves a mission, and warns of what waits in it; the first warning names the status, which the command form does not
 * show. A mission that is there already stays as it is. Fails with NOT_FOUND and WRONG_STATE.
 */
export const moveMission = Effect.fnUntraced(function* (
  idOrHandle: string,
  to: LifeMove,
  reason: string | undefined
): Effect.fn.Return<
  MissionView,
  Failure,
  Actor | AgentsRepo | Execution | MissionArchival | MissionReportRepo | MissionsRepo | OffersRepo
> {
  const view = yield* updateMission(idOrHandle, {
    write: {},
    brief: undefined,
    status: undefined,
    move: { to, reason }
  })
  const { id, organizationId } = view.mission
  yield* warn(`status: the mission is ${to}; commands show every status but ARCHIVED as active.`)
  const waiting = yield* (yield* MissionReportRepo).waiting(organizationId, id)
  for (const warning of warningsOf(to, waiting)) yield* warn(warning)
  return view
})

const belongings = (leads: number, openDrafts: number, unfinishedImports: number): string =>
  [
    ...(leads > 0 ? [`${leads} ${leads === 1 ? "lead" : "leads"}`] : []),
    ...(openDrafts > 0 ? [`${openDrafts} open ${openDrafts === 1 ? "draft" : "drafts"}`] : []),
    ...(unfinishedImports > 0
      ? [`${unfinishedImports} unfinished ${unfinishedImports === 1 ? "import" : "imports"}`]
      : [])
  ].join(", ")

/**
 * Deletes a mission without leads for good, with the record of its imports. Fails with NOT_FOUND, and with MISSION_IN_USE
 * when it has leads, open drafts or an unfinished import.
 */
export const deleteMission = Effect.fnUntraced(function* (
  idOrHandle: string
): Effect.fn.Return<string, Failure, Actor | Execution | MissionsRepo> {
  const { organizationId } = yield* Actor
  const repo = yield* MissionsRepo
  const held = yield* repo.holdForDeletion(organizationId, idOrHandle)
  if (held === undefined) return yield* notFound("mission", idOrHandle)
  const { leads, mission, openDrafts, unfinishedImports } = held
  const { handle, id } = mission
  const has = belongings(leads, openDrafts, unfinishedImports)
  if (has !== "") {
    return yield* fail(
      "MISSION_IN_USE",
      `Mission ${handle} has ${has} and is kept. Archive it with mission.update, status archived.`
    )
  }
  yield* repo.remove(organizationId, id)
  yield* emit({ type: "mission.updated", subject: { type: "mission", id }, data: { handle, deleted: true } })
  return id
})
