/** Starting or resuming an import. */
import * as Effect from "effect/Effect"
import { changedAt } from "../kernel/schema/Time.ts"
import { type ImportRun, rowsSeen } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { importStarted } from "./importEvents.ts"
import { holdMissionOf } from "./targetMission.ts"

/** Starts `fresh`, or resumes `earlier` with its limits; undefined when another call was faster. */
export const beginRun = Effect.fnUntraced(function* (fresh: ImportRun, earlier: ImportRun | undefined) {
  const imports = yield* ImportsRepo
  if (earlier === undefined) {
    yield* holdMissionOf(fresh)
    if ((yield* imports.insert(fresh)) !== undefined) return undefined
    yield* importStarted(fresh)
    return fresh
  }
  const { accountId, rowLimit } = fresh
  const at = changedAt(earlier.updatedAt, fresh.createdAt)
  const more = rowLimit === null ? null : rowLimit + rowsSeen(earlier.counts)
  const run = yield* imports.resume(earlier, { rowLimit: more, accountId, at })
  if (run !== undefined) yield* importStarted(run)
  return run
})
