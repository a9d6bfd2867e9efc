/** Ending an import from outside. Source: catalogue 4.1 (import.pause, import.cancel). */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Execution, warn } from "../Execution.ts"
import type { Failure } from "../Failure.ts"
import { changedAt, now } from "../Time.ts"
import type { ImportDetail } from "./Import.ts"
import type { ImportState } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { importEnded } from "./importEvents.ts"
import { getImport } from "./readImport.ts"

/**
 * Stops an import that is in one of the states `from`; whoever runs it stops before its next rows. One in any other state
 * is answered as it is, with a warning that says so. Fails with NOT_FOUND.
 */
export const stopImport = Effect.fnUntraced(function* (
  importId: string,
  { from, reason, to }: { readonly from: ReadonlyArray<ImportState>; readonly to: ImportState; readonly reason: string }
): Effect.fn.Return<ImportDetail, Failure, Actor | Execution | ImportsRepo> {
  const { organizationId } = yield* Actor
  const repo = yield* ImportsRepo
  const seen = yield* getImport(importId)
  const at = changedAt(seen.updated_at, yield* now)
  const settled = yield* repo.settle(organizationId, importId, { from, to, reason, at })
  if (settled === undefined) {
    yield* warn(`The import is ${seen.state} already; nothing was changed.`)
    return seen
  }
  yield* importEnded(settled)
  return yield* getImport(importId)
})
