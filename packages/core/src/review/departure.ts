/** When an approved message or invitation leaves, and why not earlier. Pure: the facts are those of the sending machine. */

import * as Effect from "effect/Effect"
import { wallDay } from "../agents/ZonedTime.ts"
import type { Actor } from "../kernel/command/Actor.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { MissionStatus } from "../missions/MissionStatus.ts"
import type { LinkedInGateway } from "../outreach/provider/LinkedInGateway.ts"
import { forecast } from "../outreach/transmission/pacing/forecast.ts"
import { allowanceOf, nextOpeningFrom } from "../outreach/transmission/pacing/Pacing.ts"
import { capsOf, countedAs, limitResetsAt, rulesOf, usesWithin } from "../outreach/transmission/pacing/UsageLimits.ts"
import { readUsages } from "../outreach/transmission/readUsage.ts"
import { isSendingHeld } from "../outreach/transmission/SendingHold.ts"
import { SendOptions } from "../outreach/transmission/SendOptions.ts"
import { actionOf, type LinkedInTransmission } from "../outreach/transmission/Transmission.ts"
import type { AccountUsage, TransmissionsRepo } from "../outreach/transmission/TransmissionsRepo.ts"
import { isOfKind, type TransmissionView } from "../outreach/transmission/TransmissionView.ts"
import type { ReviewDetails } from "./ReviewDetails.ts"
import type { ReviewEntry } from "./ReviewRepo.ts"

/** What decides when it is sent. */
interface DepartureFacts {
  readonly row: LinkedInTransmission
  readonly mission: MissionStatus | null
  readonly leadTimezone: string
  /** Its place among the account's queued messages, from 1; null for invitations. */
  readonly position: number | null
  /** The account; undefined when it is no longer linked. */
  readonly usage: AccountUsage | undefined
  /** The forecast; undefined when it is not foreseen, or hours and limits never let it leave. */
  readonly leavesAt: string | undefined
  /** Whether limits and hours are kept, and whether sending is on hold for the whole service. */
  readonly paced: boolean
  readonly held: boolean
  readonly at: string
}

/** See above. `leavesAt` is null when that depends on a person. */
interface Departure {
  readonly leavesAt: string | null
  readonly reasons: ReadonlyArray<string>
  readonly positionInLine: number | null
  readonly leftToday: number | null
}

const ordinals = ["", "next", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]

const placeOf = (position: number): string =>
  position === 1 ? "next in line" : `${ordinals[position] ?? `number ${position}`} in line`

const nouns = { message: "messages", invitation: "invitations", invitation_with_note: "invitations with a note" }

/** What only a person can change; undefined when it is sent without one. */
const waitsFor = ({ held, mission, row, usage }: DepartureFacts): string | undefined => {
  if (row.state === "waiting_relation") return "waiting for the person to accept the invitation"
  if (row.reason === "by_hand") return "sent by hand: this service does not contact LinkedIn"
  if (!row.bypass && mission !== null && mission !== "ACTIVE") return `the mission is ${mission.toLowerCase()}`
  if (held) return "sending is on hold for the whole service"
  return usage === undefined ? "the account is not linked" : undefined
}

const leftToday = (row: LinkedInTransmission, usage: AccountUsage, at: string): number | null => {
  const action = actionOf(row)
  const { day } = capsOf(allowanceOf(usage), action, at)
  if (day === null) return null
  const times = usage.done.flatMap((use) => (countedAs[action].includes(use.action) ? [use.at] : []))
  return Math.max(0, day - usesWithin(times, "day", at).length)
}

/** What holds the account from an instant on, the working hours first. */
const holdsFrom = ({ leadTimezone, row }: DepartureFacts, usage: AccountUsage, from: string): ReadonlyArray<string> => {
  const action = actionOf(row)
  const opensAt = nextOpeningFrom(usage, undefined, from)
  if (opensAt === undefined) return ["the agent has no working hours"]
  if (opensAt > from) return ["outside working hours"]
  const opensForLead = nextOpeningFrom(usage, leadTimezone === "" ? undefined : leadTimezone, from)
  if (opensForLead === undefined) return ["the agent's hours and the lead's never meet"]
  if (opensForLead > from) return ["outside the lead's hours"]
  const isFull = (allowance: AccountUsage) =>
    rulesOf(allowanceOf(allowance), action, from).some(({ caps, counts }) => {
      const times = usage.done.flatMap((use) => (counts.includes(use.action) ? [use.at] : []))
      return limitResetsAt(times, caps, from) !== undefined
    })
  if (isFull(usage)) {
    const isRamp = usage.ramp && usage.smart && !isFull({ ...usage, ramp: false })
    return [
      `limit of ${nouns[action]} reached${isRamp ? ", as the account is new and limits are raised gradually" : ""}`
    ]
  }
  return usage.nextAt !== null && usage.nextAt > from ? ["rest between messages"] : []
}

const later = (a: string, b: string | null): string => (b !== null && b > a ? b : a)

/** When it leaves, and why; null unless it is queued or waits for a connection. */
export const departureOf = (facts: DepartureFacts): Departure | null => {
  const { at, leavesAt, paced, position, row, usage } = facts
  if (row.state !== "queued" && row.state !== "waiting_relation") return null
  const waiting = waitsFor(facts)
  if (waiting !== undefined || usage === undefined) {
    return { leavesAt: null, reasons: waiting === undefined ? [] : [waiting], positionInLine: null, leftToday: null }
  }
  const { stoppedUntil } = usage[row.kind]
  const isHeld = row.notBefore !== null && row.notBefore > at
  const isStopped = stoppedUntil !== null && stoppedUntil > at
  const isFree = row.bypass || !paced
  const left = isFree ? null : leftToday(row, usage, at)
  return {
    leavesAt: leavesAt ?? null,
    reasons: [
      ...(isHeld ? [row.failures > 0 ? "retried after a temporary failure" : "in the grace period"] : []),
      ...(isStopped ? ["LinkedIn refused more for now"] : []),
      ...(isFree
        ? ["ignores limits and working hours"]
        : holdsFrom(facts, usage, later(later(at, row.notBefore), stoppedUntil))),
      ...(position === null ? [] : [placeOf(position)]),
      ...(left === null ? [] : [`${left} left today`])
    ],
    positionInLine: position,
    leftToday: left
  }
}

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

/** The departure of an item; null unless it is queued. */
export const readDeparture = Effect.fnUntraced(function* (
  entry: ReviewEntry,
  view: TransmissionView | undefined,
  at: string
) {
  if (view === undefined || (view.row.state !== "queued" && view.row.state !== "waiting_relation")) return null
  const none = { position_in_line: null, left_today: null }
  if (!isOfKind("message", "invitation")(view)) {
    const leaves_at = leavesAtOf(entry, new Map(), at)
    const { notBefore } = view.row
    const isClosed = entry.agent !== null && notBefore !== null && (leaves_at === null || leaves_at > notBefore)
    return {
      leaves_at,
      reasons: isClosed ? ["outside working hours"] : [],
      ...none
    } satisfies ReviewDetails["departure"]
  }
  const { departures, usages } = yield* readDepartures(at)
  const { pacing } = yield* SendOptions
  const departure = departureOf({
    row: view.row,
    mission: view.mission?.status ?? null,
    leadTimezone: view.lead.timezone,
    position: view.position,
    usage: usages.find(({ accountId }) => accountId === view.row.accountId),
    leavesAt: departures.get(view.row.id)?.leavesAt,
    paced: pacing,
    held: yield* isSendingHeld,
    at
  })
  return (
    departure && {
      leaves_at: departure.leavesAt,
      reasons: departure.reasons,
      position_in_line: departure.positionInLine,
      left_today: departure.leftToday
    }
  )
})
