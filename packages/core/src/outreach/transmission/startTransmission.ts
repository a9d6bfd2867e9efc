/**
 * Starting a transmission with a LinkedIn account, the same for messages and invitations: reads what decides under the account's
 * lock, then stores the start, or holds the account.
 */

import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { type Execution, emit } from "../../kernel/command/Execution.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { FailureCode } from "../../kernel/failure/failureTable.ts"
import { Transaction } from "../../kernel/journal/Transaction.ts"
import { Ids } from "../../kernel/schema/Ids.ts"
import { now } from "../../kernel/schema/Time.ts"
import type { Identity } from "../../leads/identity/Identity.ts"
import { UsageLimit } from "../failures.ts"
import { AccountsRepo } from "../provider/AccountsRepo.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { LinkedInGateway } from "../provider/LinkedInGateway.ts"
import type { LinkedInClaim } from "./Claim.ts"
import { eligibility, type Facts, type Later, type Refused, refusalOf } from "./eligibility.ts"
import { paceOf } from "./pacing/Pacing.ts"
import { capsOf, countedAs, countedFor, gapAfter, usesWithin, windowMillis } from "./pacing/UsageLimits.ts"
import { newAttempt, type SendAttempt } from "./SendAttempt.ts"
import { isSendingHeld } from "./SendingHold.ts"
import { SendOptions, secondsAfter, secondsBefore } from "./SendOptions.ts"
import { actionOf, type LinkedInTransmission } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** How to start. */
export interface StartOptions extends Pick<LinkedInClaim, "isFromCommand" | "leadStatus"> {
  /** The fence of the lease; undefined for a command, which takes it over. */
  readonly fence?: number | undefined
  /** False when the account just started to pause, for the message; otherwise it pauses afterwards. */
  readonly rests?: boolean
  /** Whom it was approved for. */
  readonly recipient: ReadonlyArray<Identity>
  /** Stores the row as it must be before the start. */
  readonly prepare?: Effect.Effect<void, StoreFailure>
}

/** Claimed under a lease; or it waits; or it must not be sent; or it is left as it is: to another process, or to its mission. */
type StartResult<Row extends LinkedInTransmission> =
  | { readonly _tag: "Claim"; readonly claim: LinkedInClaim<Row> }
  | Later
  | Refused
  | { readonly _tag: "Lost" }

/** Hours and limits may be changed meanwhile, so a held account is looked at again this soon. */
const recheckSeconds = 600

/** Starts a transmission whose lead is held. `gate` is what the gate reads; `account` what the agent has now. */
export const startTransmission = Effect.fnUntraced(function* <Row extends LinkedInTransmission>(
  row: Row,
  account: LinkedInAccount | undefined,
  gate: Facts,
  { fence, isFromCommand, leadStatus, prepare = Effect.void, recipient: identities, rests = true }: StartOptions
): Effect.fn.Return<StartResult<Row>, StoreFailure, AccountsRepo | Execution | LinkedInGateway | TransmissionsRepo> {
  const { bypass, id, kind, leadId, organizationId, updatedAt } = row
  const { accountFacts, begin, holdAccount, person } = yield* TransmissionsRepo
  const { leaseSeconds, pacing: paced } = yield* SendOptions
  const at = yield* now
  const refused = refusalOf(gate, at)
  if (refused !== undefined) return refused
  if (account === undefined) return { _tag: "Lost" }
  yield* (yield* AccountsRepo).ensure(account)
  const action = actionOf(row)
  const { actions, seconds } = countedFor(action)
  const read = yield* accountFacts({
    organizationId,
    accountId: account.id,
    actions,
    since: secondsBefore(at, seconds),
    isLocked: paced,
    item: { id, leadId }
  })
  const facts: Facts = {
    ...gate,
    ...(read.account && paceOf(read.account)),
    action,
    bypass,
    paced,
    leadTimezone: read.leadTimezone,
    accountStatus: account.status,
    isManual: (yield* LinkedInGateway).isManual === true,
    isHeld: read.isHeld || (yield* isSendingHeld),
    isBusy: read.isBusy
  }
  const answer = eligibility(facts, at)
  if (answer._tag === "Later" && answer.reason === "mission_paused") return { _tag: "Lost" }
  if (answer._tag === "Later" && answer.isAccountHeld && answer.when !== null) {
    const { reason, when: until } = answer
    const again = secondsAfter(at, recheckSeconds)
    yield* holdAccount(organizationId, account.id, kind, { reason, until, recheckAt: until < again ? until : again })
    if (reason === "usage_limit" && read.account?.[kind].pacedReason !== "usage_limit") {
      const data = { agent_id: account.agentId, action: kind, until }
      yield* emit({ type: "usage.limit_reached", subject: { type: "account", id: account.id }, data })
    }
  }
  if (answer._tag !== "Now") return answer
  yield* prepare
  const attempt = newAttempt(account, action, id, row.attempts + 1, at)
  const gapSeconds = rests && paced && read.account !== null ? gapAfter(id, read.account.smart) : null
  const begun = yield* begin({ attempt, updatedAt, fence, gapSeconds, leaseSeconds })
  if (begun === undefined) return { _tag: "Lost" }
  const { relation } = yield* person(organizationId, account.id, leadId)
  const started = { state: "sending", reason: null, notBefore: null, attempts: attempt.number, fence: begun } as const
  return {
    _tag: "Claim",
    claim: {
      row: { ...row, ...started },
      lease: { organizationId, id, fence: begun },
      attempt,
      account,
      recipient: { leadId, identities, invitedAt: relation?.invitedAt ?? null },
      isFromCommand,
      sought: undefined,
      leadStatus
    }
  }
})

// Counting what an account does besides sending: profile look-ups, search pages, withdrawals.
//
// Each use is counted before it starts, so that no limit is exceeded, and uncounted if the provider did not do it.

type UseNeeds = AccountsRepo | Ids | Transaction | TransmissionsRepo

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
export const beginUse = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  action: UseAction
): Effect.fn.Return<SendAttempt, StoreFailure | UsageLimit, UseNeeds> {
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
): Effect.Effect<void, StoreFailure, TransmissionsRepo> =>
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
): Effect.Effect<A, E | StoreFailure | UsageLimit, R | UseNeeds> =>
  Effect.flatMap(beginUse(account, action), (attempt) =>
    Effect.onExit(read, (exit) =>
      Effect.ignore(endUse(attempt, exit._tag === "Success" ? "confirmed" : outcomeOf(exit.cause)))
    )
  )

/** The share of a limit that is told of. */
const threshold = 0.8

/**
 * States `usage.threshold_reached` for each window in which a transmission was the one that reached four fifths of the
 * limit. Nothing is limited, and nothing told, without pacing.
 */
export const announceUsage = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  { action, organizationId, startedAt }: SendAttempt
): Effect.fn.Return<void, StoreFailure, TransmissionsRepo | Execution> {
  const { pacing } = yield* SendOptions
  if (!pacing) return
  const since = secondsBefore(startedAt, windowMillis.week / 1_000)
  const filter = { gateway: account.gateway, accountId: account.id }
  const [usage] = yield* (yield* TransmissionsRepo).usage(organizationId, filter, since)
  if (usage === undefined) return
  const earlier = usage.done.flatMap((done) =>
    countedAs[action].includes(done.action) && done.at < startedAt ? [done.at] : []
  )
  const caps = capsOf(usage, action, startedAt)
  for (const window of ["day", "week"] as const) {
    const limit = caps[window]
    if (limit === null) continue
    const used = usesWithin(earlier, window, startedAt).length + 1
    if (used - 1 >= limit * threshold || used < limit * threshold) continue
    const data = { agent_id: account.agentId, action, window, used, limit }
    yield* emit({ type: "usage.threshold_reached", subject: { type: "account", id: account.id }, data })
  }
})
