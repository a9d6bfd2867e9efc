/**
 * When each waiting message of an account will leave: the dispatcher's rules, simulated.
 *
 * Actions of other accounts, providers and people are not foreseen.
 */
import type { InstantText, TurnId } from "../../../kernel/schema/RecordIds.ts"
import { secondsAfter } from "../SendOptions.ts"
import type { AccountUsage, WaitingTurn } from "../TransmissionsRepo.ts"
import { allowanceOf, horizonOf, nextOpeningFrom } from "./Pacing.ts"
import { capsChangeAt, gapAfter, limitResetsAt, rulesOf, type UsageAction } from "./UsageLimits.ts"

/** A waiting item and its time; null if hours and limits do not let it leave within 370 days. */
interface Departure {
  readonly queueId: TurnId
  readonly leavesAt: InstantText | null
}

const latest = (...instants: ReadonlyArray<string | null>): string =>
  instants.reduce<string>((last, instant) => (instant !== null && instant > last ? instant : last), "")

const placeOf = (turn: { readonly leavesAt: string; readonly waiting: WaitingTurn }): string =>
  `${turn.leavesAt} ${turn.waiting.notBefore} ${turn.waiting.id}`

type Done = ReadonlyArray<{ readonly action: UsageAction; readonly at: string }>

const freeFrom = (
  usage: AccountUsage,
  done: Done,
  { action, leadTimezone: zone }: WaitingTurn,
  from: string,
  horizon: string
): string => {
  let at = from
  while (at < horizon) {
    const opensAt = nextOpeningFrom(usage, zone ?? undefined, at)
    if (opensAt === undefined) return horizon
    const until = rulesOf(allowanceOf(usage), action, opensAt)
      .map(({ caps, counts }) => {
        const times = done.flatMap((one) => (counts.includes(one.action) ? [one.at] : []))
        return limitResetsAt(times, caps, opensAt)
      })
      .find((held) => held !== undefined)
    if (until === undefined) return opensAt
    const changesAt = capsChangeAt(allowanceOf(usage), opensAt)
    at = until < changesAt ? until : changesAt
  }
  return at
}

/**
 * Simulates lanes of items that wait for one another; the lane whose next item may leave first goes first, and of those that
 * may leave at the same time, the one that is due first.
 */
const simulate = (
  usage: AccountUsage,
  lanes: ReadonlyArray<ReadonlyArray<WaitingTurn>>,
  stoppedUntil: string | null,
  at: string,
  paced: boolean
): ReadonlyArray<Departure> => {
  const done = [...usage.done]
  const departures: Array<Departure> = []
  const heads = lanes.map(() => 0)
  let restsUntil = usage.nextAt
  const horizon = horizonOf(at)
  const held: Array<Departure> = []
  for (;;) {
    const [first] = lanes
      .flatMap((lane, index) => {
        const waiting = lane[heads[index] ?? 0]
        if (waiting === undefined) return []
        const earliest = latest(at, waiting.notBefore, stoppedUntil)
        if (waiting.bypass || !paced) return [{ index, waiting, leavesAt: earliest }]
        const leavesAt = freeFrom(usage, done, waiting, latest(earliest, restsUntil), horizon)
        if (leavesAt < horizon) return [{ index, waiting, leavesAt }]
        // Nothing of the lane leaves before its head.
        const rest = lane.slice(heads[index])
        heads[index] = lane.length
        held.push(...rest.map(({ id }) => ({ queueId: id, leavesAt: null })))
        return []
      })
      .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    if (first === undefined) return [...departures, ...held]
    const { index, leavesAt, waiting } = first
    heads[index] = (heads[index] ?? 0) + 1
    done.push({ action: waiting.action, at: leavesAt })
    restsUntil = latest(restsUntil, secondsAfter(leavesAt, gapAfter(waiting.id, usage.smart)))
    departures.push({ queueId: waiting.id, leavesAt })
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
  const lanes = new Map<string, Array<WaitingTurn>>()
  for (const one of usage.waiting) {
    if (one.kind !== kind) continue
    const key = `${one.action} ${one.bypass} ${one.leadTimezone}`
    const lane = lanes.get(key)
    if (lane === undefined) lanes.set(key, [one])
    else lane.push(one)
  }
  return simulate(usage, [...lanes.values()], usage[kind].stoppedUntil, at, paced)
}
