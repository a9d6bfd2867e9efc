/**
 * When each waiting message of an account will leave: `eligibility` asked again and again, counting each departure.
 *
 * Actions of other accounts, providers and people are not foreseen.
 */
import type { InstantText, TurnId } from "../../../kernel/schema/IdsAndTime.ts"
import { leavesAt } from "../eligibility.ts"
import { secondsAfter } from "../SendOptions.ts"
import type { AccountUsage, WaitingTurn } from "../TransmissionsRepo.ts"
import { horizonOf, paceOf } from "./Pacing.ts"
import { gapAfter } from "./UsageLimits.ts"

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
  const lanes = new Map<string, Array<WaitingTurn>>()
  for (const one of usage.waiting) {
    if (one.kind !== kind) continue
    const key = `${one.action} ${one.bypass} ${one.leadTimezone}`
    const lane = lanes.get(key)
    if (lane === undefined) lanes.set(key, [one])
    else lane.push(one)
  }
  return simulate(usage, [...lanes.values()], at, paced)
}
