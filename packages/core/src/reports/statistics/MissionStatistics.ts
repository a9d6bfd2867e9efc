/** Statistics of a mission: totals, rates, and a series without gaps. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { MissionId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { Instant, isoFromMillis } from "../../kernel/schema/Time.ts"
import { MissionStatus } from "../../missions/MissionStatus.ts"
import {
  type ActivityKind,
  activityKinds,
  PeriodUnit,
  periodOf,
  periodsBetween,
  type StatCount,
  type StatKind
} from "./missionActivity.ts"

/** The time range to count: from `from` and before `to`; undefined is open. */
export interface ActivityWindow {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly unit: PeriodUnit
}

/** The activity of a mission, counted by kind and period, in no order; counts of one kind and period add up. */
export interface MissionActivity {
  readonly id: MissionId
  readonly handle: string
  readonly name: string
  readonly status: MissionStatus
  readonly counts: ReadonlyArray<StatCount>
}

/** Reads leads, drafts, messages and events of a mission. Fails with UNAVAILABLE when the store is unreachable. */
export class MissionReportRepo extends Context.Service<
  MissionReportRepo,
  {
    /**
     * Counts activity by the rules of `missionActivity.ts`, of one mission, by id or handle, or of all. Empty if the mission
     * does not exist.
     */
    readonly activity: (
      organizationId: OrganizationId,
      idOrHandle: string | undefined,
      window: ActivityWindow
    ) => Effect.Effect<ReadonlyArray<MissionActivity>, StoreFailure>
  }
>()("@svc/core/missions/MissionReportRepo") {}

const count = (description: string) => Schema.Int.annotate({ description })

const rate = (description: string) => Schema.NullOr(Schema.Finite).annotate({ description })

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

/** The counts of one period. */
const StatPeriod = Schema.Struct({
  period: Schema.String.annotate({ description: "First day of the period in UTC, such as 2026-11-16" }),
  ...counts
})

/** The output of mission.stats. */
export const MissionStatistics = Schema.Struct({
  mission: Schema.Struct({
    mission_id: Schema.String,
    handle: Schema.String,
    name: Schema.String,
    status: MissionStatus
  }),
  from: Schema.NullOr(Instant),
  to: Schema.NullOr(Instant),
  group_by: PeriodUnit,
  ...counts,
  drafts: Schema.Struct({
    PENDING_REVIEW: Schema.Int,
    READY_TO_SEND: Schema.Int,
    DISPATCHED: Schema.Int,
    CANCELLED: Schema.Int
  }).annotate({ description: "Drafts of the mission by current status" }),
  rates: Schema.Struct({
    contacted: rate("contacted / leads, 0 to 1; null without leads"),
    replied: rate("replied / contacted"),
    positive: rate("positive / replied"),
    invitations_accepted: rate("accepted / sent invitations")
  }),
  series: Schema.Array(StatPeriod).annotate({
    description: "Every period of the time range, or from the first to the last with activity; at most 366"
  })
})

export type MissionStatistics = typeof MissionStatistics.Type

const rateOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000

type Counted = Readonly<Record<ActivityKind, number>>

const countedBy = (countOf: (kind: ActivityKind) => number): Counted => ({
  leads: countOf("leads"),
  contacted: countOf("contacted"),
  replied: countOf("replied"),
  positive: countOf("positive"),
  meetings: countOf("meetings"),
  invitations_sent: countOf("invitations_sent"),
  invitations_accepted: countOf("invitations_accepted"),
  messages_sent: countOf("messages_sent"),
  messages_received: countOf("messages_received")
})

/** The last period of a time range; `to` itself is not in it. */
const lastPeriod = (to: string, unit: PeriodUnit): string => periodOf(isoFromMillis(Date.parse(to) - 1), unit)

/** Sums up activity. `isCut` is true if the series lacks its earliest periods. */
export const statisticsOf = (
  activity: MissionActivity,
  { from, to, unit }: ActivityWindow
): { readonly stats: MissionStatistics; readonly isCut: boolean } => {
  const total = (kind: StatKind) =>
    activity.counts.reduce((sum, item) => (item.kind === kind ? sum + item.count : sum), 0)
  const cells = new Map<string, number>()
  for (const { count: times, kind, period } of activity.counts) {
    const cell = `${period} ${kind}`
    cells.set(cell, (cells.get(cell) ?? 0) + times)
  }
  const kinds: ReadonlyArray<string> = activityKinds
  const seen = activity.counts.flatMap(({ kind, period }) => (kinds.includes(kind) ? [period] : [])).sort()
  const first = from === undefined ? seen[0] : periodOf(from, unit)
  const last = to === undefined ? seen.at(-1) : lastPeriod(to, unit)
  const periods = first === undefined || last === undefined ? [] : periodsBetween(first, last, unit)
  const totals = countedBy(total)
  const { handle, id, name, status } = activity
  const stats: MissionStatistics = {
    mission: { mission_id: id, handle, name, status },
    from: from ?? null,
    to: to ?? null,
    group_by: unit,
    ...totals,
    drafts: {
      PENDING_REVIEW: total("draft:PENDING_REVIEW"),
      READY_TO_SEND: total("draft:READY_TO_SEND"),
      DISPATCHED: total("draft:DISPATCHED"),
      CANCELLED: total("draft:CANCELLED")
    },
    rates: {
      contacted: rateOf(totals.contacted, totals.leads),
      replied: rateOf(totals.replied, totals.contacted),
      positive: rateOf(totals.positive, totals.replied),
      invitations_accepted: rateOf(totals.invitations_accepted, totals.invitations_sent)
    },
    series: periods.map((period) => ({ period, ...countedBy((kind) => cells.get(`${period} ${kind}`) ?? 0) }))
  }
  return { stats, isCut: periods[0] !== undefined && first !== undefined && periods[0] > first }
}
