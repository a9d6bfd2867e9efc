/** Statistics of a mission: totals, rates, and a series without gaps; and what happened per mission and day, for plots. */

import * as Arr from "effect/Array"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { dayMillis } from "../../agents/ZonedTime.ts"
import { Instant, isoFromMillis } from "../../kernel/schema/IdsAndTime.ts"
import { contactedStatuses, type LeadStatus, positiveStatuses, repliedStatuses } from "../../leads/LeadStatus.ts"
import type { MissionRow } from "../../missions/Mission.ts"
import { MissionStatus } from "../../missions/MissionStatus.ts"
import { DraftStatus } from "../../outreach/LinkedInDraft.ts"
import { WhatWorks, type WrittenGroup, whatWorksOf } from "./whatWorks.ts"

// What counts in a mission, and when: the rules for the stores.
//
// - `leads`: a lead was added to the mission.
// - `contacted`, `replied`, `positive`, `meetings`: a lead of the mission whose status is one of the group's today entered
//   the group: at its first such change of status in the event log, but not before it was added; without one in the log,
//   when it was added. So over all time they are the numbers of mission.get. A lead in DoNotContact counts as the status
//   that it had before.
// - `messages_sent`: a message of one of the mission's drafts or one of its e-mails, or one to a lead of the mission after
//   it was added that was written for no mission.
// - `messages_received`: a message from a lead of the mission after it was added.
// - `invitations_sent`, `invitations_accepted`: an invitation for one of the mission's drafts, or one to a lead of the
//   mission after it was added that was sent for no mission's draft.
// - `opted_out`: a lead of the mission that is in DoNotContact today entered it, for the last time.
// - drafts by status: drafts of the mission in that status today, when they were created.
//
// Days and weeks are in UTC; a week starts on Monday and is named by that date.

/** Length of a period. */
export const PeriodUnit = Schema.Literals(["day", "week"])

export type PeriodUnit = typeof PeriodUnit.Type

/** The groups of statuses that leads are counted by. */
export const statusGroups = {
  contacted: contactedStatuses,
  replied: repliedStatuses,
  positive: positiveStatuses,
  meetings: ["MeetingBooked"]
} as const satisfies Readonly<Record<string, ReadonlyArray<LeadStatus>>>

const count = (description: string) => Schema.Int.annotate({ description })

const rate = (description: string) => Schema.NullOr(Schema.Finite).annotate({ description })

/** What is counted over time. */
const counts = {
  leads: count("Leads added"),
  contacted: count("Leads contacted, including those who replied"),
  replied: count("Leads who replied"),
  positive: count("Leads who are interested or booked a meeting"),
  meetings: count("Leads with a meeting"),
  invitations_sent: count("Invitations sent on LinkedIn"),
  invitations_accepted: count("Accepted invitations"),
  messages_sent: count("Messages sent"),
  messages_received: count("Messages received")
}

/** What is counted: activity, who opted out, and drafts as `draft:` with their status. */
export type StatKind = keyof typeof counts | "opted_out" | `draft:${DraftStatus}`

/** How often something happened in a period, at least once. `period` is its first day, `YYYY-MM-DD`. */
export interface StatCount {
  readonly kind: StatKind
  readonly period: string
  readonly count: number
}

/** Date of a time in milliseconds since 1970, in UTC. */
export const dateOf = (millis: number): string => isoFromMillis(millis).slice(0, 10)

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
const periodsBetween = (first: string, last: string, unit: PeriodUnit): ReadonlyArray<string> => {
  const step = unit === "day" ? dayMillis : 7 * dayMillis
  const end = Date.parse(last)
  const start = Math.max(Date.parse(first), end - (maxPeriods - 1) * step)
  const count = Math.floor((end - start) / step) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => dateOf(start + index * step))
}

/** The time range to count: from `from` and before `to`; undefined is open. */
export interface ActivityWindow {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly unit: PeriodUnit
  /** Whether to count what works, too. */
  readonly asksWhatWorks?: boolean
}

/** The activity of a mission, counted by kind and period, in no order; counts of one kind and period add up. */
export interface MissionActivity extends Pick<MissionRow, "id" | "handle" | "name" | "status"> {
  readonly counts: ReadonlyArray<StatCount>
  /** What works, if that was asked for. */
  readonly written?: ReadonlyArray<WrittenGroup>
}

const mission = { mission_id: Schema.String, handle: Schema.String, name: Schema.String }

/** The counts of one period. */
const StatPeriod = Schema.Struct({
  period: Schema.String.annotate({ description: "First day of the period in UTC, such as 2026-11-16" }),
  ...counts
})

/** The output of mission.stats. */
export const MissionStatistics = Schema.Struct({
  mission: Schema.Struct({ ...mission, status: MissionStatus }),
  from: Schema.NullOr(Instant),
  to: Schema.NullOr(Instant),
  group_by: PeriodUnit,
  ...counts,
  drafts: Schema.Record(DraftStatus, Schema.Int).annotate({ description: "Drafts of the mission by current status" }),
  rates: Schema.Struct({
    contacted: rate("contacted / leads, 0 to 1; null without leads"),
    replied: rate("replied / contacted"),
    positive: rate("positive / replied"),
    invitations_accepted: rate("accepted / sent invitations")
  }),
  what_works: WhatWorks,
  series: Schema.Array(StatPeriod).annotate({
    description: "Every period of the time range, or from the first to the last with activity; at most 366"
  })
})

export type MissionStatistics = typeof MissionStatistics.Type

const rateOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000

/** A number for each name. */
export const tally = <Name extends string>(
  names: ReadonlyArray<Name>,
  numberOf: (name: Name) => number
): Record<Name, number> =>
  // Every name is set, which the compiler cannot know of entries.
  Object.fromEntries(names.map((name) => [name, numberOf(name)])) as Record<Name, number>

const sumOf = (counted: ReadonlyArray<StatCount>, kind: StatKind): number =>
  counted.reduce((sum, one) => (one.kind === kind ? sum + one.count : sum), 0)

const sumsOf = <K extends StatKind>(counted: ReadonlyArray<StatCount>, kinds: ReadonlyArray<K>): Record<K, number> =>
  tally(kinds, (kind) => sumOf(counted, kind))

/** The counts of each period with one of some kinds. */
const byPeriod = (counted: ReadonlyArray<StatCount>, kinds: ReadonlyArray<StatKind>) =>
  Arr.groupBy(
    counted.filter(({ kind }) => kinds.includes(kind)),
    ({ period }) => period
  )

/** The last period of a time range; `to` itself is not in it. */
const lastPeriod = (to: string, unit: PeriodUnit): string => periodOf(isoFromMillis(Date.parse(to) - 1), unit)

/** Sums up activity. `isCut` is true if the series lacks its earliest periods. */
export const statisticsOf = (
  activity: MissionActivity,
  { from, to, unit }: ActivityWindow
): { readonly stats: MissionStatistics; readonly isCut: boolean } => {
  const kinds = Struct.keys(counts)
  const found = byPeriod(activity.counts, kinds)
  const seen = Object.keys(found).sort()
  const first = from === undefined ? seen[0] : periodOf(from, unit)
  const last = to === undefined ? seen.at(-1) : lastPeriod(to, unit)
  const periods = first === undefined || last === undefined ? [] : periodsBetween(first, last, unit)
  const totals = sumsOf(activity.counts, kinds)
  const { handle, id, name, status } = activity
  const stats: MissionStatistics = {
    mission: { mission_id: id, handle, name, status },
    from: from ?? null,
    to: to ?? null,
    group_by: unit,
    ...totals,
    drafts: tally(DraftStatus.literals, (state) => sumOf(activity.counts, `draft:${state}`)),
    rates: {
      contacted: rateOf(totals.contacted, totals.leads),
      replied: rateOf(totals.replied, totals.contacted),
      positive: rateOf(totals.positive, totals.replied),
      invitations_accepted: rateOf(totals.invitations_accepted, totals.invitations_sent)
    },
    what_works: whatWorksOf(activity.written ?? []),
    series: periods.map((period) => ({ period, ...sumsOf(found[period] ?? [], kinds) }))
  }
  return { stats, isCut: periods[0] !== undefined && first !== undefined && periods[0] > first }
}

const plotted = {
  messages_sent: count("Messages and emails sent"),
  invitations_sent: counts.invitations_sent,
  invitations_accepted: counts.invitations_accepted,
  replied: counts.replied,
  opted_out: count("Leads who must no longer be contacted")
}

/** The output of mission.activity. */
export const MissionActivityReport = Schema.Struct({
  from: Schema.String.annotate({ description: "The first day" }),
  to: Schema.String.annotate({ description: "The last day" }),
  time_zone: Schema.Literal("UTC").annotate({ description: "The time zone of the days" }),
  days: Schema.Array(
    Schema.Struct({
      date: Schema.String.annotate({ description: "The day in UTC, such as 2026-11-16" }),
      mission: Schema.Struct(mission),
      ...plotted
    })
  ).annotate({ description: "Missions and days with activity, oldest day first" }),
  missions: Schema.Array(
    Schema.Struct({ mission: Schema.Struct({ ...mission, status: MissionStatus }), ...plotted })
  ).annotate({ description: "Totals of each mission with activity, by name" })
})

/** The report of missions whose activity was counted by days, from the first day to the last. */
export const activityReportOf = (
  activities: ReadonlyArray<MissionActivity>,
  from: string,
  to: string
): typeof MissionActivityReport.Type => {
  const kinds = Struct.keys(plotted)
  const reports = activities
    .map(({ counts: counted, handle, id: mission_id, name, status }) => {
      const totals = sumsOf(counted, kinds)
      return { days: byPeriod(counted, kinds), mission: { mission_id, handle, name }, status, totals }
    })
    .filter(({ days }) => Object.keys(days).length > 0)
    .toSorted(
      (a, b) => Order.String(a.mission.name, b.mission.name) || Order.String(a.mission.mission_id, b.mission.mission_id)
    )
  return {
    from,
    to,
    time_zone: "UTC",
    days: reports
      .flatMap(({ days, mission: of }) =>
        Object.entries(days).map(([date, counted]) => ({ date, mission: of, ...sumsOf(counted, kinds) }))
      )
      .toSorted((a, b) => Order.String(a.date, b.date)),
    missions: reports.map(({ mission: of, status, totals }) => ({ mission: { ...of, status }, ...totals }))
  }
}
