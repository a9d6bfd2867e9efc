/** Pausing or cancelling an import. */

import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"
import { commit, type Execution, warn } from "../kernel/command/Execution.ts"
import { Internal, type NotFound, type StoreFailure, Unavailable } from "../kernel/failure/failures.ts"
import type { ImportId } from "../kernel/schema/RecordIds.ts"
import { changedAt, now } from "../kernel/schema/Time.ts"
import type { ImportDetail } from "./Import.ts"
import type { ImportRun, ImportState } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { type RunState, recordRows } from "./importRows.ts"
import { getImport, importEnded } from "./readImport.ts"

/**
 * Stops an import in one of the states `from`; its runner stops before the next rows. In any other state it is returned
 * unchanged, with a warning. Fails with NOT_FOUND.
 */
export const stopImport = Effect.fnUntraced(function* (
  importId: ImportId,
  { from, reason, to }: { readonly from: ReadonlyArray<ImportState>; readonly to: ImportState; readonly reason: string }
): Effect.fn.Return<ImportDetail, StoreFailure | NotFound, Actor | Execution | ImportsRepo> {
  const { organizationId } = yield* Actor
  const repo = yield* ImportsRepo
  const seen = yield* getImport(importId)
  const at = changedAt(seen.updated_at, yield* now)
  const settled = yield* repo.settle(organizationId, importId, { from, to, reason, at })
  if (settled === undefined) {
    yield* warn(`The import is already ${seen.state}; nothing was changed.`)
    return seen
  }
  yield* importEnded(settled)
  return yield* getImport(importId)
})

/** Stores the end of a run; one that another caller has stopped, or whose store is unreachable, stays as it is. */
export const settleImport = (run: ImportRun, end: RunState) =>
  commit(Effect.tap(recordRows(run, [], end), importEnded)).pipe(Effect.catch(() => Effect.succeed(run)))

/** Stops an import that is interrupted, or fails in a way that nobody expects. `latest` is the run as last stored. */
export const stopUnexpected =
  <A, R>(
    latest: () => ImportRun,
    stop: (state: "failed" | "interrupted", failure: Internal | Unavailable) => Effect.Effect<A, never, R>
  ) =>
  <B, R2>(running: Effect.Effect<B, never, R2>): Effect.Effect<A | B, never, R | R2> =>
    running.pipe(
      Effect.onInterrupt(() =>
        stop("interrupted", new Unavailable({ message: "The service was stopped during the import." }))
      ),
      Effect.catchCause((cause) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
        const log = Effect.logError("Import failed unexpectedly", { importId: latest().id }, cause)
        return Effect.andThen(log, stop("failed", new Internal({ message: "Unexpected error." })))
      })
    )
