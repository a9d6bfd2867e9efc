/** How much accounts did and may still do, with when what waits will leave. Source: catalogue 4.1 linkedin.usage.get. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import { type Failure, notFound } from "../Failure.ts"
import { isoFromMillis, now } from "../Time.ts"
import type { AccountsRepo } from "./AccountsRepo.ts"
import type { LinkedInAccount } from "./LinkedInAccount.ts"
import { LinkedInGateway } from "./LinkedInGateway.ts"
import { forecast, forecastInvitations } from "./pacing/forecast.ts"
import { allowanceOf, freshPace } from "./pacing/Pacing.ts"
import { capsOf, countedAs, overrideNames, usesWithin, windowMillis } from "./pacing/UsageLimits.ts"
import { type AccountUsage, QueueRepo } from "./QueueRepo.ts"
import { listAccounts } from "./resolveAccount.ts"
import { SendOptions } from "./SendOptions.ts"

const InstantOrNull = Schema.NullOr(Schema.String).annotate({ format: "date-time" })

/** One action of an account in one rolling window. */
export const UsageWindow = Schema.Struct({
  account_id: Schema.String,
  action: Schema.Literals([
    "message",
    "invitation",
    "invitation_with_note",
    "withdrawal",
    "profile_view",
    "search"
  ]).annotate({ description: "An invitation with a note counts as an invitation too; a search is a page of one" }),
  window: Schema.Literals(["day", "week"]).annotate({ description: "The last 24 hours, or the last 7 days" }),
  used: Schema.Int,
  limit: Schema.NullOr(Schema.Int).annotate({ description: "What holds now, ramp-up included; null is no limit" }),
  remaining: Schema.NullOr(Schema.Int),
  resets_gradually_until: InstantOrNull.annotate({
    description: "When the last use of now leaves the window; null when there is none"
  }),
  forecast: Schema.Array(
    Schema.Struct({ queue_id: Schema.String, leaves_at: Schema.String.annotate({ format: "date-time" }) })
  ).annotate({
    description:
      "When each waiting message (with message and day) or invitation (with invitation and day) will leave as things " +
      "stand, at most 500"
  })
})
export type UsageWindow = typeof UsageWindow.Type

const forecasts: Readonly<Record<string, typeof forecast>> = {
  "message/day": forecast,
  "invitation/day": forecastInvitations
}

const windowsOf = (usage: AccountUsage, at: string, paced: boolean): ReadonlyArray<UsageWindow> =>
  overrideNames.map(([action, window]) => {
    const times = usage.done.flatMap((one) => (countedAs[action].includes(one.action) ? [one.at] : []))
    const uses = usesWithin(times, window, at)
    const limit = paced ? capsOf(allowanceOf(usage), action, at)[window] : null
    const last = uses.at(-1)
    const leaving = forecasts[`${action}/${window}`]?.(usage, at, paced) ?? []
    return {
      account_id: usage.accountId,
      action,
      window,
      used: uses.length,
      limit,
      remaining: limit === null ? null : Math.max(0, limit - uses.length),
      resets_gradually_until: last === undefined ? null : isoFromMillis(Date.parse(last) + windowMillis[window]),
      forecast: leaving.map(({ leavesAt, queueId }) => ({ queue_id: queueId, leaves_at: leavesAt }))
    }
  })

/** An account that nothing was ever queued for: hours do not matter, as nothing waits. */
const unused = ({ createdAt, id, tier }: LinkedInAccount): AccountUsage => ({
  ...freshPace,
  accountId: id,
  tier,
  createdAt,
  timezone: "UTC",
  workingHours: {},
  smart: true,
  done: [],
  waiting: [],
  inviting: []
})

/**
 * The usage of one account, or of every one that was linked or used. Fails with NOT_FOUND for an account that no agent has.
 */
export const readUsage = Effect.fnUntraced(function* (
  accountId: string | undefined
): Effect.fn.Return<ReadonlyArray<UsageWindow>, Failure, Actor | AccountsRepo | LinkedInGateway | QueueRepo> {
  const { organizationId } = yield* Actor
  const { pacing } = yield* SendOptions
  const { isByHand = false, name: gateway } = yield* LinkedInGateway
  const at = yield* now
  const since = isoFromMillis(Date.parse(at) - windowMillis.week)
  const known = isByHand ? [] : yield* (yield* QueueRepo).usage(organizationId, { gateway, accountId }, since)
  if (accountId === undefined || known.length > 0) return known.flatMap((usage) => windowsOf(usage, at, pacing))
  const found = (yield* listAccounts).find(({ account }) => account.id === accountId)
  if (found === undefined) return yield* notFound("LinkedIn account", accountId)
  return windowsOf(unused(found.account), at, pacing)
})
