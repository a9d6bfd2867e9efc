/**
 * Resuming an import.
 *
 * A search resumes at the provider's cursor, in the background, up to its limit. Files are not stored: an import of a file
 * resumes when the file is sent again.
 */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Actor, Execution, warn } from "../kernel/command/Execution.ts"
import { NotFound, VersionConflict, WrongState } from "../kernel/failure/failures.ts"
import { changedAt, type ImportId, isoFromMillis } from "../kernel/schema/IdsAndTime.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import { findAccount } from "../outreach/provider/resolveAccount.ts"
import { searchUrlOf } from "./Audience.ts"
import { type ImportRun, isStale, rowsSeen } from "./ImportRun.ts"
import { ImportRunner } from "./ImportRunner.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { getImport, importStarted } from "./readImport.ts"

/** Minimum number of people to read, even if the limit was already reached. */
const minExtraRows = 25

const ended: Readonly<Record<string, string>> = {
  cancelled: "was cancelled. Import the source again",
  undone: "was undone. Import the source again"
}

/** The warning for an import that need not be resumed. */
const noOpWarning = (run: ImportRun, nowMillis: number): string | undefined => {
  if (run.state === "running" && !isStale(run, nowMillis)) return "The import is already running; nothing was changed."
  return run.state === "completed"
    ? "The import is complete; nothing was changed. Import again with refresh: true (a search) or again: true (a file)."
    : undefined
}

/** Why an import cannot be resumed; undefined when it can. */
const refusal = (run: ImportRun, handle: string): WrongState | undefined => {
  const how = ended[run.state]
  if (how !== undefined) return new WrongState({ message: `The import ${how}.` })
  if (run.type === "CSV") {
    const after = rowsSeen(run.counts)
    return new WrongState({
      message:
        `Files are not stored. Send the same file again, with svc import csv FILE --mission ${handle}, import.csv or ` +
        `POST /api/v1/missions/${handle}/imports: it resumes after row ${after}.`
    })
  }
  return run.accountId === null
    ? new WrongState({ message: "The leads of this import were posted and are not stored. Post them again." })
    : undefined
}

const begin = Effect.fnUntraced(function* (run: ImportRun, nowMillis: number) {
  const rowLimit = Math.max(run.rowLimit ?? 0, rowsSeen(run.counts) + minExtraRows)
  const at = changedAt(run.updatedAt, isoFromMillis(nowMillis))
  const resumed = yield* (yield* ImportsRepo).resume(run, { rowLimit, accountId: run.accountId, at })
  if (resumed === undefined) {
    return yield* new VersionConflict({
      message: "The import was resumed by another request in the meantime. Read it with import.get."
    })
  }
  yield* (yield* MissionsRepo).touch(run.organizationId, run.missionId, at)
  yield* importStarted(resumed)
  return resumed
})

/**
 * Resumes a paused, failed or interrupted search in the background. A running or completed import is returned unchanged,
 * with a warning. Fails with NOT_FOUND, WRONG_STATE (not resumable, or a file), MISSION_ARCHIVED and like `findAccount`.
 */
export const resumeImport = Effect.fnUntraced(function* (importId: ImportId) {
  const actor = yield* Actor
  const execution = yield* Execution
  const repo = yield* ImportsRepo
  const runner = yield* ImportRunner
  const found = yield* repo.find(actor.organizationId, importId, 0)
  if (found === undefined) return yield* new NotFound({ kind: "import", id: importId })
  const { mission, run } = found
  const nowMillis = yield* Clock.currentTimeMillis
  const said = noOpWarning(run, nowMillis)
  if (said !== undefined) return yield* execution.finish(Effect.andThen(warn(said), getImport(importId)))
  const refused = refusal(run, mission.handle)
  if (refused !== undefined) return yield* refused
  const url = yield* Effect.fromResult(searchUrlOf(run))
  const row = yield* (yield* MissionsRepo).findByIdOrHandle(actor.organizationId, run.missionId)
  if (row !== undefined) yield* Effect.fromResult(refuseArchived(row.status, "import"))
  const account = yield* findAccount(run.accountId ?? "")
  // A running import must have a runner, even if the caller is interrupted here.
  yield* Effect.uninterruptible(
    Effect.gen(function* () {
      const resumed = yield* execution.commit(begin(run, nowMillis))
      if (!execution.dryRun) yield* runner.start({ run: resumed, url, account, actor })
    })
  )
  return yield* execution.finish(getImport(importId))
})
