/**
 * The life of a mission, in its two spellings: five statuses in REST, `active` and `archived` in commands.
 *
 * A mission restored from the archive never sends by itself: it comes back as PAUSED, or as DRAFT if it never was more.
 * COMPLETED is set by a person, never silently. Source: G1.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Failure, fail } from "../Failure.ts"

/** Mission status as REST shows it. */
export const MissionStatus = Schema.Literals(["DRAFT", "ACTIVE", "PAUSED", "COMPLETED", "ARCHIVED"])
export type MissionStatus = typeof MissionStatus.Type

/** Mission status as commands show and take it: `archived` is ARCHIVED, `active` is every other. */
export const CommandMissionStatus = Schema.Literals(["active", "archived"])
export type CommandMissionStatus = typeof CommandMissionStatus.Type

/** What a mission keeps of its life. `beforeArchive` is set exactly while `status` is ARCHIVED. */
export interface MissionLife {
  readonly status: MissionStatus
  readonly beforeArchive: MissionStatus | null
}

/** Why queue items end when their mission is archived. */
export const archivedReason = "mission_archived"

/** The command form of a status. */
export const commandStatus = (status: MissionStatus): CommandMissionStatus =>
  status === "ARCHIVED" ? "archived" : "active"

const moves: Readonly<Record<MissionStatus, ReadonlyArray<MissionStatus>>> = {
  DRAFT: ["ACTIVE", "ARCHIVED"],
  ACTIVE: ["PAUSED", "COMPLETED", "ARCHIVED"],
  PAUSED: ["ACTIVE", "COMPLETED", "ARCHIVED"],
  COMPLETED: ["ARCHIVED"],
  ARCHIVED: ["PAUSED", "DRAFT"]
}

/** Moves to another status; staying is allowed. Fails with WRONG_STATE when the move is not one of G1. */
export const transition = (from: MissionStatus, to: MissionStatus): Result.Result<MissionStatus, Failure> => {
  if (from === to || moves[from].includes(to)) return Result.succeed(to)
  return Result.fail(fail("WRONG_STATE", `A mission in status ${from} cannot become ${to}. ${nextStep(from)}`))
}

const nextStep = (from: MissionStatus): string => {
  if (from === "ARCHIVED") return "Restore it first with mission.update, status active; it then is PAUSED or DRAFT."
  if (from === "COMPLETED") return "A completed mission can only be archived; create a new mission to go on."
  return `From ${from} it can become ${moves[from].join(", ")}.`
}

/** Archives a mission and remembers where it was; an archived one stays as it is. */
export const archive = (mission: MissionLife): MissionLife =>
  mission.status === "ARCHIVED" ? mission : { status: "ARCHIVED", beforeArchive: mission.status }

/**
 * Takes a mission out of the archive: DRAFT comes back as DRAFT, all others as PAUSED (COMPLETED too, as G1 lists no other
 * way out). A mission that is not archived stays as it is.
 */
export const restore = (mission: MissionLife): MissionLife =>
  mission.status === "ARCHIVED"
    ? { status: mission.beforeArchive === "DRAFT" ? "DRAFT" : "PAUSED", beforeArchive: null }
    : mission

/** What mission.update does with its `status`: `archived` archives, `active` restores. */
export const setCommandStatus = (mission: MissionLife, status: CommandMissionStatus): MissionLife =>
  status === "archived" ? archive(mission) : restore(mission)

/**
 * Moves a mission to one of the five statuses; staying changes nothing. Fails with WRONG_STATE when the move is not one of
 * G1.
 */
export const moveTo = (mission: MissionLife, to: MissionStatus): Result.Result<MissionLife, Failure> =>
  Result.map(transition(mission.status, to), () => {
    if (mission.status === to) return mission
    return to === "ARCHIVED" ? archive(mission) : { status: to, beforeArchive: null }
  })

/** What an archived mission forbids; reading it, editing its brief and restoring it stay allowed. */
export type ForbiddenWhenArchived = "draft" | "import" | "enrolment" | "send"

const forbidden: Readonly<Record<ForbiddenWhenArchived, string>> = {
  draft: "takes no new drafts",
  import: "takes no imports",
  enrolment: "takes no leads",
  send: "sends nothing"
}

/** Fails with MISSION_ARCHIVED when the mission is archived. */
export const refuseArchived = (status: MissionStatus, activity: ForbiddenWhenArchived): Result.Result<void, Failure> =>
  status === "ARCHIVED"
    ? Result.fail(
        fail(
          "MISSION_ARCHIVED",
          `An archived mission ${forbidden[activity]}. Restore it with mission.update, status active.`
        )
      )
    : Result.succeed(undefined)
