/**
 * When each waiting message of an account will leave, as things stand: the dispatcher's rules played ahead.
 *
 * What other accounts, providers and people do is not foreseen. Source: catalogue 4.1 linkedin.usage.get; G39.
 */
import type { AccountUsage } from "../QueueRepo.ts"
import { secondsAfter } from "../SendOptions.ts"
import { allowanceOf, openingFrom } from "./Pacing.ts"
import { fullUntil, gapAfter, rulesOf, type UsageAction } from "./UsageLimits.ts"

/** A waiting item and its time. */
export interface Departure {
  readonly queueId: string
  readonly leavesAt: string
}

const latest = (...instants: ReadonlyArray<string | null>): string =>
  instants.reduce<string>((last, instant) => (instant !== null && instant > last ? instant : last), "")

/** The rules may push an instant on many times: from one window into the next, and on to a free day. */
const mostPushes = 50

type Done = ReadonlyArray<{ readonly action: UsageAction; readonly at: string }>

const freeFrom = (usage: AccountUsage, done: Done, action: UsageAction, zone: string | null, from: string): string => {
  let at = from
  for (let pushes = 0; pushes < mostPushes; pushes++) {
    const opensAt = openingFrom(usage, zone ?? undefined, at)
    const until = rulesOf(allowanceOf(usage), action, opensAt)
      .map(({ caps, counts }) => {
        const times = done.flatMap((one) => (counts.includes(one.action) ? [one.at] : []))
        return fullUntil(times, caps, opensAt)
      })
      .find((held) => held !== undefined)
    if (until === undefined) return opensAt
    at = until
  }
  return at
}

interface Waiting {
  readonly queueId: string
  readonly notBefore: string
  readonly bypass: boolean
  readonly leadTimezone: string | null
  readonly action: UsageAction
}

/** Plays lanes ahead, in each of which one waits for the other; whoever may leave first leaves first. */
const playAhead = (
  usage: AccountUsage,
  lanes: ReadonlyArray<ReadonlyArray<Waiting>>,
  stoppedUntil: string | null,
  at: string,
  paced: boolean
): ReadonlyArray<Departure> => {
  const done = [...usage.done]
  const departures: Array<Departure> = []
  const heads = lanes.map(() => 0)
  let restsUntil = usage.nextAt
  const leaves = ({ action, bypass, leadTimezone, notBefore }: Waiting): string => {
    const earliest = latest(at, notBefore, stoppedUntil)
    if (bypass || !paced) return earliest
    return freeFrom(usage, done, action, leadTimezone, latest(earliest, restsUntil))
  }
  for (;;) {
    const [first] = lanes
      .flatMap((lane, index) => {
        const waiting = lane[heads[index] ?? 0]
        return waiting === undefined ? [] : [{ index, waiting, leavesAt: leaves(waiting) }]
      })
      .toSorted((a, b) => (a.leavesAt < b.leavesAt ? -1 : a.leavesAt > b.leavesAt ? 1 : 0))
    if (first === undefined) return departures
    const { index, leavesAt, waiting } = first
    heads[index] = (heads[index] ?? 0) + 1
    done.push({ action: waiting.action, at: leavesAt })
    restsUntil = latest(restsUntil, secondsAfter(leavesAt, gapAfter(waiting.queueId, usage.smart)))
    departures.push({ queueId: waiting.queueId, leavesAt })
  }
}

/** Plays the messages of an account ahead from an instant. `paced` false leaves its limits out. */
export const forecast = (usage: AccountUsage, at: string, paced: boolean): ReadonlyArray<Departure> => {
  const waiting = usage.waiting.map((item) => ({ ...item, action: "message" as const }))
  return playAhead(usage, [waiting], usage.messageStoppedUntil, at, paced)
}

/** The same for its invitations; that messages rest the account too is left out. */
export const forecastInvitations = (usage: AccountUsage, at: string, paced: boolean): ReadonlyArray<Departure> =>
  playAhead(
    usage,
    (["invitation", "invitation_with_note"] as const).map((action) =>
      usage.inviting.filter((one) => one.action === action)
    ),
    usage.invitationStoppedUntil,
    at,
    paced
  )
