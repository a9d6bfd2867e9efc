/** Usage, limits and forecasts of accounts. */

import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../kernel/command/Execution.ts"
import { type AccountId, type InstantText, isoFromMillis, now, type TurnId } from "../kernel/schema/IdsAndTime.ts"
import { leavesAt } from "./eligibility.ts"
import { freshPace, horizonOf, paceOf } from "./pacing/Pacing.ts"
import { capsOf, countedAs, gapAfter, overrideNames, usesWithin, windowMillis } from "./pacing/UsageLimits.ts"
import type { LinkedInAccount } from "./provider/LinkedInAccount.ts"
import { findAnyAccount, LinkedInGateway } from "./provider/LinkedInGateway.ts"
import { SendOptions, secondsAfter } from "./SendOptions.ts"
import { type AccountUsage, TransmissionsRepo, type WaitingTurn } from "./TransmissionsRepo.ts"

/** A waiting item and its time; null if hours and limits do not let it leave within 370 days. */
interface Departure {
  readonly queueId: TurnId
  readonly leavesAt: InstantText | null
}

const placeOf = (turn: { readonly leaves: string; readonly waiting: WaitingTurn }): string =>
  `${turn.leaves} ${turn.waiting.notBefore} ${turn.waiting.id}`

/**
 * Simulates lanes of items that wait for one another; the lane whose next item may leave first goes first, and of those that
 * may leave at the same time, the one that is due first.
 */
const simulate = (
  usage: AccountUsage,
  lanes: ReadonlyArray<ReadonlyArray<WaitingTurn>>,
  at: string,
  paced: boolean
): ReadonlyArray<Departure> => {
  const done = [...usage.done]
  const departures: Array<Departure> = []
  const heads = lanes.map(() => 0)
  let restsUntil = usage.nextAt
  const held: Array<Departure> = []
  for (;;) {
    const [first] = lanes
      .flatMap((lane, index) => {
        const waiting = lane[heads[index] ?? 0]
        if (waiting === undefined) return []
        // Nothing that rests is asked about before the rest ends: the simulated uses are still to come then.
        const from = restsUntil === null || restsUntil < at || waiting.bypass || !paced ? at : restsUntil
        const leaves = leavesAt({ ...waiting, ...paceOf({ ...usage, done }), paced }, from, horizonOf(at))
        if (leaves !== undefined) return [{ index, waiting, leaves }]
        // Nothing of the lane leaves before its head.
        const rest = lane.slice(heads[index])
        heads[index] = lane.length
        held.push(...rest.map(({ id }) => ({ queueId: id, leavesAt: null })))
        return []
      })
      .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    if (first === undefined) return [...departures, ...held]
    const { index, leaves, waiting } = first
    heads[index] = (heads[index] ?? 0) + 1
    done.push({ action: waiting.action, at: leaves })
    const rested = secondsAfter(leaves, gapAfter(waiting.id, usage.smart))
    if (restsUntil === null || rested > restsUntil) restsUntil = rested
    departures.push({ queueId: waiting.id, leavesAt: leaves })
  }
}

/** Forecasts what an account sends of one kind, ignoring gaps caused by the other kind. `paced` false ignores its limits. */
export const forecast = (
  usage: AccountUsage,
  kind: WaitingTurn["kind"],
  at: string,
  paced: boolean
): ReadonlyArray<Departure> => {
  // What waits for its lead's hours or for the limit of its action delays nothing else.
  const lanes = Arr.groupBy(
    usage.waiting.filter((one) => one.kind === kind),
    ({ action, bypass, leadTimezone }) => `${action} ${bypass} ${leadTimezone}`
  )
  return simulate(usage, Object.values(lanes), at, paced)
}

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
  ]).annotate({ description: "An invitation with a note also counts as an invitation; a search is one page" }),
  window: Schema.Literals(["day", "week"]).annotate({ description: "The last 24 hours, or the last 7 days" }),
  used: Schema.Int,
  limit: Schema.NullOr(Schema.Int).annotate({ description: "The current limit, including ramp-up; null for no limit" }),
  own_limit: Schema.NullOr(Schema.Int).annotate({
    description: "The limit that was set for this account; null for that of the subscription"
  }),
  remaining: Schema.NullOr(Schema.Int),
  resets_gradually_until: InstantOrNull.annotate({
    description: "When the latest use leaves the window; null without one"
  }),
  forecast: Schema.Array(
    Schema.Struct({ queue_id: Schema.String, leaves_at: Schema.String.annotate({ format: "date-time" }) })
  ).annotate({
    description:
      "When each queued message (with message and day) or invitation (with invitation and day) will be sent, at most 500; without those that hours or limits hold for more than a year"
  })
})
export type UsageWindow = typeof UsageWindow.Type

const windowsOf = (usage: AccountUsage, at: string, paced: boolean): ReadonlyArray<UsageWindow> =>
  overrideNames.map(([action, window, name]) => {
    const times = usage.done.flatMap((one) => (countedAs[action].includes(one.action) ? [one.at] : []))
    const uses = usesWithin(times, window, at)
    const limit = paced ? capsOf(usage, action, at)[window] : null
    const last = uses.at(-1)
    const isForecast = window === "day" && (action === "message" || action === "invitation")
    const leaving = isForecast ? forecast(usage, action, at, paced) : []
    return {
      account_id: usage.accountId,
      action,
      window,
      used: uses.length,
      limit,
      own_limit: usage.limits[name] ?? null,
      remaining: limit === null ? null : Math.max(0, limit - uses.length),
      resets_gradually_until: last === undefined ? null : isoFromMillis(Date.parse(last) + windowMillis[window]),
      forecast: leaving.flatMap(({ leavesAt, queueId }) =>
        leavesAt === null ? [] : [{ queue_id: queueId, leaves_at: leavesAt }]
      )
    }
  })

/** Usage of an account that was never used. */
export const unusedAccount = ({ createdAt, id, tier }: LinkedInAccount): AccountUsage => ({
  ...freshPace,
  accountId: id,
  tier,
  createdAt,
  timezone: "UTC",
  workingHours: {},
  smart: true,
  done: [],
  waiting: []
})

/** What stored accounts did in the last week and have to do, of one or of all. Empty where people send by hand. */
export const readUsages = Effect.fnUntraced(function* (accountId: AccountId | undefined, at: string) {
  const { organizationId } = yield* Actor
  const { isManual = false, name: gateway } = yield* LinkedInGateway
  const since = isoFromMillis(Date.parse(at) - windowMillis.week)
  return isManual ? [] : yield* (yield* TransmissionsRepo).usage(organizationId, { gateway, accountId }, since)
})

/**
 * The usage of one account, or of every one that was linked or used. Fails with NOT_FOUND for an account that no agent has.
 */
export const readUsage = Effect.fnUntraced(function* (accountId: AccountId | undefined) {
  const { pacing } = yield* SendOptions
  const at = yield* now
  const known = yield* readUsages(accountId, at)
  if (accountId === undefined || known.length > 0) return known.flatMap((usage) => windowsOf(usage, at, pacing))
  return windowsOf(unusedAccount(yield* findAnyAccount(accountId)), at, pacing)
})
