/**
 * How often a LinkedIn account may do what in a rolling window, and how far apart.
 *
 * Everything that varies is taken from a hash of ids and dates, so that two processes always agree.
 */

import { sha256Hex } from "../../kernel/schema/Hash.ts"
import {
  type AccountId,
  type InstantText,
  isoFromMillis,
  type OrganizationId,
  type TurnId
} from "../../kernel/schema/IdsAndTime.ts"
import type { LinkedInAccount, LinkedInTier } from "../provider/LinkedInAccount.ts"

/**
 * Stored before its first byte leaves; `outcome` is null until it is known to us. `queueItemId` is the message or the
 * invitation that was transmitted; other uses have an id of their own.
 */
export interface SendAttempt {
  readonly organizationId: OrganizationId
  readonly queueItemId: TurnId
  readonly number: number
  readonly accountId: AccountId
  readonly action:
    | "message"
    | "invitation"
    | "invitation_with_note"
    | "withdrawal"
    | "profile_view"
    | "search"
    | "email"
  readonly outcome: "confirmed" | "refused" | "unavailable" | "unknown" | null
  /** The provider's code or words, at most 500 characters. */
  readonly detail: string | null
  readonly startedAt: InstantText
  readonly endedAt: InstantText | null
}

/** An attempt that begins. */
export const newAttempt = (
  { id: accountId, organizationId }: Pick<LinkedInAccount, "id" | "organizationId">,
  action: SendAttempt["action"],
  queueItemId: TurnId,
  number: number,
  startedAt: InstantText
): SendAttempt => ({
  organizationId,
  queueItemId,
  number,
  accountId,
  action,
  startedAt,
  outcome: null,
  detail: null,
  endedAt: null
})

/** What is counted. */
export type UsageAction = SendAttempt["action"]

/** The most in an hour, in 24 hours and in 7 days; null is no limit. */
interface UsageCaps {
  readonly hour?: number | null
  readonly day: number | null
  readonly week: number | null
}

/** Some actions that count together, and the most of them. */
export interface UsageRule {
  readonly counts: ReadonlyArray<UsageAction>
  readonly caps: UsageCaps
}

/** Limits that a person set below those of the subscription. */
export type LimitOverrides = { readonly [Name in (typeof overrideNames | typeof mailboxNames)[number][2]]?: number }

/** A change of limits: null resets one, and what is absent stays. */
export interface LimitsChange {
  readonly limits: { readonly [Name in keyof LimitOverrides]?: number | null }
  readonly ramp: boolean | undefined
}

/** The ceilings of each subscription. */
export const tierCaps: Readonly<Record<LinkedInTier, Readonly<Record<Exclude<UsageAction, "email">, UsageCaps>>>> = {
  FREE: {
    message: { day: 40, week: null },
    invitation: { day: 15, week: 80 },
    invitation_with_note: { day: 3, week: 15 },
    withdrawal: { day: 20, week: null },
    profile_view: { day: 40, week: null },
    search: { day: 10, week: null }
  },
  PREMIUM: {
    message: { day: 60, week: null },
    invitation: { day: 20, week: 100 },
    invitation_with_note: { day: 20, week: 100 },
    withdrawal: { day: 40, week: null },
    profile_view: { day: 60, week: null },
    search: { day: 20, week: null }
  },
  SALES_NAVIGATOR: {
    message: { day: 80, week: null },
    invitation: { day: 25, week: 100 },
    invitation_with_note: { day: 25, week: 100 },
    withdrawal: { day: 40, week: null },
    profile_view: { day: 80, week: null },
    search: { day: 100, week: null }
  }
}

/** The ceiling of a mailbox, far below what providers allow, as they tell senders by how people answer. */
const mailboxCaps: UsageCaps = { hour: null, day: 200, week: null }

/** The limit of an action in a window, as a person may set it. */
export const overrideNames = [
  ["message", "day", "messageDay"],
  ["invitation", "day", "invitationDay"],
  ["invitation", "week", "invitationWeek"],
  ["invitation_with_note", "day", "invitationWithNoteDay"],
  ["invitation_with_note", "week", "invitationWithNoteWeek"],
  ["withdrawal", "day", "withdrawalDay"],
  ["profile_view", "day", "profileViewDay"],
  ["search", "day", "searchDay"]
] as const satisfies ReadonlyArray<readonly [action: UsageAction, window: "day" | "week", name: string]>

/** The same of a mailbox. */
const mailboxNames = [
  ["email", "hour", "emailHour"],
  ["email", "day", "emailDay"]
] as const

/** What counts against the limit of an action: an invitation with a note is an invitation too. */
export const countedAs: Readonly<Record<UsageAction, ReadonlyArray<UsageAction>>> = {
  message: ["message"],
  invitation: ["invitation", "invitation_with_note"],
  invitation_with_note: ["invitation_with_note"],
  withdrawal: ["withdrawal"],
  profile_view: ["profile_view"],
  search: ["search"],
  email: ["email"]
}

/** What the limits of an action count, and how far back in seconds. */
export const countedFor = (action: UsageAction) => {
  const isWeekly = overrideNames.some(([one, window]) => one === action && window === "week")
  const actions = countedAs[action === "invitation_with_note" ? "invitation" : action]
  return { actions, seconds: windowMillis[isWeekly ? "week" : "day"] / 1_000 }
}

/** What other people notice of an account, which begins slowly. Reading and withdrawing do not. */
const outreach: ReadonlySet<UsageAction> = new Set(["message", "invitation", "invitation_with_note", "email"])

/** What limits depend on. `createdAt` is when the account came; `smart` is the agent's smartDeliverability. */
export interface Allowance {
  readonly accountId: AccountId
  readonly tier: LinkedInTier
  readonly createdAt: InstantText
  readonly limits: LimitOverrides
  readonly ramp: boolean
  readonly smart: boolean
}

const weekMillis = 7 * 86_400_000
const rampPercents = [40, 60, 80]

/** A number from 0 to `below - 1` that a text always gives. */
const fromHash = (text: string, below: number): number => Number.parseInt(sha256Hex(text).slice(0, 8), 16) % below

/** Percents of the limit that an account may use: 40, 60 and 80 in its first three weeks, then 100. */
const rampPercent = (createdAt: InstantText, at: string): number =>
  rampPercents[Math.max(0, Math.floor((Date.parse(at) - Date.parse(createdAt)) / weekMillis))] ?? 100

const overrideOf = (limits: LimitOverrides, action: UsageAction): Required<UsageCaps> => {
  const wanted = (window: keyof typeof windowMillis): number | null => {
    const found = [...overrideNames, ...mailboxNames].find(([one, other]) => one === action && other === window)
    return found === undefined ? null : (limits[found[2]] ?? null)
  }
  return { hour: wanted("hour"), day: wanted("day"), week: wanted("week") }
}

const lower = (ceiling: number | null, wanted: number | null): number | null =>
  ceiling === null ? wanted : wanted === null ? ceiling : Math.min(ceiling, wanted)

// A limit above nothing stays above nothing, whatever is taken off.
const percent = (cap: number | null, percents: number): number | null =>
  cap === null || cap === 0 ? cap : Math.max(1, Math.floor((cap * percents) / 100))

/**
 * What an account may do at an instant: the lower of subscription and override, less the ramp-up, and a day's limit less 0
 * to 15 percent by account and date. Without smart deliverability, and for what no other person sees, only the lower of
 * the two counts.
 */
export const capsOf = (allowance: Allowance, action: UsageAction, at: string): UsageCaps => {
  const ceiling = action === "email" ? mailboxCaps : tierCaps[allowance.tier][action]
  const wanted = overrideOf(allowance.limits, action)
  const day = lower(ceiling.day, wanted.day)
  const week = lower(ceiling.week, wanted.week)
  const hour = lower(ceiling.hour ?? null, wanted.hour)
  if (!allowance.smart || !outreach.has(action)) return { hour, day, week }
  const ramp = allowance.ramp ? rampPercent(allowance.createdAt, at) : 100
  const jitter = fromHash(`${allowance.accountId}/${action}/${at.slice(0, 10)}`, 16)
  return { hour, day: percent(percent(day, ramp), 100 - jitter), week: percent(week, ramp) }
}

/** When what {@link capsOf} says next changes: with the date, and with each week of the ramp-up. */
export const capsChangeAt = ({ createdAt }: Allowance, at: string): InstantText => {
  const [now, created] = [Date.parse(at), Date.parse(createdAt)]
  const next = (length: number, from: number) => from + (Math.floor((now - from) / length) + 1) * length
  return isoFromMillis(Math.min(next(windowMillis.day, 0), next(windowMillis.week, created)))
}

/** Everything that must hold before an action begins at an instant. */
export const rulesOf = (allowance: Allowance, action: UsageAction, at: string): ReadonlyArray<UsageRule> => {
  const rule = (one: UsageAction): UsageRule => ({ counts: countedAs[one], caps: capsOf(allowance, one, at) })
  return action === "invitation_with_note" ? [rule("invitation"), rule(action)] : [rule(action)]
}

const minGap = 45
const maxGap = 180
const hardGap = 30

/** Seconds that an account rests after an item: 45 to 180 by the item, 30 without smart deliverability. */
export const gapAfter = (itemId: string, smart: boolean): number =>
  smart ? minGap + fromHash(itemId, maxGap - minGap + 1) : hardGap

/** The windows that are counted in, in milliseconds. */
export const windowMillis: Readonly<Record<"hour" | "day" | "week", number>> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: weekMillis
}

/** The uses that still count at an instant. */
export const usesWithin = (
  times: ReadonlyArray<string>,
  window: keyof typeof windowMillis,
  at: string
): ReadonlyArray<string> => {
  const since = isoFromMillis(Date.parse(at) - windowMillis[window])
  return times.filter((time) => time > since).toSorted()
}

/** When an account that did this much may do it again; undefined when it may now. */
export const limitResetsAt = (times: ReadonlyArray<string>, caps: UsageCaps, at: string): string | undefined => {
  for (const window of ["hour", "day", "week"] as const) {
    const cap = caps[window] ?? null
    if (cap === null) continue
    const within = usesWithin(times, window, at)
    if (within.length < cap) continue
    return isoFromMillis(Date.parse(cap === 0 ? at : (within.at(-cap) ?? at)) + windowMillis[window])
  }
  return undefined
}
