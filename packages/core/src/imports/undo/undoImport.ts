/**
 * Resuming an import, and undoing one.
 *
 * A search resumes at the provider's cursor, in the background, up to its limit. Undoing takes one chunk of rows per
 * transaction; the import keeps its state until the last one, so a repeated call continues where an earlier one stopped.
 */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor, commit, Execution, emit, ownRecord, warn } from "../../kernel/command/Execution.ts"
import { type InvalidInput, VersionConflict, WrongState } from "../../kernel/failure/failures.ts"
import type { ImportId, LeadId } from "../../kernel/schema/IdsAndTime.ts"
import type { KeptReason } from "../../leads/Lead.ts"
import { refuseArchived } from "../../missions/MissionStatus.ts"
import { MissionsRepo } from "../../missions/MissionsRepo.ts"
import type { NotAPeopleSearch } from "../../outreach/failures.ts"
import { findAccount } from "../../outreach/provider/LinkedInGateway.ts"
import { audienceOf } from "../Audience.ts"
import { getImport } from "../Import.ts"
import { type ImportRun, type ImportState, isStale, rowsSeen } from "../ImportRun.ts"
import { ImportRunner } from "../ImportRunner.ts"
import { ImportsRepo } from "../ImportsRepo.ts"
import { continueRun, endRun } from "../importRows.ts"

const find = (importId: ImportId) =>
  Effect.flatMap(ImportsRepo, (repo) => ownRecord("import", importId, (...key) => repo.find(...key, 0)))

/** Minimum number of people to read, even if the limit was already reached. */
const minExtraRows = 25

/** The warning for an import that need not be resumed. */
const noOpWarning = (run: ImportRun, nowMillis: number): string | undefined => {
  if (run.state === "running" && !isStale(run, nowMillis)) return "The import is already running; nothing was changed."
  return run.state === "completed"
    ? "The import is complete; nothing was changed. Import again with refresh: true (a search) or again: true (a file)."
    : undefined
}

const refuse = (message: string) => Result.fail(new WrongState({ message }))

/** The URL to resume a search by. Fails with WRONG_STATE for an import that cannot be resumed. */
const searchUrlOf = (
  { counts, sourceUrl, state, type }: ImportRun,
  handle: string
): Result.Result<string, InvalidInput | NotAPeopleSearch | WrongState> => {
  if (state === "cancelled" || state === "undone") return refuse(`The import was ${state}. Import the source again.`)
  if (type === "CSV") {
    return refuse(
      `Files are not stored. Send the same file again, with svc import csv FILE --mission ${handle}, import.csv or ` +
        `POST /api/v1/missions/${handle}/imports: it resumes after row ${rowsSeen(counts)}.`
    )
  }
  return sourceUrl !== null &&
    (type === "SALES_NAV_SEARCH" || type === "SALES_NAV_FILTERS" || type === "LINKEDIN_SEARCH")
    ? Result.map(audienceOf(type, sourceUrl), ({ urlFrom }) => urlFrom(1))
    : refuse("The leads of this import were posted and are not stored. Post them again.")
}

const begin = Effect.fnUntraced(function* (run: ImportRun) {
  const remaining = (run.rowLimit ?? 0) - rowsSeen(run.counts)
  const resumed = yield* continueRun(run, Math.max(remaining, minExtraRows), run.accountId)
  if (resumed === undefined) {
    const message = "The import was resumed by another request in the meantime. Read it with import.get."
    return yield* new VersionConflict({ message })
  }
  yield* (yield* MissionsRepo).touch(run.organizationId, run.missionId, resumed.updatedAt)
  return resumed
})

/**
 * Resumes a paused, failed or interrupted search in the background. A running or completed import is returned unchanged,
 * with a warning. Fails with NOT_FOUND, WRONG_STATE (not resumable, or a file), MISSION_ARCHIVED and like `findAccount`.
 */
export const resumeImport = Effect.fnUntraced(function* (importId: ImportId) {
  const actor = yield* Actor
  const execution = yield* Execution
  const runner = yield* ImportRunner
  const { mission, run } = yield* find(importId)
  const said = noOpWarning(run, yield* Clock.currentTimeMillis)
  if (said !== undefined) return yield* execution.finish(Effect.andThen(warn(said), getImport(importId)))
  const url = yield* Effect.fromResult(searchUrlOf(run, mission.handle))
  const row = yield* (yield* MissionsRepo).findByIdOrHandle(actor.organizationId, run.missionId)
  if (row !== undefined) yield* Effect.fromResult(refuseArchived(row.status, "import"))
  const account = yield* findAccount(run.accountId ?? "")
  // A running import must have a runner, even if the caller is interrupted here.
  yield* Effect.uninterruptible(
    Effect.gen(function* () {
      const resumed = yield* execution.commit(begin(run))
      if (!execution.dryRun) yield* runner.start({ run: resumed, url, account, actor })
    })
  )
  return yield* execution.finish(getImport(importId))
})

/** Rows per transaction. */
export const undoChunk = 2_000

/** Maximum number of kept leads listed per reason. */
export const shownKept = 20

const undoable: ReadonlyArray<ImportState> = ["completed", "failed", "interrupted", "paused", "cancelled"]

/** Cancels a running import, so that no rows are added while it is undone. */
const stop = Effect.fnUntraced(function* (run: ImportRun) {
  if (run.state !== "running") return run
  const reason = "Cancelled in order to be undone."
  const stopped = yield* commit(endRun(run, { from: ["running"], to: "cancelled", reason }))
  return stopped ?? (yield* find(run.id)).run
})

/** Fails with VERSION_CONFLICT, unless another call has undone the import. */
const refuseChanged = Effect.fnUntraced(function* ({ id }: ImportRun) {
  const { run } = yield* find(id)
  if (run.state === "undone") return undefined
  const message = "The import was resumed in the meantime. Pause or cancel it, then undo it again."
  return yield* new VersionConflict({ message })
})

const takeChunk = Effect.fnUntraced(function* (run: ImportRun, after: number, cancelledDrafts: boolean) {
  const taken = yield* (yield* ImportsRepo).undoRows(run, after, undoChunk, cancelledDrafts)
  if (taken === undefined) return undefined
  const data = { import_id: run.id, tombstones: 0 }
  for (const id of taken.removed) yield* emit({ type: "lead.erased", subject: { type: "lead", id }, data })
  return taken
})

/** The last step: the import ends as undone. */
export const settleUndone = Effect.fnUntraced(function* (run: ImportRun, removed: number) {
  const undone = yield* endRun(run, { from: undoable, to: "undone", reason: "It was undone." })
  if (undone === undefined) return yield* refuseChanged(run)
  if (removed > 0) {
    yield* (yield* MissionsRepo).touch(run.organizationId, run.missionId, undone.updatedAt)
    const data = { changed: ["leads"], import_id: run.id, count: removed }
    yield* emit({ type: "mission.updated", subject: { type: "mission", id: run.missionId }, data })
  }
})

/**
 * Removes the leads that an import created and nobody uses, in steps of their own; the last one is {@link settleUndone}.
 * Undefined for one that was undone before. Fails with NOT_FOUND, with WRONG_STATE when its rows were deleted, and with
 * VERSION_CONFLICT when somebody went on with it meanwhile.
 */
export const takeBackImport = Effect.fnUntraced(function* (importId: ImportId, cancelledDrafts = false) {
  const execution = yield* Execution
  const { run: seen } = yield* find(importId)
  if (seen.state === "undone") return undefined
  if (seen.rowsDeletedAt !== null) {
    return yield* new WrongState({
      message:
        `The rows of this import were deleted on ${seen.rowsDeletedAt.slice(0, 10)}, as old ones are, so the leads that it ` +
        "created are no longer known. Delete leads with lead.erase."
    })
  }
  const run = yield* stop(seen)
  const kept = new Map<KeptReason, Array<LeadId>>()
  const removed: Array<string> = []
  for (let after: number | undefined = -1; after !== undefined; ) {
    const taken: Effect.Success<ReturnType<typeof takeChunk>> = yield* execution.commit(
      takeChunk(run, after, cancelledDrafts)
    )
    if (taken === undefined) return yield* refuseChanged(run)
    removed.push(...taken.removed)
    for (const { leadId, reason } of taken.kept) kept.get(reason)?.push(leadId) ?? kept.set(reason, [leadId])
    after = taken.next
  }
  return { run, removed, kept }
})

/**
 * Removes the leads that an import created and nobody has touched since, and answers what stays and why. One that was
 * undone before is answered as it is, with a warning. Fails as {@link takeBackImport} does.
 */
export const undoImport = Effect.fnUntraced(function* (importId: ImportId) {
  const execution = yield* Execution
  const taken = yield* takeBackImport(importId)
  const kept = [...(taken?.kept ?? [])]
  const answer = Effect.map(getImport(importId), (detail) => ({
    import: detail,
    removed: taken?.removed.length ?? 0,
    kept: kept.reduce((sum, [, leadIds]) => sum + leadIds.length, 0),
    kept_because: kept.map(([reason, leadIds]) => ({
      reason,
      count: leadIds.length,
      lead_ids: leadIds.slice(0, shownKept)
    }))
  }))
  const last =
    taken === undefined
      ? warn("The import was already undone; nothing was changed.")
      : settleUndone(taken.run, taken.removed.length)
  return yield* execution.finish(Effect.andThen(last, answer))
})
