/** `svc report MISSION`: how a mission is doing, in the terminal. Source: issue "svc report MISSION"; contract 2. */
import { type Failure, fail } from "@svc/core/Failure"
import { MissionStatistics } from "@svc/core/missions/MissionStatistics"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { out } from "../Output.ts"
import type { Screen } from "../report/charts.ts"
import { renderReport, renderTsv } from "../report/renderReport.ts"
import type { Reply, Target } from "../Target.ts"
import { noteWarnings, printReply } from "./answer.ts"
import { baseUrl, json, toggle } from "./flags.ts"
import { withTarget } from "./withTarget.ts"

const mission = Argument.String("mission").pipe(
  Argument.withDescription("Handle or id of the mission, such as spring-outreach")
)

const day = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

/** A day stands for its beginning in UTC; everything else goes to the service as it is. */
const instantOf = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)

const screen = (): Screen => ({
  unicode: process.env["TERM"] !== "dumb",
  color: TerminalCapabilities.defaultValue().canColor,
  width: process.stdout.columns ?? 80
})

const Answer = Schema.Struct({ data: Schema.Struct({ stats: MissionStatistics }) })

const statsOf = (reply: Reply): Effect.Effect<MissionStatistics, Failure> =>
  Schema.decodeUnknownEffect(Answer)(reply.body).pipe(
    Effect.map(({ data }) => data.stats),
    Effect.mapError(() =>
      fail("UNAVAILABLE", "The service answered statistics that this svc cannot read. Update svc, or use --json.")
    )
  )

/** `svc report`. */
export const report = Command.make(
  "report",
  {
    mission,
    from: day("from", "Count from this day or instant on, such as 2026-11-01"),
    to: day("to", "Count before this day or instant"),
    groupBy: Flag.Literals("group-by", ["day", "week"]).pipe(
      Flag.withDescription("Length of a period"),
      Flag.withDefault("day")
    ),
    tsv: toggle("tsv", "Print the periods as tab-separated values"),
    baseUrl,
    json
  },
  ({ from, groupBy, mission: mission_id, to, tsv, ...common }) =>
    withTarget(
      common,
      Effect.fnUntraced(function* (target: Target) {
        const input = {
          mission_id,
          group_by: groupBy,
          ...(Option.isSome(from) ? { from: instantOf(from.value) } : {}),
          ...(Option.isSome(to) ? { to: instantOf(to.value) } : {})
        }
        const path = "/api/v1/commands/mission.stats"
        const reply = yield* target.ask({ method: "POST", path, json: JSON.stringify(input) })
        if (common.json || reply.status >= 400) return yield* printReply(reply, common.json)
        const stats = yield* statsOf(reply)
        yield* noteWarnings(reply)
        yield* out(tsv ? renderTsv(stats) : renderReport(stats, screen()))
      })
    )
).pipe(
  Command.withDescription("Show how a mission is doing: funnel, messages, and what happened when"),
  Command.withExamples([
    { command: "svc report spring-outreach", description: "Everything so far" },
    { command: "svc report spring-outreach --from 2026-11-01 --group-by week", description: "Week by week" }
  ])
)
