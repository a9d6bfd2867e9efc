/** The commands that read across the other rooms. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { dayMillis } from "../agents/ZonedTime.ts"
import * as Command from "../kernel/command/Command.ts"
import { Actor, warn } from "../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../kernel/failure/failures.ts"
import { compacted } from "../kernel/schema/compact.ts"
import { isoFromMillis, now } from "../kernel/schema/IdsAndTime.ts"
import { Limit } from "../kernel/schema/Page.ts"
import { snakeKeys } from "../kernel/schema/snakeCase.ts"
import { dateTime, formatted } from "../kernel/schema/TextFields.ts"
import { ShownFollowUp, shownFollowUp } from "../leads/followUp.ts"
import { LeadStatus } from "../leads/LeadStatus.ts"
import { ActionKind, actionReason, staleDays } from "../leads/NextAction.ts"
import { MissionIdText } from "../missions/MissionInput.ts"
import { refuseUnknownMission } from "../missions/MissionsRepo.ts"
import { ReportsRepo, type WaitingLead } from "./ReportsRepo.ts"
import * as Statistics from "./statistics/MissionStatistics.ts"

/** Periods in the compact profile. */
const kept = 30

/** `mission.stats`: the statistics of a mission, in total and over time. */
export const ReadMissionStats = Command.make({
  id: "mission.stats",
  title: "Mission statistics",
  summary: "Get a mission's statistics in total and over time",
  description:
    "Returns the number of leads added, contacted, replied, positive and with a meeting; invitations and messages; " +
    "drafts by status; in total and per period. from and to restrict the time range. Leads count by their current " +
    "status, at the time they reached it; who opted out counts by the status before. Days are UTC; weeks start on " +
    "Monday. what_works compares the mission's messages by step, variation and writer.",
  whenToUse: "To report on a mission, or to see whether a change of the brief made a difference.",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({
    mission_id: MissionIdText,
    from: Schema.optionalKey(dateTime("Count from this time; omit for the beginning")),
    to: Schema.optionalKey(dateTime("Count before this time; omit for now")),
    group_by: Statistics.PeriodUnit.annotate({
      description: "Length of a period: day (default) or week",
      default: "day"
    }).pipe(Schema.withDecodingDefaultKey(Effect.succeed("day" as const)))
  }),
  output: Schema.Struct({ stats: Statistics.MissionStatistics }),
  failures: [NotFound],
  outputNotes: [
    "Without from and to, leads, contacted and replied equal those of mission.get.",
    "A rate is null if its denominator is 0."
  ],
  relatedCommands: ["mission.get", "mission.next-actions", "mission.list"],
  relatedResources: ["svc://missions/{handle}", "svc://actions/today"],
  examples: [
    { title: "Everything, day by day", input: { mission_id: "spring-outreach" } },
    { title: "Week by week", input: { mission_id: "spring-outreach", from: "2026-10-01T00:00:00Z", group_by: "week" } }
  ],
  compact: ({ stats }) =>
    compacted(
      { stats: { ...stats, series: stats.series.slice(-kept) } },
      stats.series.length > kept,
      `the series holds only the latest ${kept} periods; use response_profile full for the rest`
    ),
  run: Effect.fnUntraced(function* ({ from, group_by, mission_id, to }) {
    if (from !== undefined && to !== undefined && from >= to) {
      return yield* new InvalidInput({ message: "from must be before to. Swap them, or leave one out." })
    }
    const { organizationId } = yield* Actor
    const window = { from, to, unit: group_by, asksWhatWorks: true }
    const [activity] = yield* (yield* ReportsRepo).missionActivity(organizationId, mission_id, window)
    if (activity === undefined) return yield* new NotFound({ kind: "mission", id: mission_id })
    const { isCut, stats } = Statistics.statisticsOf(activity, window)
    if (isCut)
      yield* warn(
        `series_cut: the series holds the latest ${Statistics.maxPeriods} periods; narrow it with from and to.`
      )
    return { stats }
  })
})

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
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({
    from: date("First day in UTC; default 29 days before the last"),
    to: date("Last day in UTC; default today"),
    mission_id: Schema.optionalKey(MissionIdText.annotate({ description: "Only this mission, by id or handle" }))
  }),
  output: Statistics.MissionActivityReport,
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
    return Statistics.activityReportOf(activities, Statistics.dateOf(first), Statistics.dateOf(last))
  })
})

const text = Schema.String

/** One thing to do. */
const NextAction = Schema.Struct({
  lead_id: text,
  kind: ActionKind,
  why: text,
  name: text,
  job_title: text,
  company: text,
  status: LeadStatus,
  score: Schema.Finite,
  follow_up: Schema.NullOr(ShownFollowUp).annotate({ description: "The step to write, if kind is follow_up_due" }),
  draft_id: Schema.NullOr(text).annotate({ description: "The lead's open draft" }),
  mission: Schema.NullOr(Schema.Struct({ mission_id: text, handle: text, name: text }))
})

const actionOf = ({ action, followUp, id, mission, ...lead }: WaitingLead): typeof NextAction.Type => ({
  lead_id: id,
  kind: action,
  why: actionReason(action),
  ...snakeKeys(lead),
  follow_up: shownFollowUp(followUp),
  mission: mission && { mission_id: mission.id, handle: mission.handle, name: mission.name }
})

/** `mission.next-actions`: the work list, most urgent first. */
export const ListNextActions = Command.make({
  id: "mission.next-actions",
  title: "Next actions",
  summary: "List leads with a pending action, most urgent first",
  description:
    "Returns the daily work list of one mission or of the whole workspace: leads who wrote last, sends of unknown " +
    "outcome, rewrites that a reviewer asked for, drafts to review, follow-ups that are due, accepted invitations, and leads of a mission who were not contacted yet, lack " +
    `profile data, or have not replied for ${staleDays} days. Within a kind, the best score comes first. There is ` +
    "only one page: completing the first items makes room for the next.",
  whenToUse: "At the start of a working session, and after each batch, to see what comes next.",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({
    mission_id: Schema.optionalKey(
      MissionIdText.annotate({ description: "Id or handle of one mission; omit for all leads" })
    ),
    limit: Limit
  }),
  output: Schema.Struct({ actions: Schema.Array(NextAction) }),
  failures: [NotFound],
  outputNotes: [
    "mission is the one you asked for, otherwise the open mission that the lead was added to last.",
    "Suppressed leads are never listed.",
    "Leads of archived and completed missions only are listed if they wrote last or a send has an unknown outcome."
  ],
  relatedCommands: ["lead.get", "linkedin.draft.create", "linkedin.draft.approve", "lead.search"],
  relatedResources: ["svc://actions/today", "svc://prospects/{id}"],
  examples: [{ title: "The next ten of all missions", input: { limit: 10 } }],
  run: Effect.fnUntraced(function* ({ limit, mission_id }) {
    const { organizationId } = yield* Actor
    const leads = yield* (yield* ReportsRepo).nextActions(organizationId, mission_id, limit, yield* now)
    yield* refuseUnknownMission(mission_id, leads)
    return { actions: leads.map(actionOf) }
  })
})
