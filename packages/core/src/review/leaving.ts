/** When approved items leave. */
import * as Effect from "effect/Effect"
import { dayMillis, wallTime } from "../agents/ZonedTime.ts"
import { Actor } from "../kernel/command/Actor.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import { isoFromMillis } from "../kernel/schema/Time.ts"
import { LinkedInGateway } from "../outreach/provider/LinkedInGateway.ts"
import { forecast } from "../outreach/transmission/pacing/forecast.ts"
import { openingFrom } from "../outreach/transmission/pacing/Pacing.ts"
import { windowMillis } from "../outreach/transmission/pacing/UsageLimits.ts"
import { SendOptions } from "../outreach/transmission/SendOptions.ts"
import { type AccountUsage, TransmissionsRepo } from "../outreach/transmission/TransmissionsRepo.ts"
import type { ReviewEntry } from "./ReviewEntry.ts"

/** When queued transmissions leave, by id, with the account that sends them. */
type Departures = ReadonlyMap<string, { readonly leavesAt: string; readonly usage: AccountUsage }>

/**
 * The forecasts of every linked account at an instant, by the id of the transmission: the next 500 messages and invitations of
 * each. Empty where people send by hand.
 */
export const readDepartures = Effect.fnUntraced(function* (
  at: string
): Effect.fn.Return<
  { readonly departures: Departures; readonly usages: ReadonlyArray<AccountUsage> },
  StoreFailure,
  Actor | LinkedInGateway | TransmissionsRepo
> {
  const { organizationId } = yield* Actor
  const { isManual = false, name: gateway } = yield* LinkedInGateway
  if (isManual) return { departures: new Map(), usages: [] }
  const { pacing } = yield* SendOptions
  const since = isoFromMillis(Date.parse(at) - windowMillis.week)
  const usages = yield* (yield* TransmissionsRepo).usage(organizationId, { gateway, accountId: undefined }, since)
  const departures: Departures = new Map(
    usages.flatMap((usage) =>
      (["message", "invitation"] as const).flatMap((kind) =>
        forecast(usage, kind, at, pacing).map(({ leavesAt, queueId }) => [queueId, { leavesAt, usage }] as const)
      )
    )
  )
  return { departures, usages }
})

/** When an item leaves; null when that is not known. */
export const leavesAtOf = (
  { agent, kind, lead, notBefore, queueId, state }: ReviewEntry,
  departures: Departures,
  at: string
): string | null => {
  if (state !== "queued" || queueId === null) return null
  if (kind !== "email") return departures.get(queueId)?.leavesAt ?? null
  if (agent === null || notBefore === null) return null
  return openingFrom(agent, lead?.timezone === "" ? undefined : lead?.timezone, notBefore < at ? at : notBefore)
}

const dayOf = (zone: string, at: string): number => Math.floor(wallTime(zone, Date.parse(at)) / dayMillis)

/** The transmissions that leave on the account's current day. */
export const leavingToday = (departures: Departures, at: string): ReadonlyArray<string> =>
  [...departures].flatMap(([queueId, { leavesAt, usage }]) => {
    const zone = usage.timezone === "" ? "UTC" : usage.timezone
    return dayOf(zone, leavesAt) <= dayOf(zone, at) ? [queueId] : []
  })
