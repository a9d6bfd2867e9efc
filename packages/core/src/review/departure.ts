/** When an approved message or invitation leaves, and why not earlier, as the sending machine's `eligibility` says. */

import * as Effect from "effect/Effect"
import { wallDay } from "../agents/ZonedTime.ts"
import { Delegation } from "../kernel/command/Delegation.ts"
import { Actor } from "../kernel/command/Execution.ts"
import { eligibility, type Facts, type Later, leavesAt } from "../outreach/eligibility.ts"
import { horizonOf, paceOf } from "../outreach/pacing/Pacing.ts"
import { capsOf, countedAs, usesWithin } from "../outreach/pacing/UsageLimits.ts"
import { forecast, readUsages } from "../outreach/readUsage.ts"
import {
  asSentence,
  type Cause,
  causeOf,
  clauseOf,
  passes,
  type QueueReason,
  waitingSentence,
  whoCan
} from "../outreach/reasons.ts"
import { isSendingHeld, SendOptions } from "../outreach/SendOptions.ts"
import {
  actionOf,
  isOfKind,
  isWaiting,
  type LinkedInTransmission,
  type Transmission,
  type TransmissionView
} from "../outreach/Transmission.ts"
import { type AccountUsage, TransmissionsRepo } from "../outreach/TransmissionsRepo.ts"
import type { ReviewDetails } from "./ReviewDetails.ts"

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
  /** Whether the reader may run a command. */
  readonly mayRun?: (command: string) => boolean
}

/** Why something waits: the code, the words in the list of reasons, and what is said to people. */
interface Held extends Cause {
  readonly code: QueueReason
  readonly clause: string
}

const heldBy = (code: QueueReason, clause: string = clauseOf(code) ?? code, sentence?: string): Held => ({
  code,
  clause,
  ...causeOf(code, sentence)
})

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

const nouns = { message: "messages", invitation: "invitations", invitation_with_note: "invitations with a note" }

/** How often it failed, and why last. */
type Failing = Pick<Transmission, "reason" | "failures">

/** Why something is put off until it is looked at again, or until the time that was asked for. */
const putOff = [
  "scheduled",
  "lead_busy",
  "account_down",
  "lead_away",
  "domain_unauthenticated",
  "no_lawful_basis",
  "follow_up_early"
] as const

/** Why it is later, in words. */
const wordsOf = ({ isAccountHeld, reason, when }: Later, facts: Facts, row: Failing, at: string): Held => {
  const isNever = when !== null && when >= horizonOf(at)
  switch (reason) {
    case "mission_paused": {
      const clause = `the mission is ${facts.mission?.status.toLowerCase()}`
      return heldBy(reason, clause, `Won't send while ${clause.replace("is draft", "is a draft")}.`)
    }
    case "outside_hours": {
      const none = isAccountHeld ? "the agent has no working hours" : "the agent's hours and the lead's never meet"
      if (isNever) return heldBy(reason, none, `Won't send: ${none}.`)
      if (isAccountHeld) return heldBy(reason)
      return heldBy(reason, "outside the lead's hours", "Sends when the lead's working hours start.")
    }
    case "usage_limit": {
      const unramped = facts.uses && { ...facts, uses: { ...facts.uses, ramp: false } }
      const isRamp = unramped !== undefined && eligibility(unramped, at)._tag === "Now"
      const limit = `limit of ${nouns[facts.action as keyof typeof nouns]}`
      const more = isRamp ? ", as the account is new and limits are raised gradually" : ""
      return heldBy(reason, `${limit} reached${more}`, `Sends when the ${limit} allows${more}.`)
    }
    case "hold":
      for (const known of putOff) if (row.reason === known) return heldBy(known)
      return row.failures > 0 ? heldBy("transient", "retried after a temporary failure") : heldBy(reason)
    default:
      return heldBy(reason)
  }
}

/** What holds it from an instant on, one after the other; of hours, rests and limits the first one says enough. */
const holdsOf = (facts: Facts, row: Failing, at: string) => {
  const holds: Array<Held> = []
  for (let from = at; ; ) {
    const answer = eligibility(facts, from)
    if (answer._tag === "Now") return { holds, stuck: undefined }
    const why = answer._tag === "No" ? heldBy(answer.reason) : wordsOf(answer, facts, row, from)
    if (answer._tag === "No" || answer.when === null) return { holds, stuck: why }
    holds.push(why)
    if (answer.reason !== "hold" && answer.reason !== "limit") return { holds, stuck: undefined }
    from = answer.when
  }
}

/** A sentence around a time, as in `Sends Sat 3:00, when working hours start.`, and what follows it. */
export const aroundTime = (sentence: string, time: string | null, more = "") => {
  const [verb, ...rest] = sentence.split(" ")
  if (time === null) return { start: `${sentence}${more}`, end: null }
  return { start: `${verb} `, end: `${sentence === waitingSentence("due") ? "." : `, ${rest.join(" ")}`}${more}` }
}

type Departure = NonNullable<ReviewDetails["departure"]>

interface Shown extends Partial<Pick<Departure, "leaves_at" | "position_in_line" | "left_today">> {
  readonly row: { readonly bypass: boolean }
  readonly isFree?: boolean
  readonly mayRun: ((command: string) => boolean) | undefined
}

/** What is shown of what holds it. The last one decides when it leaves. */
const shownOf = (
  holds: ReadonlyArray<Held>,
  { isFree, leaves_at = null, left_today = null, mayRun, position_in_line = null, row }: Shown
): Departure => {
  const last = holds.at(-1) ?? heldBy("due")
  const time = passes(last) ? leaves_at : null
  const place = position_in_line === null ? "" : placeOf(position_in_line)
  const rules = "ignores limits and working hours"
  const left = left_today === null ? "" : `${left_today} left today`
  const next = passes(last) ? place : ""
  const more = [row.bypass ? rules : "", next].filter((words) => words !== "").map(asSentence)
  return {
    leaves_at: time,
    reasons: [...holds.map(({ clause }) => clause), isFree ? rules : "", place, left].filter((words) => words !== ""),
    position_in_line,
    left_today,
    summary: aroundTime(last.sentence, time, more.map((words) => ` ${words}`).join("")),
    reason: last.code,
    who: whoCan(last, mayRun),
    command: last.command
  }
}

/** When it leaves, and why; null unless it is queued or waits for a connection. `leaves_at` is null when a person must act. */
export const departureOf = (
  { held, leavesAt, mayRun, paced, usage, view: { lead, mission, position, row } }: DepartureFacts,
  at: string
): ReviewDetails["departure"] => {
  if (!isWaiting(row)) return null
  const waits = (why: Held) => shownOf([why], { row, mayRun })
  const waitsForLead = "waiting for the person to accept the invitation"
  if (row.state === "waiting_relation") return waits(heldBy("invitation_pending", waitsForLead))
  const { bypass, notBefore } = row
  const own = { action: actionOf(row), bypass, mission, notBefore, isHeld: held, paced, leadTimezone: lead.timezone }
  const facts: Facts = { ...own, isManual: row.reason === "by_hand", ...(usage && paceOf(usage)) }
  const { holds, stuck } = holdsOf(facts, row, at)
  if (stuck !== undefined) return waits(stuck)
  if (usage === undefined) return waits(heldBy("no_account", "the account is not linked"))
  const isFree = bypass || !paced
  const left_today = isFree ? null : leftToday(row, usage, at)
  return shownOf(holds, { row, mayRun, isFree, leaves_at: leavesAt ?? null, position_in_line: position, left_today })
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

/** The transmissions that leave on the account's current day. */
export const leavingToday = (departures: Departures, at: string): ReadonlyArray<string> =>
  [...departures].flatMap(([queueId, { leavesAt, usage }]) =>
    wallDay(usage.timezone, leavesAt) <= wallDay(usage.timezone, at) ? [queueId] : []
  )

/** Reads what decides about departures once, to ask about several items. */
export const departureReader = Effect.fnUntraced(function* (at: string) {
  const { departures, usages } = yield* readDepartures(at)
  const { pacing: paced } = yield* SendOptions
  const held = yield* isSendingHeld
  const forbidden = (yield* Delegation).forbidden()
  const mayRun = (command: string) => !forbidden.includes(command)
  /** The departure of an item; null unless it is queued. */
  const departureFor = (view: TransmissionView): ReviewDetails["departure"] => {
    if (isOfKind("message", "invitation")(view)) {
      const usage = usages.find(({ accountId }) => accountId === view.row.accountId)
      return departureOf({ view, usage, leavesAt: departures.get(view.row.id)?.leavesAt, paced, held, mayRun }, at)
    }
    const { agent, lead, mission, row } = view
    if (row.state !== "queued") return null
    const { bypass, notBefore } = row
    const facts: Facts = { bypass, mission, isHeld: held, notBefore, paced, hours: agent, leadTimezone: lead.timezone }
    const { holds, stuck } = holdsOf(facts, row, at)
    const shown = shownOf(stuck ? [stuck] : holds, { row, mayRun, leaves_at: leavesAt(facts, at) ?? null })
    return { ...shown, reasons: shown.reasons.filter((reason) => reason !== clauseOf("hold")) }
  }
  return { departureFor, departures, mayRun }
})

/** Approved items that are read to say in a list why they wait. */
const maxExplained = 500

/** When the approved items of a list leave, and what is said of each of the first ones, by the id of the transmission. */
export const readApproved = Effect.fnUntraced(function* (mission: string | undefined, at: string) {
  const { organizationId } = yield* Actor
  const { departureFor, departures } = yield* departureReader(at)
  const kinds = ["message", "invitation", "email"] as const
  const filter = { kinds, states: ["queued", "waiting_relation"], mission, order: "oldest" } as const
  const { items } = yield* (yield* TransmissionsRepo).list(organizationId, filter, { limit: maxExplained })
  const waits = new Map(items.map((view) => [String(view.row.id), departureFor(view)]))
  const later = (id: string) => ({ leaves_at: departures.get(id)?.leavesAt ?? null, reason: null })
  return { items, waits, departureOf: (id: string) => waits.get(id) ?? later(id) }
})

/** The departure of an item; null unless it is queued. */
export const readDeparture = Effect.fnUntraced(function* (view: TransmissionView | undefined, at: string) {
  if (view === undefined || !isWaiting(view.row)) return null
  return (yield* departureReader(at)).departureFor(view)
})
