import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { warn } from "../../Execution.ts"
import { fail, notFound } from "../../Failure.ts"
import { isoDateTime } from "../../TextFields.ts"
import { MissionIdText } from "../MissionInput.ts"
import { MissionReportRepo } from "../MissionReportRepo.ts"
import { MissionStatistics, statisticsOf } from "../MissionStatistics.ts"
import { mostPeriods, PeriodUnit } from "../missionActivity.ts"

const instant = (description: string) => Schema.optionalKey(isoDateTime.pipe(Schema.annotateEncoded({ description })))

/** Periods that the compact profile keeps. */
const kept = 30

const shortened = (stats: MissionStatistics) => ({
  output: { stats: { ...stats, series: stats.series.slice(-kept) } },
  warnings:
    stats.series.length > kept
      ? [`compact: the series holds the latest ${kept} periods only; ask for response_profile full`]
      : []
})

/** `mission.stats`: the numbers of a campaign, in all and over time. */
export const ReadMissionStats = Command.make({
  id: "mission.stats",
  title: "Mission statistics",
  summary: "Count what happened in a campaign, in all and day by day or week by week.",
  description:
    "Answers how many leads were added, contacted, replied, are positive and have a meeting; invitations and messages; drafts " +
    "by status; and the same per period. from and to narrow everything down to what happened in between. A lead counts by its " +
    "status today, at the moment it got there. Days are UTC, weeks begin on Monday.",
  whenToUse: "To report on a campaign, or to see whether a change of the brief changed anything.",
  category: "missions",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({
    mission_id: MissionIdText,
    from: instant("Count from this instant on; leave it out for the beginning"),
    to: instant("Count before this instant; leave it out for until now"),
    group_by: PeriodUnit.annotate({ description: "Length of a period: day (default) or week", default: "day" }).pipe(
      Schema.withDecodingDefaultKey(Effect.succeed("day" as const))
    )
  }),
  output: Schema.Struct({ stats: MissionStatistics }),
  outputNotes: [
    "Without from and to, leads, contacted and replied are those of mission.get.",
    "A rate is null when there is nothing to divide by."
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
      return yield* fail("INVALID_INPUT", "from must be before to. Swap them, or leave one out.")
    }
    const { organizationId } = yield* Actor
    const window = { from, to, unit: group_by }
    const activity = yield* (yield* MissionReportRepo).activity(organizationId, mission_id, window)
    if (activity === undefined) return yield* notFound("mission", mission_id)
    const { isCut, stats } = statisticsOf(activity, window)
    if (isCut)
      yield* warn(`series_cut: the series holds the latest ${mostPeriods} periods; narrow it with from and to.`)
    return { stats }
  })
})
