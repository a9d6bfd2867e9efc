/**
 * What counts in a mission, and when: the rules for the stores.
 *
 * - `leads`: a lead was added to the mission.
 * - `contacted`, `replied`, `positive`, `meetings`: a lead of the mission whose status is one of the group's today entered
 *   the group: at its first such change of status in the event log, but not before it was added; without one in the log,
 *   when it was added. So over all time they are the numbers of mission.get. A lead in DoNotContact counts as the status
 *   that it had before.
 * - `messages_sent`: a message of one of the mission's drafts or one of its e-mails, or one to a lead of the mission after
 *   it was added that was written for no mission.
 * - `messages_received`: a message from a lead of the mission after it was added.
 * - `invitations_sent`, `invitations_accepted`: an invitation for one of the mission's drafts, or one to a lead of the
 *   mission after it was added that was sent for no mission's draft.
 * - `opted_out`: a lead of the mission that is in DoNotContact today entered it, for the last time.
 * - drafts by status: drafts of the mission in that status today, when they were created.
 *
 * Days and weeks are in UTC; a week starts on Monday and is named by that date.
 */
import * as Schema from "effect/Schema"
import { isoFromMillis } from "../../kernel/schema/Time.ts"
import { contactedStatuses, type LeadStatus, repliedStatuses } from "../../leads/LeadStatus.ts"

/** Length of a period. */
export const PeriodUnit = Schema.Literals(["day", "week"])
export type PeriodUnit = typeof PeriodUnit.Type

/** Statuses of interested leads. */
const positiveStatuses: ReadonlyArray<LeadStatus> = ["Interested", "MeetingBooked"]

/** The groups of statuses that leads are counted by. */
export const statusGroups = {
  contacted: contactedStatuses,
  replied: repliedStatuses,
  positive: positiveStatuses,
  meetings: ["MeetingBooked"]
} as const satisfies Readonly<Record<string, ReadonlyArray<LeadStatus>>>

/** What is counted over time. */
export const activityKinds = [
  "leads",
  "contacted",
  "replied",
  "positive",
  "meetings",
  "invitations_sent",
  "invitations_accepted",
  "messages_sent",
  "messages_received"
] as const
export type ActivityKind = (typeof activityKinds)[number]

/** What is counted: activity, who opted out, and drafts as `draft:` with their status. */
export type StatKind =
  | ActivityKind
  | "opted_out"
  | `draft:${"PENDING_REVIEW" | "READY_TO_SEND" | "DISPATCHED" | "CANCELLED"}`

/** How often something happened in a period, at least once. `period` is its first day, `YYYY-MM-DD`. */
export interface StatCount {
  readonly kind: StatKind
  readonly period: string
  readonly count: number
}

const dayMillis = 24 * 60 * 60 * 1000

const dateOf = (millis: number): string => isoFromMillis(millis).slice(0, 10)

/** Period of an ISO instant. */
export const periodOf = (instant: string, unit: PeriodUnit): string => {
  const day = instant.slice(0, 10)
  if (unit === "day") return day
  const millis = Date.parse(`${day}T00:00:00.000Z`)
  // 1970-01-01 was a Thursday.
  const daysSinceMonday = (((millis / dayMillis + 3) % 7) + 7) % 7
  return dateOf(millis - daysSinceMonday * dayMillis)
}

/** Maximum periods of a series: a year of days. */
export const maxPeriods = 366

/** Every period from the first to the last, inclusive; at most the latest {@link maxPeriods}. */
export const periodsBetween = (first: string, last: string, unit: PeriodUnit): ReadonlyArray<string> => {
  const step = unit === "day" ? dayMillis : 7 * dayMillis
  const end = Date.parse(last)
  const start = Math.max(Date.parse(first), end - (maxPeriods - 1) * step)
  const count = Math.floor((end - start) / step) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => dateOf(start + index * step))
}
