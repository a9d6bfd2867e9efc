import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { warn } from "../../../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../../../kernel/failure/failures.ts"
import { formatted, isoDateTime } from "../../../kernel/schema/TextFields.ts"
import { isoFromMillis, now } from "../../../kernel/schema/Time.ts"
import { MissionIdText } from "../../../missions/MissionInput.ts"
import { ReportsRepo } from "../../ReportsRepo.ts"
import { activityReportOf, MissionActivityReport } from "../MissionActivityReport.ts"
import { MissionStatistics, maxPeriods, PeriodUnit, statisticsOf } from "../MissionStatistics.ts"

const instant = (description: string) => Schema.optionalKey(isoDateTime.pipe(Schema.annotateEncoded({ description })))

/** Periods in the compact profile. */
const kept = 30

const shortened = (stats: MissionStatistics) => ({
  output: { stats: { ...stats, series: stats.series.slice(-kept) } },
  warnings:
    stats.series.length > kept
      ? [`compact: the series holds only the latest ${kept} periods; use response_profile full for the rest`]
      : []
})

/** `mission.stats`: the statistics of a mission, in total and over time. */
export const ReadMissionStats = Command.make({
  id: "mission.stats",
  title: "Mission statistics",
  summary: "Get a mission's statistics in total and over time",
  description:
    "Returns the number of leads added, contacted, replied, positive and with a meeting; invitations and messages; " +
    "drafts by status; in total and per period. from and to restrict the time range. Leads count by their current " +
    "status, at the time they reached it; who opted out counts by the status before. Days are UTC; weeks start on " +
    "Monday.",
  whenToUse: "To report on a mission, or to see whether a change of the brief made a difference.",
  category: "missions",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({
    mission_id: MissionIdText,
    from: instant("Count from this time; omit for the beginning"),
    to: instant("Count before this time; omit for now"),
    group_by: PeriodUnit.annotate({ description: "Length of a period: day (default) or week", default: "day" }).pipe(
      Schema.withDecodingDefaultKey(Effect.succeed("day" as const))
    )
  }),
  output: Schema.Struct({ stats: MissionStatistics }),
  failures: [NotFound],
  outputNotes: [
    "Without from and to, leads, contacted and replied equal those of mission.get.",
    "A rate is null if its denominator is 0."
  ],
  relatedCommands: ["mission.get", "mission.next-actions", "mission.list"],
  relatedResources: ["svc://missions/{handle}", "svc://actions/today"],
  examples: [
    { title: "Everything, day by day", input: { mission_id: "spring-outreach" } },
    {
      title: "One quarter, week by week",
      input: {
        mission_id: "spring-outreach",
        from: "2026-10-01T00:00:00Z",
        to: "2027-01-01T00:00:00Z",
        group_by: "week"
      }
    }
  ],
  compact: ({ stats }) => shortened(stats),
  run: Effect.fnUntraced(function* ({ from, group_by, mission_id, to }) {
    if (from !== undefined && to !== undefined && from >= to) {
      return yield* new InvalidInput({ message: "from must be before to. Swap them, or leave one out." })
    }
    const { organizationId } = yield* Actor
    const window = { from, to, unit: group_by }
    const [activity] = yield* (yield* ReportsRepo).missionActivity(organizationId, mission_id, window)
    if (activity === undefined) return yield* new NotFound({ kind: "mission", id: mission_id })
    const { isCut, stats } = statisticsOf(activity, window)
    if (isCut) yield* warn(`series_cut: the series holds the latest ${maxPeriods} periods; narrow it with from and to.`)
    return { stats }
  })
})

const dayMillis = 86_400_000

/** Days that are counted unless the caller says which. */
const usualDays = 30

/** A quarter: many missions with more days would make a response that no plot can show. */
const maxDays = 92

const date = (description: string) =>
  Schema.optionalKey(formatted(/^\d{4}-\d{2}-\d{2}$/u, 10, "a date such as 2026-11-16").annotate({ description }))

/** The start of a date in UTC, in milliseconds. Fails with INVALID_INPUT for a day that no month has. */
const startOf = (field: string, text: string): Effect.Effect<number, InvalidInput> => {
  const millis = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(millis) && isoFromMillis(millis).startsWith(text)
    ? Effect.succeed(millis)
    : Effect.fail(
        new InvalidInput({ message: `${field} is not a day of the calendar. Send a date such as 2026-11-16.` })
      )
}

const dateOf = (millis: number): string => isoFromMillis(millis).slice(0, 10)

/** `mission.activity`: what happened per mission and day. */
export const ReadMissionActivity = Command.make({
  id: "mission.activity",
  title: "Activity by mission and day",
  summary: "Get what happened per mission and day",
  description:
    "Returns messages and invitations sent, accepted invitations, leads who replied and leads who opted out, per mission " +
    "and day and in total per mission, counted as mission.stats counts them. Days are UTC; both from and to are " +
    "included, at most 92 days, by default the last 30. A lead in two missions counts in both.",
  whenToUse: "To plot or compare missions over time; for one mission with its funnel, use mission.stats.",
  category: "missions",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({
    from: date("First day in UTC; default 29 days before the last"),
    to: date("Last day in UTC; default today"),
    mission_id: Schema.optionalKey(MissionIdText.annotate({ description: "Only this mission, by id or handle" }))
  }),
  output: MissionActivityReport,
  failures: [NotFound],
  outputNotes: ["Missions and days without activity are left out."],
  relatedCommands: ["mission.stats", "mission.list", "linkedin.queue.forecast"],
  relatedResources: ["svc://missions/{handle}"],
  examples: [
    { title: "The last 30 days", input: {} },
    { title: "One mission in November", input: { mission_id: "spring-outreach", from: "2026-11-01", to: "2026-11-30" } }
  ],
  run: Effect.fnUntraced(function* ({ from, mission_id, to }) {
    const { organizationId } = yield* Actor
    const last = yield* startOf("to", to ?? (yield* now).slice(0, 10))
    const first = from === undefined ? last - (usualDays - 1) * dayMillis : yield* startOf("from", from)
    if (first > last)
      return yield* new InvalidInput({ message: "from must not be after to. Swap them, or leave one out." })
    if (last - first >= maxDays * dayMillis) {
      return yield* new InvalidInput({
        message: `from and to span more than ${maxDays} days. Ask for fewer at a time.`
      })
    }
    const window = { from: isoFromMillis(first), to: isoFromMillis(last + dayMillis), unit: "day" } as const
    const activities = yield* (yield* ReportsRepo).missionActivity(organizationId, mission_id, window)
    if (mission_id !== undefined && activities.length === 0) {
      return yield* new NotFound({ kind: "mission", id: mission_id })
    }
    return activityReportOf(activities, dateOf(first), dateOf(last))
  })
})
