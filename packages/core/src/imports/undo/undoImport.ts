/**
 * Taking back what an import created, a chunk of rows in each transaction.
 *
 * The import keeps its state until the last chunk, so one that stops anywhere is gone on with by the same call.
 * Source: catalogue 4.1 (import.undo).
 */
import * as Effect from "effect/Effect"
import { Actor } from "../../Actor.ts"
import { Execution, emit, warn } from "../../Execution.ts"
import { type Failure, fail, notFound } from "../../Failure.ts"
import { MissionsRepo } from "../../missions/index.ts"
import { changedAt, now } from "../../Time.ts"
import type { ImportDetail } from "../Import.ts"
import type { ImportRun, ImportState } from "../ImportRun.ts"
import { ImportsRepo } from "../ImportsRepo.ts"
import { importEnded } from "../importEvents.ts"
import { getImport } from "../readImport.ts"
import { type KeptReason, UndoRepo } from "./UndoRepo.ts"

/** Rows looked at in one transaction. */
export const undoChunk = 2_000

/** How many leads that stay are named for each reason. */
export const shownKept = 20

/** What an undoing did. */
export interface UndoneImport {
  readonly import: ImportDetail
  readonly removed: number
  readonly kept: number
  readonly kept_because: ReadonlyArray<{
    readonly reason: KeptReason
    readonly count: number
    readonly lead_ids: ReadonlyArray<string>
  }>
}

/** Leads that stay, by reason. */
type Kept = ReadonlyMap<KeptReason, { readonly count: number; readonly leadIds: ReadonlyArray<string> }>

const undoable: ReadonlyArray<ImportState> = ["completed", "failed", "interrupted", "paused", "cancelled"]

const find = Effect.fnUntraced(function* (importId: string) {
  const { organizationId } = yield* Actor
  const found = yield* (yield* ImportsRepo).find(organizationId, importId, 0)
  return found === undefined ? yield* notFound("import", importId) : found.run
})

/** Stops an import that runs, so that no more rows come while they are taken back. */
const stop = Effect.fnUntraced(function* (run: ImportRun) {
  const execution = yield* Execution
  const repo = yield* ImportsRepo
  if (run.state !== "running") return run
  const at = changedAt(run.updatedAt, yield* now)
  const reason = "It was cancelled to be undone."
  const stopped = yield* execution.commit(
    Effect.gen(function* () {
      const settled = yield* repo.settle(run.organizationId, run.id, { from: ["running"], to: "cancelled", reason, at })
      if (settled !== undefined) yield* importEnded(settled)
      return settled
    })
  )
  return stopped ?? (yield* find(run.id))
})

const changedMeanwhile = (): Failure =>
  fail("VERSION_CONFLICT", "The import was gone on with meanwhile. Pause or cancel it, then undo it again.")

const takeChunk = Effect.fnUntraced(function* (run: ImportRun, after: number) {
  const taken = yield* (yield* UndoRepo).takeBack(run, after, undoChunk)
  if (taken === undefined) return yield* changedMeanwhile()
  const data = { import_id: run.id, tombstones: 0 }
  for (const id of taken.removed) yield* emit({ type: "lead.erased", subject: { type: "lead", id }, data })
  return taken
})

const settle = Effect.fnUntraced(function* (run: ImportRun, removed: number) {
  const at = changedAt(run.updatedAt, yield* now)
  const undone = yield* (yield* ImportsRepo).settle(run.organizationId, run.id, {
    from: undoable,
    to: "undone",
    reason: "It was undone.",
    at
  })
  if (undone === undefined) return yield* changedMeanwhile()
  yield* importEnded(undone)
  if (removed > 0) {
    yield* (yield* MissionsRepo).touch(run.organizationId, run.missionId, at)
    const data = { changed: ["leads"], import_id: run.id, count: removed }
    yield* emit({ type: "mission.updated", subject: { type: "mission", id: run.missionId }, data })
  }
})

/**
 * Removes the leads that an import created and nobody has touched since, and answers what stays and why. One that was
 * undone before is answered as it is, with a warning. Fails with NOT_FOUND, and with VERSION_CONFLICT when somebody went
 * on with the import meanwhile.
 */
export const undoImport = Effect.fnUntraced(function* (importId: string) {
  const execution = yield* Execution
  const seen = yield* find(importId)
  const answer = (removed: number, kept: Kept) =>
    Effect.map(
      getImport(importId),
      (detail): UndoneImport => ({
        import: detail,
        removed,
        kept: [...kept.values()].reduce((sum, { count }) => sum + count, 0),
        kept_because: [...kept].map(([reason, { count, leadIds }]) => ({ reason, count, lead_ids: leadIds }))
      })
    )
  if (seen.state === "undone") {
    return yield* execution.finish(
      Effect.andThen(warn("The import was undone before; nothing was changed."), answer(0, new Map()))
    )
  }
  const run = yield* stop(seen)
  const kept = new Map<KeptReason, { readonly count: number; readonly leadIds: ReadonlyArray<string> }>()
  let removed = 0
  for (let after: number | undefined = -1; after !== undefined; ) {
    const taken: Effect.Success<ReturnType<typeof takeChunk>> = yield* execution.commit(takeChunk(run, after))
    removed += taken.removed.length
    for (const { leadId, reason } of taken.kept) {
      const { count, leadIds } = kept.get(reason) ?? { count: 0, leadIds: [] }
      kept.set(reason, { count: count + 1, leadIds: leadIds.length < shownKept ? [...leadIds, leadId] : leadIds })
    }
    after = taken.next
  }
  return yield* execution.finish(Effect.andThen(settle(run, removed), answer(removed, kept)))
})
