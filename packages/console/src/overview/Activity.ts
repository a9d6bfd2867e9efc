/** What happened per mission and day, as plots show it. Pure. */
import type { ResultOf } from "../service/shapes.ts"
import { type Point, shortDate } from "./Plot.ts"

export type Activity = ResultOf<"mission.activity">
type Measure = "messages_sent" | "invitations_sent" | "invitations_accepted" | "replied" | "opted_out"

/** What is counted, in the order of a campaign. */
export const measures: ReadonlyArray<readonly [Measure, string]> = [
  ["messages_sent", "Messages sent"],
  ["invitations_sent", "Invitations sent"],
  ["invitations_accepted", "Accepted"],
  ["replied", "Replied"],
  ["opted_out", "Opted out"]
]

const day = 86_400_000

/** The dates of a period, the last one included. */
export const datesOf = ({ from, to }: Pick<Activity, "from" | "to">): ReadonlyArray<string> => {
  const first = Date.parse(from)
  return Array.from({ length: Math.round((Date.parse(to) - first) / day) + 1 }, (_, index) =>
    new Date(first + index * day).toISOString().slice(0, 10)
  )
}

/** The first day of a period that ends today, in UTC. */
export const firstDay = (days: number, now: number): string =>
  new Date(now - (days - 1) * day).toISOString().slice(0, 10)

/** One point per day, of one mission or of all. */
export const pointsOf = (activity: Activity, measure: Measure, missionId?: string): ReadonlyArray<Point> => {
  const counts = new Map(datesOf(activity).map((date) => [date, 0]))
  for (const { date, mission, [measure]: count } of activity.days) {
    if (missionId === undefined || mission.mission_id === missionId) counts.set(date, (counts.get(date) ?? 0) + count)
  }
  return Array.from(counts, ([date, count]) => ({ date, count }))
}

/** The total of one mission or of all. */
export const totalOf = ({ missions }: Activity, measure: Measure, missionId?: string): number =>
  missions.reduce(
    (sum, { mission, [measure]: count }) =>
      missionId === undefined || mission.mission_id === missionId ? sum + count : sum,
    0
  )

/** The chosen mission; undefined for all, as when it has no activity in the period. */
export const chosenOf = (missions: Activity["missions"], missionId: string | undefined) =>
  missions.find(({ mission }) => mission.mission_id === missionId)?.mission

/** What a plot shows, for people who cannot see it. */
export const plotInWords = (points: ReadonlyArray<Point>): string => {
  const most = points.reduce<Point | undefined>(
    (top, one) => (top === undefined || one.count > top.count ? one : top),
    undefined
  )
  if (most === undefined || most.count === 0) return "None in this period"
  const total = points.reduce((sum, { count }) => sum + count, 0)
  const active = points.filter(({ count }) => count > 0).length
  return `${total} on ${active} ${active === 1 ? "day" : "days"}, most on ${shortDate(most.date)}: ${most.count}`
}
