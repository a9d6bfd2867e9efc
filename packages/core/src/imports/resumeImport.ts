/**
 * Going on with an import that stopped in the middle. Source: catalogue 4.1 (import.resume); G20, G22.
 *
 * A search goes on from the provider's cursor, in the background, as far as its limit allowed. A file is not kept, so it
 * goes on when it is sent again: the service knows it by its content and skips the rows it has.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { Execution, warn } from "../Execution.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { findAccount } from "../linkedin/index.ts"
import { MissionsRepo, refuseArchived } from "../missions/index.ts"
import { changedAt, isoFromMillis } from "../Time.ts"
import { searchUrlOf } from "./Audience.ts"
import { type ImportRun, isStale, rowsSeen } from "./ImportRun.ts"
import { ImportRunner } from "./ImportRunner.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { importStarted } from "./importEvents.ts"
import { getImport } from "./readImport.ts"

/** People that are read at least, where the limit was reached as the import stopped. */
const leastMore = 25

const ended: Readonly<Record<string, string>> = {
  cancelled: "was cancelled for good. Import its source again",
  undone: "was undone. Import its source again"
}

/** What there is to say of an import that needs nothing. */
const alreadySaid = (run: ImportRun, nowMillis: number): string | undefined => {
  if (run.state === "running" && !isStale(run, nowMillis)) return "The import is running already; nothing was changed."
  return run.state === "completed"
    ? "The import was read to its end; nothing was changed. Import it again with refresh: true (a search) or again: true (a file)."
    : undefined
}

/** Why an import cannot go on by itself; undefined when it can. */
const refusal = (run: ImportRun, handle: string): Failure | undefined => {
  const how = ended[run.state]
  if (how !== undefined) return fail("WRONG_STATE", `The import ${how}.`)
  if (run.type === "CSV") {
    const after = rowsSeen(run.counts)
    return fail(
      "WRONG_STATE",
      `A file is not kept here. Send the same file again, with svc import csv FILE --mission ${handle}, import.csv or ` +
        `POST /api/v1/missions/${handle}/imports: it goes on after row ${after}.`
    )
  }
  return run.accountId === null
    ? fail("WRONG_STATE", "The leads of this import were posted, and are not kept here. Post them again.")
    : undefined
}

const begin = Effect.fnUntraced(function* (run: ImportRun, nowMillis: number) {
  const rowLimit = Math.max(run.rowLimit ?? 0, rowsSeen(run.counts) + leastMore)
  const at = changedAt(run.updatedAt, isoFromMillis(nowMillis))
  const resumed = yield* (yield* ImportsRepo).resume(run, { rowLimit, accountId: run.accountId, at })
  if (resumed === undefined) {
    return yield* fail("VERSION_CONFLICT", "Somebody else went on with this import just now. Read it with import.get.")
  }
  yield* (yield* MissionsRepo).touch(run.organizationId, run.missionId, at)
  yield* importStarted(resumed)
  return resumed
})

/**
 * Goes on with a search that is paused, failed or interrupted and answers at once. One that runs or is complete is
 * answered as it is, with a warning. Fails with NOT_FOUND, WRONG_STATE (nothing to go on with, or a file), MISSION_ARCHIVED and as finding
 * the account does.
 */
export const resumeImport = Effect.fnUntraced(function* (importId: string) {
  const actor = yield* Actor
  const execution = yield* Execution
  const repo = yield* ImportsRepo
  const runner = yield* ImportRunner
  const found = yield* repo.find(actor.organizationId, importId, 0)
  if (found === undefined) return yield* notFound("import", importId)
  const { mission, run } = found
  const nowMillis = yield* Clock.currentTimeMillis
  const said = alreadySaid(run, nowMillis)
  if (said !== undefined) return yield* execution.finish(Effect.andThen(warn(said), getImport(importId)))
  const refused = refusal(run, mission.handle)
  if (refused !== undefined) return yield* refused
  const url = yield* Effect.fromResult(searchUrlOf(run))
  const row = yield* (yield* MissionsRepo).findByIdOrHandle(actor.organizationId, run.missionId)
  if (row !== undefined) yield* Effect.fromResult(refuseArchived(row.status, "import"))
  const account = yield* findAccount(run.accountId ?? "")
  // An import that says it is running must have its runner, also when the caller goes away in between.
  yield* Effect.uninterruptible(
    Effect.gen(function* () {
      const resumed = yield* execution.commit(begin(run, nowMillis))
      if (!execution.dryRun) yield* runner.start({ run: resumed, url, account, actor })
    })
  )
  return yield* execution.finish(getImport(importId))
})
