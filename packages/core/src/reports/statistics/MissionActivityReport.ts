/** What happened per mission and day, for plots. */
import * as Schema from "effect/Schema"
import { MissionStatus } from "../../missions/MissionStatus.ts"
import type { MissionActivity } from "./MissionStatistics.ts"

const count = (description: string) => Schema.Int.annotate({ description })

const counts = {
  messages_sent: count("Messages and emails sent"),
  invitations_sent: count("Invitations sent on LinkedIn"),
  invitations_accepted: count("Accepted invitations"),
  replied: count("Leads who replied"),
  opted_out: count("Leads who must no longer be contacted")
}

const mission = { mission_id: Schema.String, handle: Schema.String, name: Schema.String }

/** One mission on one day. */
const ActivityDay = Schema.Struct({
  date: Schema.String.annotate({ description: "The day in UTC, such as 2026-11-16" }),
  mission: Schema.Struct(mission),
  ...counts
})

/** The output of mission.activity. */
export const MissionActivityReport = Schema.Struct({
  from: Schema.String.annotate({ description: "The first day" }),
  to: Schema.String.annotate({ description: "The last day" }),
  time_zone: Schema.Literal("UTC").annotate({ description: "The time zone of the days" }),
  days: Schema.Array(ActivityDay).annotate({ description: "Missions and days with activity, oldest day first" }),
  missions: Schema.Array(
    Schema.Struct({ mission: Schema.Struct({ ...mission, status: MissionStatus }), ...counts })
  ).annotate({ description: "Totals of each mission with activity, by name" })
})
type MissionActivityReport = typeof MissionActivityReport.Type

const kinds = ["messages_sent", "invitations_sent", "invitations_accepted", "replied", "opted_out"] as const

type Counted = Record<(typeof kinds)[number], number>

/** The counts of each day with activity. */
const daysOf = ({ counts: counted }: MissionActivity): ReadonlyMap<string, Counted> => {
  const days = new Map<string, Counted>()
  for (const { count: times, kind: found, period } of counted) {
    const kind = kinds.find((one) => one === found)
    if (kind === undefined) continue
    const day = days.get(period) ?? countedBy(() => 0)
    days.set(period, { ...day, [kind]: day[kind] + times })
  }
  return days
}

const countedBy = (countOf: (kind: keyof Counted) => number): Counted => ({
  messages_sent: countOf("messages_sent"),
  invitations_sent: countOf("invitations_sent"),
  invitations_accepted: countOf("invitations_accepted"),
  replied: countOf("replied"),
  opted_out: countOf("opted_out")
})

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The report of missions whose activity was counted by days, from the first day to the last. */
export const activityReportOf = (
  activities: ReadonlyArray<MissionActivity>,
  from: string,
  to: string
): MissionActivityReport => {
  const reports = activities
    .flatMap((activity) => {
      const days = daysOf(activity)
      const { handle, id: mission_id, name, status } = activity
      return days.size === 0 ? [] : [{ days, mission: { mission_id, handle, name }, status }]
    })
    .toSorted((a, b) => compare(a.mission.name, b.mission.name) || compare(a.mission.mission_id, b.mission.mission_id))
  return {
    from,
    to,
    time_zone: "UTC",
    days: reports
      .flatMap(({ days, mission: of }) => Array.from(days, ([date, counted]) => ({ date, mission: of, ...counted })))
      .toSorted((a, b) => compare(a.date, b.date)),
    missions: reports.map(({ days, mission: of, status }) => ({
      mission: { ...of, status },
      ...countedBy((kind) => [...days.values()].reduce((sum, day) => sum + day[kind], 0))
    }))
  }
}
