import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { warn } from "../../../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../../../kernel/failure/failures.ts"
import { isoDateTime } from "../../../kernel/schema/TextFields.ts"
import { MissionIdText } from "../../../missions/MissionInput.ts"
import { MissionReportRepo } from "../MissionReportRepo.ts"
import { MissionStatistics, statisticsOf } from "../MissionStatistics.ts"
import { maxPeriods, PeriodUnit } from "../missionActivity.ts"

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
    const [activity] = yield* (yield* MissionReportRepo).activity(organizationId, mission_id, window)
    if (activity === undefined) return yield* new NotFound({ kind: "mission", id: mission_id })
    const { isCut, stats } = statisticsOf(activity, window)
    if (isCut) yield* warn(`series_cut: the series holds the latest ${maxPeriods} periods; narrow it with from and to.`)
    return { stats }
  })
})
