/**
 * Counting what an account does beside writing: looking people up, reading pages of searches, taking invitations back.
 *
 * It is counted before it begins, so that nothing passes a limit, and given back where the provider did not do it.
 * Source: G39.
 */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { type Failure, type FailureCode, fail } from "../../Failure.ts"
import { Ids } from "../../Ids.ts"
import { now } from "../../Time.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import type { SendAttempt } from "../DraftRow.ts"
import type { LinkedInAccount } from "../LinkedInAccount.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { SendOptions } from "../SendOptions.ts"
import { allowanceOf } from "./Pacing.ts"
import { rulesOf } from "./UsageLimits.ts"

/** What it takes. */
export type UseNeeds = AccountsRepo | Ids | QueueRepo

/** What is counted so. */
export type UseAction = "withdrawal" | "profile_view" | "search"

const words: Readonly<Record<UseAction, string>> = {
  withdrawal: "took back as many invitations",
  profile_view: "looked up as many people",
  search: "read as many pages of searches"
}

const reached = (account: LinkedInAccount, action: UseAction, until: string, at: string): Failure =>
  fail(
    "USAGE_LIMIT",
    `The LinkedIn account ${account.id} ${words[action]} as it may in a day. Go on after ${until}; linkedin.usage.get shows the limits.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((Date.parse(until) - Date.parse(at)) / 1_000)) }
  )

/** Counts a use that is about to begin. Fails with USAGE_LIMIT, with the seconds until it may. */
export const beginUse = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  action: UseAction
): Effect.fn.Return<SendAttempt, Failure, UseNeeds> {
  const { pacing } = yield* SendOptions
  const { invitations, pace } = yield* QueueRepo
  const { id: accountId, organizationId } = account
  const at = yield* now
  yield* (yield* AccountsRepo).ensure(account)
  const facts = pacing ? (yield* pace(organizationId, accountId, ""))?.facts : undefined
  const attempt: SendAttempt = {
    organizationId,
    queueItemId: yield* (yield* Ids).next("use"),
    number: 1,
    accountId,
    action,
    outcome: null,
    detail: null,
    startedAt: at,
    endedAt: null
  }
  const rules = facts === undefined ? null : rulesOf(allowanceOf(facts), action, at)
  const held = yield* invitations.beginUse(attempt, rules)
  return held === undefined ? attempt : yield* reached(account, action, held.until, at)
})

/** Writes down what became of a use; one that the provider did not do is not counted any more. */
export const endUse = (
  attempt: SendAttempt,
  outcome: NonNullable<SendAttempt["outcome"]>,
  detail: string | null = null
): Effect.Effect<void, Failure, QueueRepo> =>
  Effect.gen(function* () {
    const endedAt = yield* now
    yield* (yield* QueueRepo).saveAttempt({ ...attempt, outcome, detail: detail?.slice(0, 500) ?? null, endedAt })
  })

const undone: ReadonlySet<FailureCode> = new Set([
  "USAGE_LIMIT",
  "GATEWAY_REJECTED",
  "GATEWAY_UNCONFIGURED",
  "UNAVAILABLE"
])

/** What was refused is not counted; an answer that was lost may have been given, and is. */
const outcomeOf = (cause: Cause.Cause<Failure>): NonNullable<SendAttempt["outcome"]> =>
  cause.reasons.some((reason) => reason._tag === "Fail" && undone.has(reason.error.code)) ? "refused" : "unknown"

/** A read of the provider that counts. Fails with USAGE_LIMIT and as the read does. */
export const counted = <A, R>(
  account: LinkedInAccount,
  action: UseAction,
  read: Effect.Effect<A, Failure, R>
): Effect.Effect<A, Failure, R | UseNeeds> =>
  Effect.flatMap(beginUse(account, action), (attempt) =>
    Effect.onExit(read, (exit) =>
      Effect.ignore(endUse(attempt, exit._tag === "Success" ? "confirmed" : outcomeOf(exit.cause)))
    )
  )
