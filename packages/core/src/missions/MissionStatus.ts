/**
 * The statuses of a mission: five in REST; commands show them as `active` or `archived`.
 *
 * A restored mission never sends by itself: it is PAUSED, or DRAFT if it was a draft. COMPLETED is never set
 * automatically.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

import { InvalidInput, WrongState } from "../kernel/failure/failures.ts"
import { MissionArchived } from "./failures.ts"

/** Mission status as REST shows it. */
export const MissionStatus = Schema.Literals(["DRAFT", "ACTIVE", "PAUSED", "COMPLETED", "ARCHIVED"])
export type MissionStatus = typeof MissionStatus.Type

/** Mission status in commands: `archived` is ARCHIVED, `active` is every other. */
export const CommandMissionStatus = Schema.Literals(["active", "archived"])
export type CommandMissionStatus = typeof CommandMissionStatus.Type

/** The statuses of missions that are over: nobody is contacted in their name. */
export const finishedStatuses: ReadonlyArray<MissionStatus> = ["COMPLETED", "ARCHIVED"]

/** The status of a mission. `beforeArchive` is the previous status while `status` is ARCHIVED, otherwise null. */
export interface MissionLifecycle {
  readonly status: MissionStatus
  readonly beforeArchive: MissionStatus | null
}

/** The status as commands show it. */
export const commandStatus = (status: MissionStatus): CommandMissionStatus =>
  status === "ARCHIVED" ? "archived" : "active"

const moves: Readonly<Record<MissionStatus, ReadonlyArray<MissionStatus>>> = {
  DRAFT: ["ACTIVE", "ARCHIVED"],
  ACTIVE: ["PAUSED", "COMPLETED", "ARCHIVED"],
  PAUSED: ["ACTIVE", "COMPLETED", "ARCHIVED"],
  COMPLETED: ["ARCHIVED"],
  ARCHIVED: ["PAUSED", "DRAFT"]
}

const nextStep = (from: MissionStatus): string => {
  if (from === "ARCHIVED") return "Restore it first with mission.update, status active; it is then PAUSED or DRAFT."
  if (from === "COMPLETED") return "A completed mission can only be archived; create a new mission instead."
  return `From ${from} it can become ${moves[from].join(", ")}.`
}

/**
 * Applies the `status` of mission.update: `archived` archives and keeps the previous status; `active` restores a draft as DRAFT,
 * any other mission, even a completed one, as PAUSED. A mission that has the status stays as it is.
 */
export const setCommandStatus = (mission: MissionLifecycle, status: CommandMissionStatus): MissionLifecycle => {
  if (commandStatus(mission.status) === status) return mission
  if (status === "archived") return { status: "ARCHIVED", beforeArchive: mission.status }
  return { status: mission.beforeArchive === "DRAFT" ? "DRAFT" : "PAUSED", beforeArchive: null }
}

/**
 * Changes the status to one of the five; keeping it changes nothing. Fails with WRONG_STATE if the change is not allowed.
 */
export const changeStatus = (
  mission: MissionLifecycle,
  to: MissionStatus
): Result.Result<MissionLifecycle, WrongState> => {
  const from = mission.status
  if (from === to) return Result.succeed(mission)
  if (moves[from].includes(to)) return Result.succeed({ status: to, beforeArchive: to === "ARCHIVED" ? from : null })
  return Result.fail(new WrongState({ message: `A mission in status ${from} cannot become ${to}. ${nextStep(from)}` }))
}

/** What is forbidden in an archived mission; it can still be read, edited and restored. */
type ForbiddenWhenArchived = "draft" | "import" | "enrolment" | "send" | "plan"

const forbidden: Readonly<Record<ForbiddenWhenArchived, string>> = {
  draft: "does not accept new drafts",
  import: "does not accept imports",
  enrolment: "does not accept leads",
  send: "does not send",
  plan: "does not accept steps"
}

/** Fails with MISSION_ARCHIVED if the mission is archived. */
export const refuseArchived = (
  status: MissionStatus,
  activity: ForbiddenWhenArchived
): Result.Result<void, MissionArchived> =>
  status === "ARCHIVED"
    ? Result.fail(
        new MissionArchived({
          message: `An archived mission ${forbidden[activity]}. Restore it with mission.update, status active.`
        })
      )
    : Result.succeed(undefined)

/** Fails with INVALID_INPUT if the mission does not use e-mail. */
export const refuseWithoutEmail = (
  { channels }: { readonly channels: ReadonlyArray<string> },
  path: string
): Result.Result<void, InvalidInput> =>
  channels.includes("EMAIL")
    ? Result.succeed(undefined)
    : Result.fail(
        new InvalidInput({
          message: `${path}: the mission does not use the channel EMAIL. Add it with mission.update.`
        })
      )

/** Fails with MISSION_ARCHIVED or WRONG_STATE if the mission is archived or completed: what is approved would not be sent. */
export const refuseFinished = (status: MissionStatus): Result.Result<void, MissionArchived | WrongState> =>
  status === "COMPLETED"
    ? Result.fail(
        new WrongState({
          message:
            "A completed mission does not send. Use another mission; or archive this one and restore it with " +
            "mission.update, then continue with mission.resume."
        })
      )
    : refuseArchived(status, "send")
