/**
 * Counting what an account does besides sending: profile look-ups, search pages, withdrawals.
 *
 * Each use is counted before it starts, so that no limit is exceeded, and uncounted if the provider did not do it.
 */

import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Failure } from "../kernel/failure/Failure.ts"
import type { FailureCode } from "../kernel/failure/failureTable.ts"
import { Transaction } from "../kernel/journal/Journal.ts"
import { Ids, now } from "../kernel/schema/IdsAndTime.ts"
import { eligibility } from "./eligibility.ts"
import { UsageLimit } from "./failures.ts"
import { countedFor, newAttempt, type SendAttempt } from "./pacing/UsageLimits.ts"
import { AccountsRepo } from "./provider/AccountsRepo.ts"
import type { LinkedInAccount } from "./provider/LinkedInAccount.ts"
import { withTimeout } from "./provider/LinkedInGateway.ts"
import { SendOptions, secondsBefore } from "./SendOptions.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

type UseAction = "withdrawal" | "profile_view" | "search"

const words: Readonly<Record<UseAction, string>> = {
  withdrawal: "invitation withdrawals",
  profile_view: "profile look-ups",
  search: "search pages"
}

const reached = (account: LinkedInAccount, action: UseAction, until: string, at: string): UsageLimit =>
  new UsageLimit({
    message: `LinkedIn account ${account.id} has reached its daily limit of ${words[action]}. Retry after ${until}; see linkedin.usage.get for the limits.`,
    retryAfterSeconds: Math.max(1, Math.ceil((Date.parse(until) - Date.parse(at)) / 1_000))
  })

/** Counts a use before it starts. Fails with USAGE_LIMIT and the seconds until it is allowed. */
export const beginUse = Effect.fnUntraced(function* (account: LinkedInAccount, action: UseAction) {
  const { pacing: paced } = yield* SendOptions
  const { accountFacts, saveAttempt } = yield* TransmissionsRepo
  const { ensure } = yield* AccountsRepo
  const { id: accountId, organizationId } = account
  const at = yield* now
  const attempt = newAttempt(account, action, yield* (yield* Ids).next("use"), 1, at)
  const { actions, seconds } = countedFor(action)
  const since = secondsBefore(at, seconds)
  const begin = Effect.gen(function* () {
    yield* ensure(account)
    const request = { organizationId, accountId, actions, since, isLocked: paced, item: undefined }
    const { account: uses } = yield* accountFacts(request)
    const answer = eligibility({ action, paced, ...(uses && { uses }) }, at)
    if (answer._tag === "Later" && answer.when !== null) return yield* reached(account, action, answer.when, at)
    yield* saveAttempt(attempt)
    return attempt
  })
  // The account is held from the count to the attempt.
  return yield* (yield* Transaction).run(begin)
})

/** Stores the outcome of a use; one that the provider did not do no longer counts. */
export const endUse = (
  attempt: SendAttempt,
  outcome: NonNullable<SendAttempt["outcome"]>,
  detail: string | null = null
) =>
  Effect.gen(function* () {
    const endedAt = yield* now
    yield* (yield* TransmissionsRepo).saveAttempt({
      ...attempt,
      outcome,
      detail: detail?.slice(0, 500) ?? null,
      endedAt
    })
  })

const undone: ReadonlySet<FailureCode> = new Set([
  "USAGE_LIMIT",
  "GATEWAY_REJECTED",
  "GATEWAY_UNCONFIGURED",
  "UNAVAILABLE"
])

/** A refused use does not count; one whose response was lost does. */
const outcomeOf = (cause: Cause.Cause<Failure>): NonNullable<SendAttempt["outcome"]> =>
  cause.reasons.some((reason) => reason._tag === "Fail" && undone.has(reason.error.code)) ? "refused" : "unknown"

/** Counts a read of the provider. Fails with USAGE_LIMIT and like the read. */
export const counted = <A, E extends Failure, R>(
  account: LinkedInAccount,
  action: UseAction,
  read: Effect.Effect<A, E, R>
) =>
  Effect.flatMap(beginUse(account, action), (attempt) =>
    Effect.onExit(withTimeout(read), (exit) =>
      Effect.ignore(endUse(attempt, exit._tag === "Success" ? "confirmed" : outcomeOf(exit.cause)))
    )
  )
