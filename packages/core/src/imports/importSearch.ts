/** Importing a search: starting, resuming or returning an import. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Actor, Execution, warn } from "../kernel/command/Execution.ts"
import { NotFound, WrongState } from "../kernel/failure/failures.ts"
import { type AccountId, Ids, isoFromMillis, type MissionId } from "../kernel/schema/IdsAndTime.ts"
import { body, nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { quote, thousands } from "../kernel/schema/TextRules.ts"
import { MissionArchived } from "../missions/failures.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import {
  AccountDisconnected,
  GatewayError,
  GatewayRejected,
  GatewayUnconfigured,
  NoLinkedinAccount,
  NotAPeopleSearch,
  UsageLimit
} from "../outreach/failures.ts"
import { accountOfAgent, findAccount } from "../outreach/provider/resolveAccount.ts"
import type { Audience } from "./Audience.ts"
import { earlierMessage, type ImportResult, resultOf, shownUpdatedIds, warnOfEnrolled } from "./Import.ts"
import { decide, freshRun, type ImportRun, rowsSeen } from "./ImportRun.ts"
import { ImportRunner, type SearchOutcome } from "./ImportRunner.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { beginRun, missionFields, targetMission } from "./importRows.ts"
import { maxUrlLength } from "./salesnav/SalesNavSearch.ts"

/** Input shared by the search commands. */
interface SearchImportInput {
  readonly mission_id?: MissionId
  readonly mission_handle?: string
  readonly name?: string
  readonly context?: string
  readonly account_id?: AccountId
  readonly limit: number
  readonly start_page?: number
  readonly refresh: boolean
  readonly wait_seconds: number
}

const accountFor = (input: SearchImportInput, mission: MissionRow) => {
  if (input.account_id !== undefined) return findAccount(input.account_id)
  return mission.agentId === null
    ? Effect.fail(
        new NoLinkedinAccount({
          message: `The mission ${mission.handle} has no agent with an account to search with. Set one, or send account_id.`
        })
      )
    : accountOfAgent(mission.agentId)
}

const newRun = Effect.fnUntraced(function* (
  input: SearchImportInput,
  mission: MissionRow,
  audience: Audience,
  accountId: AccountId
) {
  const at = isoFromMillis(yield* Clock.currentTimeMillis)
  return freshRun(
    {
      id: yield* (yield* Ids).next("imp"),
      organizationId: mission.organizationId,
      missionId: mission.id,
      type: audience.type,
      name: input.name ?? audience.nameAt(at),
      fingerprint: audience.fingerprint,
      sourceUrl: audience.url,
      context: input.context ?? null,
      accountId,
      rowLimit: input.limit
    },
    at
  )
})

/** Like {@link beginRun}, and updates when the mission was last used. */
const begin = Effect.fnUntraced(function* (fresh: ImportRun, earlier: ImportRun | undefined) {
  const run = yield* beginRun(fresh, earlier)
  if (run !== undefined) yield* (yield* MissionsRepo).touch(run.organizationId, run.missionId, run.updatedAt)
  return run
})

const resultFor = Effect.fnUntraced(function* (
  run: ImportRun,
  mission: MissionRow,
  alreadyExists: boolean,
  message: string | null
) {
  const found = yield* (yield* ImportsRepo).outcome(run.organizationId, run.id, shownUpdatedIds)
  const updatedIds = found?.updatedIds ?? []
  yield* warnOfEnrolled(found?.run ?? run)
  return resultOf(found?.run ?? run, { mission, updatedIds, alreadyExists, message })
})

/** The result of a search; `end` undefined means that it continues in the background. */
const conclude = Effect.fnUntraced(function* <A>(
  run: ImportRun,
  end: SearchOutcome | undefined,
  mission: MissionRow,
  alreadyExists: boolean,
  shape: (result: ImportResult) => A
) {
  const execution = yield* Execution
  if (end === undefined)
    return yield* execution.finish(Effect.map(resultFor(run, mission, alreadyExists, "running"), shape))
  const isFruitless = rowsSeen(end.run.counts) === rowsSeen(run.counts)
  if (end.failure !== undefined && isFruitless && end.run.state !== "paused") return yield* end.failure
  const hasMore = end.failure === undefined && end.run.cursor !== null
  return yield* execution.finish(
    Effect.andThen(
      hasMore ? warn("The search has more people than limit; send refresh: true to continue.") : Effect.void,
      Effect.map(resultFor(end.run, mission, alreadyExists, end.failure?.message ?? null), shape)
    )
  )
})

/** Imports an audience, or resumes its import; returns the result at the end of the waiting time, in the command's shape. */
export const importSearch = Effect.fnUntraced(function* <A>(
  input: SearchImportInput,
  audience: Audience,
  shape: (result: ImportResult) => A
) {
  const mission = yield* targetMission(input)
  const actor = yield* Actor
  const execution = yield* Execution
  const runner = yield* ImportRunner
  const latestImport = (yield* ImportsRepo).latest(actor.organizationId, mission.id, audience.fingerprint)
  const latest = yield* latestImport
  const decision = decide(latest, input.refresh, yield* Clock.currentTimeMillis)
  if (latest !== undefined && decision !== "start" && input.name !== undefined && input.name !== latest.name) {
    yield* warn(`This search was imported before as ${quote(latest.name)} and keeps that name; name was ignored.`)
  }
  if (latest !== undefined && decision === "return") {
    return yield* execution.finish(Effect.map(resultFor(latest, mission, true, earlierMessage(latest)), shape))
  }
  const account = yield* accountFor(input, mission)
  const fresh = yield* newRun(input, mission, audience, account.id)
  const earlier = decision === "start" ? undefined : latest
  const alreadyExists = earlier !== undefined && rowsSeen(earlier.counts) > 0
  // A running import must have a runner, even if the caller is interrupted here.
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
    return yield* execution.finish(Effect.map(resultFor(other, mission, true, earlierMessage(other)), shape))
  }
  if (begun.wait === undefined) {
    const note = `Nothing was searched. Without dry_run, up to ${input.limit} people would be imported.`
    return yield* execution.finish(Effect.map(resultFor(begun.run, mission, alreadyExists, note), shape))
  }
  const end = yield* Effect.timeoutOption(begun.wait, input.wait_seconds * 1000)
  return yield* conclude(begun.run, Option.getOrUndefined(end), mission, alreadyExists, shape)
})

/** URL of a people search, validated by `parseSalesNavUrl`. */
export const SearchUrl = nonEmptyLine(
  maxUrlLength,
  "URL of a Sales Navigator people search. https://www.linkedin.com/sales/search/people?query=(…), copied from the " +
    "browser"
)

/** The search of the examples: CXOs by keywords. */
export const exampleSearch =
  "https://www.linkedin.com/sales/search/people?query=(filters%3AList((type%3ASENIORITY_LEVEL%2Cvalues%3AList((id%3A310" +
  "%2Ctext%3ACXO%2CselectionType%3AINCLUDED))))%2Ckeywords%3Afintech)"

const optional = Schema.optionalKey

const whole = (minimum: number, maximum: number, otherwise: number, description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))
    .annotate({ description })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(otherwise)))

/** The `limit` field; `maximum` is what the search can show. */
export const peopleLimit = (maximum: number) =>
  whole(1, maximum, 100, `Maximum number of people to read, 1 to ${thousands(maximum)}; default 100`)

/** Target mission, account and waiting time. */
export const searchFields = {
  ...missionFields,
  name: optional(nonEmptyLine(200, "Name of the import. Default derived from the search and the date")),
  context: optional(body(2_000, "Your note about the import")),
  account_id: optional(nonEmptyLine(64, "LinkedIn account to search with. Default that of the mission's agent")),
  refresh: Schema.Boolean.annotate({
    description: "Continue an earlier import of this search. By default it is returned unchanged"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  wait_seconds: whole(0, 25, 20, "Seconds to wait for the import to finish. 0 to 25; default 20")
}

/** Category, effects and failures. */
export const searchImport = {
  category: "imports",
  risk: "approval",
  scope: "imports:run",
  effects: { does: ["reads", "writes"], channels: ["linkedin"] },
  outward: true,
  failures: [
    AccountDisconnected,
    GatewayError,
    GatewayRejected,
    GatewayUnconfigured,
    MissionArchived,
    NoLinkedinAccount,
    NotAPeopleSearch,
    NotFound,
    UsageLimit,
    WrongState
  ],
  riskNotes: [
    "Reads LinkedIn with a linked account, which counts against the limits of that account.",
    "Creates and updates leads; contacts nobody."
  ]
} as const

/** Output notes. */
export const searchNotes = [
  "created + updated + skipped + invalid are the people read; updated_ids are the leads that changed.",
  "Known leads that were added to the mission are among the updated and the skipped; the warning enrolled counts them.",
  "already_exists means that the mission already had an import of this search; message says when, or that it is " +
    "running, or why it stopped."
]
