/**
 * The rules of imports of searches: which import a call means, what is searched, and what is answered.
 *
 * Source: G20; spec "Import result".
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Actor } from "../Actor.ts"
import { Execution, warn } from "../Execution.ts"
import { type Failure, fail } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import { accountOfAgent, findAccount } from "../linkedin/index.ts"
import { type MissionRow, MissionsRepo } from "../missions/index.ts"
import { quote } from "../Quote.ts"
import { changedAt, isoFromMillis } from "../Time.ts"
import type { Audience } from "./Audience.ts"
import { earlierMessage, type ImportResult, resultOf, shownUpdatedIds } from "./Import.ts"
import { decide, type ImportRun, noCounts, rowsSeen } from "./ImportRun.ts"
import { ImportRunner, type SearchEnd } from "./ImportRunner.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { importStarted } from "./importEvents.ts"
import { missionToFill } from "./missionToFill.ts"

/** What the commands' decoded inputs say of an import, beside the search. */
export interface SearchImportInput {
  readonly mission_id?: string
  readonly mission_handle?: string
  readonly name?: string
  readonly context?: string
  readonly account_id?: string
  readonly limit: number
  readonly start_page?: number
  readonly refresh: boolean
  readonly wait_seconds: number
}

const accountFor = (input: SearchImportInput, mission: MissionRow) => {
  if (input.account_id !== undefined) return findAccount(input.account_id)
  return mission.agentId === null
    ? Effect.fail(
        fail(
          "NO_LINKEDIN_ACCOUNT",
          `The mission ${mission.handle} has no agent whose account could search. Set one, or send account_id.`
        )
      )
    : accountOfAgent(mission.agentId)
}

const newRun = Effect.fnUntraced(function* (
  input: SearchImportInput,
  mission: MissionRow,
  audience: Audience,
  accountId: string
) {
  const at = isoFromMillis(yield* Clock.currentTimeMillis)
  const run: ImportRun = {
    id: yield* (yield* Ids).next("imp"),
    organizationId: mission.organizationId,
    missionId: mission.id,
    type: audience.type,
    name: input.name ?? audience.nameAt(at),
    fingerprint: audience.fingerprint,
    sourceUrl: audience.url,
    context: input.context ?? null,
    state: "running",
    reason: null,
    counts: noCounts,
    cursor: null,
    accountId,
    file: null,
    rowLimit: input.limit,
    attempt: 1,
    createdAt: at,
    updatedAt: at,
    finishedAt: null
  }
  return run
})

/** Makes the run that this call starts or goes on with; undefined when another call was faster. */
const begin = Effect.fnUntraced(function* (fresh: ImportRun, earlier: ImportRun | undefined) {
  const imports = yield* ImportsRepo
  const at = earlier === undefined ? fresh.createdAt : changedAt(earlier.updatedAt, fresh.createdAt)
  const rowLimit = (fresh.rowLimit ?? 0) + (earlier === undefined ? 0 : rowsSeen(earlier.counts))
  const run =
    earlier === undefined
      ? (yield* imports.insert(fresh)) === undefined
        ? fresh
        : undefined
      : yield* imports.resume(earlier, { rowLimit, accountId: fresh.accountId, at })
  if (run === undefined) return undefined
  yield* (yield* MissionsRepo).touch(run.organizationId, run.missionId, at)
  yield* importStarted(run)
  return run
})

const answer = Effect.fnUntraced(function* (
  run: ImportRun,
  mission: MissionRow,
  alreadyExists: boolean,
  message: string | null
): Effect.fn.Return<ImportResult, Failure, ImportsRepo> {
  const found = yield* (yield* ImportsRepo).outcome(run.organizationId, run.id, shownUpdatedIds)
  const updatedIds = found?.updatedIds ?? []
  return resultOf(found?.run ?? run, { mission, updatedIds, alreadyExists, message })
})

/** Says how a search that was run here ended; undefined: it goes on in the background. */
const conclude = Effect.fnUntraced(function* <A>(
  run: ImportRun,
  end: SearchEnd | undefined,
  mission: MissionRow,
  alreadyExists: boolean,
  shape: (result: ImportResult) => A
) {
  const execution = yield* Execution
  if (end === undefined)
    return yield* execution.finish(Effect.map(answer(run, mission, alreadyExists, "running"), shape))
  const isFruitless = rowsSeen(end.run.counts) === rowsSeen(run.counts)
  if (end.failure !== undefined && isFruitless && end.run.state !== "paused") return yield* end.failure
  const hasMore = end.failure === undefined && end.run.cursor !== null
  return yield* execution.finish(
    Effect.andThen(
      hasMore ? warn("The search has more people than limit; send refresh: true to go on.") : Effect.void,
      Effect.map(answer(end.run, mission, alreadyExists, end.failure?.message ?? null), shape)
    )
  )
})

/**
 * Imports the people of an audience, or goes on with that; answers what became of it in the time there was, in the shape
 * of the command.
 */
export const importSearch = Effect.fnUntraced(function* <A>(
  input: SearchImportInput,
  audience: Audience,
  shape: (result: ImportResult) => A
) {
  const mission = yield* missionToFill(input)
  const actor = yield* Actor
  const execution = yield* Execution
  const runner = yield* ImportRunner
  const latestImport = (yield* ImportsRepo).latest(actor.organizationId, mission.id, audience.fingerprint)
  const latest = yield* latestImport
  const decision = decide(latest, input.refresh, yield* Clock.currentTimeMillis)
  if (latest !== undefined && decision !== "start" && input.name !== undefined && input.name !== latest.name) {
    yield* warn(`This search was imported before and keeps its name ${quote(latest.name)}; name was not used.`)
  }
  if (latest !== undefined && decision === "answer") {
    return yield* execution.finish(Effect.map(answer(latest, mission, true, earlierMessage(latest)), shape))
  }
  const account = yield* accountFor(input, mission)
  const fresh = yield* newRun(input, mission, audience, account.id)
  // One that was cancelled or undone is over.
  const earlier = decision === "start" ? undefined : latest
  const alreadyExists = earlier !== undefined && rowsSeen(earlier.counts) > 0
  // An import that says it is running must have its runner, also when the caller goes away in between.
  const begun = yield* Effect.uninterruptible(
    Effect.gen(function* () {
      const run = yield* execution.commit(begin(fresh, earlier))
      if (run === undefined || execution.dryRun) return { run, wait: undefined }
      const url = audience.urlFrom(input.start_page ?? 1)
      const from = input.start_page === undefined ? run : { ...run, cursor: null }
      return { run, wait: yield* runner.start({ run: from, url, account, actor }) }
    })
  )
  if (begun.run === undefined) {
    const other = (yield* latestImport) ?? fresh
    return yield* execution.finish(Effect.map(answer(other, mission, true, earlierMessage(other)), shape))
  }
  if (begun.wait === undefined) {
    const note = `Nothing was searched. Without dry_run, up to ${input.limit} people would be read.`
    return yield* execution.finish(Effect.map(answer(begun.run, mission, alreadyExists, note), shape))
  }
  const end = yield* Effect.timeoutOption(begun.wait, input.wait_seconds * 1000)
  return yield* conclude(begun.run, Option.getOrUndefined(end), mission, alreadyExists, shape)
})
