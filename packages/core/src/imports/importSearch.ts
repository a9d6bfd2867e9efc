/** Importing a search: starting, resuming or returning an import. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Actor, Execution, warn } from "../kernel/command/Execution.ts"
import { NotFound, WrongState } from "../kernel/failure/failures.ts"
import { body, nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { quote, thousands } from "../kernel/schema/TextRules.ts"
import { MissionArchived } from "../missions/failures.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import * as Failures from "../outreach/failures.ts"
import { accountOfAgent, findAccount } from "../outreach/provider/LinkedInGateway.ts"
import type { Audience } from "./Audience.ts"
import { earlierMessage, type ImportResult, readResult } from "./Import.ts"
import { decide, type ImportRun, rowsSeen } from "./ImportRun.ts"
import { ImportRunner } from "./ImportRunner.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { beginRun, missionFields, newRun, targetMission } from "./importRows.ts"
import { defaultFields, defaultsOf, warnOfDefaults } from "./leadDefaults.ts"
import { maxUrlLength } from "./salesnav/SalesNavSearch.ts"

/** Input shared by the search commands. */
type SearchImportInput = Schema.Struct.Type<typeof searchFields> & {
  readonly limit: number
  readonly start_page?: number
}

const accountFor = (input: SearchImportInput, mission: MissionRow) => {
  if (input.account_id !== undefined) return findAccount(input.account_id)
  return mission.agentId === null
    ? Effect.fail(
        new Failures.NoLinkedinAccount({
          message: `The mission ${mission.handle} has no agent with an account to search with. Set one, or send account_id.`
        })
      )
    : accountOfAgent(mission.agentId)
}

/** Like {@link beginRun}, and updates when the mission was last used. */
const begin = Effect.fnUntraced(function* (fresh: ImportRun, earlier: ImportRun | undefined) {
  const run = yield* beginRun(fresh, earlier)
  if (run !== undefined) yield* (yield* MissionsRepo).touch(run.organizationId, run.missionId, run.updatedAt)
  return run
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
  const show = (run: ImportRun, alreadyExists: boolean, message: string | null) =>
    execution.finish(Effect.map(readResult(run, mission, alreadyExists, message), ({ result }) => shape(result)))
  const latestImport = (yield* ImportsRepo).latest(actor.organizationId, mission.id, audience.fingerprint)
  const latest = yield* latestImport
  const decision = decide(latest, input.refresh, yield* Clock.currentTimeMillis)
  if (latest !== undefined && decision !== "start" && input.name !== undefined && input.name !== latest.name) {
    yield* warn(`This search was imported before as ${quote(latest.name)} and keeps that name; name was ignored.`)
  }
  if (latest !== undefined && decision !== "start") yield* warnOfDefaults(latest, input)
  if (latest !== undefined && decision === "return") return yield* show(latest, true, earlierMessage(latest))
  const account = yield* accountFor(input, mission)
  const fresh = yield* newRun(mission, (at) => ({
    type: audience.type,
    name: input.name ?? audience.nameAt(at),
    fingerprint: audience.fingerprint,
    sourceUrl: audience.url,
    context: input.context ?? null,
    accountId: account.id,
    defaults: defaultsOf(input),
    rowLimit: input.limit
  }))
  const earlier = decision === "start" ? undefined : latest
  const alreadyExists = earlier !== undefined && rowsSeen(earlier.counts) > 0
  // A running import must have a runner, even if the caller is interrupted here.
  const { run, wait } = yield* Effect.uninterruptible(
    Effect.gen(function* () {
      const run = yield* execution.commit(begin(fresh, earlier))
      if (run === undefined || execution.dryRun) return { run, wait: undefined }
      const url = audience.urlFrom(input.start_page ?? 1)
      const from = input.start_page === undefined ? run : { ...run, cursor: null }
      return { run, wait: yield* runner.start({ run: from, url, account, actor }) }
    })
  )
  if (run === undefined) {
    const other = (yield* latestImport) ?? fresh
    return yield* show(other, true, earlierMessage(other))
  }
  if (wait === undefined) {
    const note = `Nothing was searched. Without dry_run, up to ${input.limit} people would be imported.`
    return yield* show(run, alreadyExists, note)
  }
  const end = Option.getOrUndefined(yield* Effect.timeoutOption(wait, input.wait_seconds * 1000))
  if (end === undefined) return yield* show(run, alreadyExists, "running")
  const isFruitless = rowsSeen(end.run.counts) === rowsSeen(run.counts)
  if (end.failure !== undefined && isFruitless && end.run.state !== "paused") return yield* end.failure
  if (end.failure === undefined && end.run.cursor !== null) {
    yield* warn("The search has more people than limit; send refresh: true to continue.")
  }
  return yield* show(end.run, alreadyExists, end.failure?.message ?? null)
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
  ...defaultFields,
  account_id: optional(nonEmptyLine(64, "LinkedIn account to search with. Default that of the mission's agent")),
  refresh: Schema.Boolean.annotate({
    description: "Continue an earlier import of this search. By default it is returned unchanged"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  wait_seconds: whole(0, 25, 20, "Seconds to wait for the import to finish. 0 to 25; default 20")
}

/** What commands that import a search have in common. */
export const searchImport = {
  risk: "approval",
  scope: "imports:run",
  effects: { does: ["reads", "writes"], channels: ["linkedin"] },
  outward: true,
  failures: [
    Failures.AccountDisconnected,
    Failures.GatewayError,
    Failures.GatewayRejected,
    Failures.GatewayUnconfigured,
    MissionArchived,
    Failures.NoLinkedinAccount,
    Failures.NotAPeopleSearch,
    NotFound,
    Failures.UsageLimit,
    WrongState
  ],
  riskNotes: [
    "Reads LinkedIn with a linked account, which counts against the limits of that account.",
    "Creates and updates leads; contacts nobody."
  ],
  outputNotes: [
    "created + updated + skipped + invalid are the people read; updated_ids are the leads that changed.",
    "Known leads that were added to the mission are among the updated and the skipped; the warning enrolled counts them.",
    "already_exists means that the mission already had an import of this search; message says when, or that it is " +
      "running, or why it stopped."
  ],
  relatedResources: ["svc://imports/{id}", "svc://missions/{handle}"]
} as const
