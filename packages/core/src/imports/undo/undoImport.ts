/**
 * Undoing an import, one chunk of rows per transaction.
 *
 * The import keeps its state until the last chunk, so a repeated call continues where an earlier one stopped.
 */

import * as Effect from "effect/Effect"
import { Actor, Execution, emit, warn } from "../../kernel/command/Execution.ts"
import { NotFound, VersionConflict, WrongState } from "../../kernel/failure/failures.ts"
import { changedAt, type ImportId, type LeadId, now } from "../../kernel/schema/IdsAndTime.ts"
import type { KeptReason } from "../../leads/LeadRecords.ts"
import { MissionsRepo } from "../../missions/MissionsRepo.ts"
import type { ImportDetail } from "../Import.ts"
import type { ImportRun, ImportState } from "../ImportRun.ts"
import { ImportsRepo } from "../ImportsRepo.ts"
import { getImport, importEnded } from "../readImport.ts"

/** Rows per transaction. */
export const undoChunk = 2_000

/** Maximum number of kept leads listed per reason. */
export const shownKept = 20

/** The result. */
interface UndoneImport {
  readonly import: ImportDetail
  readonly removed: number
  readonly kept: number
  readonly kept_because: ReadonlyArray<{
    readonly reason: KeptReason
    readonly count: number
    readonly lead_ids: ReadonlyArray<string>
  }>
}

const undoable: ReadonlyArray<ImportState> = ["completed", "failed", "interrupted", "paused", "cancelled"]

const find = Effect.fnUntraced(function* (importId: ImportId) {
  const { organizationId } = yield* Actor
  const found = yield* (yield* ImportsRepo).find(organizationId, importId, 0)
  return found === undefined ? yield* new NotFound({ kind: "import", id: importId }) : found.run
})

/** Cancels a running import, so that no rows are added while it is undone. */
const stop = Effect.fnUntraced(function* (run: ImportRun) {
  const execution = yield* Execution
  const repo = yield* ImportsRepo
  if (run.state !== "running") return run
  const at = changedAt(run.updatedAt, yield* now)
  const reason = "Cancelled in order to be undone."
  const stopped = yield* execution.commit(
    Effect.gen(function* () {
      const settled = yield* repo.settle(run.organizationId, run.id, { from: ["running"], to: "cancelled", reason, at })
      if (settled !== undefined) yield* importEnded(settled)
      return settled
    })
  )
  return stopped ?? (yield* find(run.id))
})

const changedMeanwhile = (): VersionConflict =>
  new VersionConflict({ message: "The import was resumed in the meantime. Pause or cancel it, then undo it again." })

const takeChunk = Effect.fnUntraced(function* (run: ImportRun, after: number, cancelledDrafts: boolean) {
  const taken = yield* (yield* ImportsRepo).undoRows(run, after, undoChunk, cancelledDrafts)
  if (taken === undefined) return undefined
  const data = { import_id: run.id, tombstones: 0 }
  for (const id of taken.removed) yield* emit({ type: "lead.erased", subject: { type: "lead", id }, data })
  return taken
})

/** The last step: the import ends as undone. */
export const settleUndone = Effect.fnUntraced(function* (run: ImportRun, removed: number) {
  const at = changedAt(run.updatedAt, yield* now)
  const undone = yield* (yield* ImportsRepo).settle(run.organizationId, run.id, {
    from: undoable,
    to: "undone",
    reason: "It was undone.",
    at
  })
  if (undone === undefined) {
    // Another call has undone it meanwhile.
    return (yield* find(run.id)).state === "undone" ? undefined : yield* changedMeanwhile()
  }
  yield* importEnded(undone)
  if (removed > 0) {
    yield* (yield* MissionsRepo).touch(run.organizationId, run.missionId, at)
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
  const seen = yield* find(importId)
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
    if (taken === undefined) {
      return (yield* find(run.id)).state === "undone" ? undefined : yield* changedMeanwhile()
    }
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
  const answer = Effect.map(
    getImport(importId),
    (detail): UndoneImport => ({
      import: detail,
      removed: taken?.removed.length ?? 0,
      kept: kept.reduce((sum, [, leadIds]) => sum + leadIds.length, 0),
      kept_because: kept.map(([reason, leadIds]) => ({
        reason,
        count: leadIds.length,
        lead_ids: leadIds.slice(0, shownKept)
      }))
    })
  )
  const last =
    taken === undefined
      ? warn("The import was already undone; nothing was changed.")
      : settleUndone(taken.run, taken.removed.length)
  return yield* execution.finish(Effect.andThen(last, answer))
})
