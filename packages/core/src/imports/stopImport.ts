/** Pausing or cancelling an import. */

import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"
import { type Execution, warn } from "../kernel/command/Execution.ts"
import type { NotFound, StoreFailure } from "../kernel/failure/failures.ts"
import type { ImportId } from "../kernel/schema/RecordIds.ts"
import { changedAt, now } from "../kernel/schema/Time.ts"
import type { ImportDetail } from "./Import.ts"
import type { ImportState } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { importEnded } from "./importEvents.ts"
import { getImport } from "./readImport.ts"

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
