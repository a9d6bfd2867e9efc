/** When an approved message or invitation leaves, and why not earlier, as the sending machine's `eligibility` says. */

import * as Effect from "effect/Effect"
import { wallDay } from "../agents/ZonedTime.ts"
import { eligibility, type Facts, type Later, leavesAt } from "../outreach/eligibility.ts"
import { horizonOf, paceOf } from "../outreach/pacing/Pacing.ts"
import { capsOf, countedAs, usesWithin } from "../outreach/pacing/UsageLimits.ts"
import { forecast, readUsages } from "../outreach/readUsage.ts"
import { clauseOf } from "../outreach/reasons.ts"
import { isSendingHeld, SendOptions } from "../outreach/SendOptions.ts"
import { actionOf, isOfKind, type LinkedInTransmission, type TransmissionView } from "../outreach/Transmission.ts"
import type { AccountUsage } from "../outreach/TransmissionsRepo.ts"
import type { ReviewDetails } from "./ReviewDetails.ts"
import type { ReviewEntry } from "./ReviewRepo.ts"

/** What decides when it is sent. */
interface DepartureFacts {
  readonly view: Pick<TransmissionView<LinkedInTransmission>, "row" | "position"> & {
    readonly mission: NonNullable<Facts["mission"]> | null
    readonly lead: { readonly timezone: string }
  }
  /** The account; undefined when it is no longer linked. */
  readonly usage: AccountUsage | undefined
  /** The forecast; undefined when it is not foreseen, or hours and limits never let it leave. */
  readonly leavesAt: string | undefined
  /** Whether limits and hours are kept, and whether sending is on hold for the whole service. */
  readonly paced: boolean
  readonly held: boolean
}

/** Of what no account sends in turn. */
const unplaced = { position_in_line: null, left_today: null }

const ordinals = ["", "next", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]

const placeOf = (position: number): string =>
  position === 1 ? "next in line" : `${ordinals[position] ?? `number ${position}`} in line`

const leftToday = (row: LinkedInTransmission, usage: AccountUsage, at: string): number | null => {
  const action = actionOf(row)
  const { day } = capsOf(usage, action, at)
  if (day === null) return null
  const times = usage.done.flatMap((use) => (countedAs[action].includes(use.action) ? [use.at] : []))
  return Math.max(0, day - usesWithin(times, "day", at).length)
}

/** Why it is later, in words. */
const wordsOf = ({ isAccountHeld, reason, when }: Later, facts: Facts, row: LinkedInTransmission, at: string) => {
  const clause = clauseOf(reason) ?? reason
  const isNever = when !== null && when >= horizonOf(at)
  switch (reason) {
    case "mission_paused":
      return `the mission is ${facts.mission?.status.toLowerCase()}`
    case "outside_hours":
      if (isNever)
        return isAccountHeld ? "the agent has no working hours" : "the agent's hours and the lead's never meet"
      return isAccountHeld ? clause : "outside the lead's hours"
    case "usage_limit": {
      const unramped = facts.uses && { ...facts, uses: { ...facts.uses, ramp: false } }
      const isRamp = unramped !== undefined && eligibility(unramped, at)._tag === "Now"
      const nouns = { message: "messages", invitation: "invitations", invitation_with_note: "invitations with a note" }
      return `limit of ${nouns[actionOf(row)]} reached${isRamp ? ", as the account is new and limits are raised gradually" : ""}`
    }
    case "hold":
      return row.failures > 0 ? "retried after a temporary failure" : clause
    default:
      return clause
  }
}

/** When it leaves, and why; null unless it is queued or waits for a connection. `leaves_at` is null when a person must act. */
export const departureOf = (
  { held, leavesAt, paced, usage, view: { lead, mission, position, row } }: DepartureFacts,
  at: string
): ReviewDetails["departure"] => {
  if (row.state !== "queued" && row.state !== "waiting_relation") return null
  const waits = (why: string) => ({ leaves_at: null, reasons: [why], ...unplaced })
  if (row.state === "waiting_relation") return waits("waiting for the person to accept the invitation")
  const { bypass, notBefore } = row
  const own = { action: actionOf(row), bypass, mission, notBefore, isHeld: held, paced, leadTimezone: lead.timezone }
  const facts: Facts = { ...own, isManual: row.reason === "by_hand", ...(usage && paceOf(usage)) }
  const reasons: Array<string> = []
  // What follows once this has passed; of hours, rests and limits the first one says enough.
  for (let from = at; ; ) {
    const answer = eligibility(facts, from)
    if (answer._tag === "Now") break
    if (answer._tag === "No") return waits(clauseOf(answer.reason) ?? answer.reason)
    const why = wordsOf(answer, facts, row, from)
    if (answer.when === null) return waits(why)
    reasons.push(why)
    if (answer.reason !== "hold" && answer.reason !== "limit") break
    from = answer.when
  }
  if (usage === undefined) return waits("the account is not linked")
  const isFree = row.bypass || !paced
  const left = isFree ? null : leftToday(row, usage, at)
  return {
    leaves_at: leavesAt ?? null,
    reasons: [
      ...reasons,
      ...(isFree ? ["ignores limits and working hours"] : []),
      ...(position === null ? [] : [placeOf(position)]),
      ...(left === null ? [] : [`${left} left today`])
    ],
    position_in_line: position,
    left_today: left
  }
}

/** When queued transmissions leave, by id, with the account that sends them. */
type Departures = ReadonlyMap<string, { readonly leavesAt: string; readonly usage: AccountUsage }>

/**
 * The forecasts of every linked account at an instant, by the id of the transmission: the next 500 messages and invitations of
 * each. Empty where people send by hand.
 */
export const readDepartures = Effect.fnUntraced(function* (at: string) {
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
  return leavesAt({ notBefore, hours: agent, leadTimezone: lead?.timezone ?? null }, at) ?? null
}

/** The transmissions that leave on the account's current day. */
export const leavingToday = (departures: Departures, at: string): ReadonlyArray<string> =>
  [...departures].flatMap(([queueId, { leavesAt, usage }]) =>
    wallDay(usage.timezone, leavesAt) <= wallDay(usage.timezone, at) ? [queueId] : []
  )

/** The departure of an item; null unless it is queued. */
export const readDeparture = Effect.fnUntraced(function* (
  entry: ReviewEntry,
  view: TransmissionView | undefined,
  at: string
) {
  if (view === undefined || (view.row.state !== "queued" && view.row.state !== "waiting_relation")) return null
  if (!isOfKind("message", "invitation")(view)) {
    const leaves_at = leavesAtOf(entry, new Map(), at)
    const { notBefore } = view.row
    const isClosed = entry.agent !== null && notBefore !== null && (leaves_at === null || leaves_at > notBefore)
    return { leaves_at, reasons: isClosed ? ["outside working hours"] : [], ...unplaced }
  }
  const { departures, usages } = yield* readDepartures(at)
  const { pacing } = yield* SendOptions
  const facts = {
    view,
    usage: usages.find(({ accountId }) => accountId === view.row.accountId),
    leavesAt: departures.get(view.row.id)?.leavesAt,
    paced: pacing,
    held: yield* isSendingHeld
  }
  return departureOf(facts, at)
})
