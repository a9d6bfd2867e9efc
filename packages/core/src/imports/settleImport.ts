/** Storing how an import ended, whatever happens. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { commit } from "../kernel/command/Execution.ts"
import { Internal, Unavailable } from "../kernel/failure/failures.ts"
import type { ImportRun } from "./ImportRun.ts"
import { importEnded } from "./importEvents.ts"
import { type RunState, recordRows } from "./importRows.ts"

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
