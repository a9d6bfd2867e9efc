/**
 * When each waiting message of an account will leave, as things stand: the dispatcher's rules played ahead.
 *
 * What other accounts, providers and people do is not foreseen. Source: catalogue 4.1 linkedin.usage.get; G39.
 */
import type { AccountUsage } from "../QueueRepo.ts"
import { secondsAfter } from "../SendOptions.ts"
import { allowanceOf, openingFrom } from "./Pacing.ts"
import { capsOf, fullUntil, gapAfter } from "./UsageLimits.ts"

/** A waiting item and its time. */
export interface Departure {
  readonly queueId: string
  readonly leavesAt: string
}

const latest = (...instants: ReadonlyArray<string | null>): string =>
  instants.reduce<string>((last, instant) => (instant !== null && instant > last ? instant : last), "")

/** The rules may push an instant on many times: from one window into the next, and on to a free day. */
const mostPushes = 50

const freeFrom = (usage: AccountUsage, times: ReadonlyArray<string>, zone: string | null, from: string): string => {
  let at = from
  for (let pushes = 0; pushes < mostPushes; pushes++) {
    const opensAt = openingFrom(usage, zone ?? undefined, at)
    const until = fullUntil(times, capsOf(allowanceOf(usage), "message", opensAt), opensAt)
    if (until === undefined) return opensAt
    at = until
  }
  return at
}

/** Plays the queue of an account ahead from an instant. `paced` false leaves its limits out. */
export const forecast = (usage: AccountUsage, at: string, paced: boolean): ReadonlyArray<Departure> => {
  const times = usage.done.flatMap((done) => (done.action === "message" ? [done.at] : []))
  let restsUntil = usage.nextAt
  return usage.waiting.map(({ bypass, leadTimezone, notBefore, queueId }) => {
    const earliest = latest(at, notBefore, usage.messageStoppedUntil)
    const leavesAt = bypass || !paced ? earliest : freeFrom(usage, times, leadTimezone, latest(earliest, restsUntil))
    times.push(leavesAt)
    restsUntil = latest(restsUntil, secondsAfter(leavesAt, gapAfter(queueId, usage.smart)))
    return { queueId, leavesAt }
  })
}
