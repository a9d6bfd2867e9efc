/** When approved items leave. */
import * as Effect from "effect/Effect"
import { wallDay } from "../agents/ZonedTime.ts"
import type { Actor } from "../kernel/command/Actor.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { LinkedInGateway } from "../outreach/provider/LinkedInGateway.ts"
import { forecast } from "../outreach/transmission/pacing/forecast.ts"
import { nextOpeningFrom } from "../outreach/transmission/pacing/Pacing.ts"
import { readUsages } from "../outreach/transmission/readUsage.ts"
import { SendOptions } from "../outreach/transmission/SendOptions.ts"
import type { AccountUsage, TransmissionsRepo } from "../outreach/transmission/TransmissionsRepo.ts"
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
  const { pacing } = yield* SendOptions
  const usages = yield* readUsages(undefined, at)
  const departures: Departures = new Map(
    usages.flatMap((usage) =>
      (["message", "invitation"] as const).flatMap((kind) =>
        forecast(usage, kind, at, pacing).flatMap(({ leavesAt, queueId }) =>
          leavesAt === null ? [] : [[queueId, { leavesAt, usage }] as const]
        )
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
  return (
    nextOpeningFrom(agent, lead?.timezone === "" ? undefined : lead?.timezone, notBefore < at ? at : notBefore) ?? null
  )
}

/** The transmissions that leave on the account's current day. */
export const leavingToday = (departures: Departures, at: string): ReadonlyArray<string> =>
  [...departures].flatMap(([queueId, { leavesAt, usage }]) => {
    const zone = usage.timezone === "" ? "UTC" : usage.timezone
    return wallDay(zone, leavesAt) <= wallDay(zone, at) ? [queueId] : []
  })
