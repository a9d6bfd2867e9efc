/** `svc report MISSION`: how a mission is doing, in the terminal. */
import { type Failure, Unavailable } from "@svc/core"
import { MissionStatistics } from "@svc/core/reports"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { targetWithFlags } from "../cliTerms.ts"
import { commandRequest } from "../commandRequest.ts"
import { out } from "../Output.ts"
import type { Screen } from "../report/charts.ts"
import { renderReport, renderTsv } from "../report/renderReport.ts"
import type { Reply, Target } from "../Target.ts"
import { baseUrl, json, optionalText, toggle } from "./flags.ts"
import { noteWarnings, printReply } from "./printReply.ts"
import { withTarget } from "./withTarget.ts"

const mission = Argument.String("mission").pipe(
  Argument.withDescription("Handle or id of the mission, such as spring-outreach")
)

/** A date means its start in UTC. Any other text is sent unchanged. */
const instantOf = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)

const screen = (): Screen => ({
  unicode: process.env["TERM"] !== "dumb",
  color: TerminalCapabilities.defaultValue().canColor,
  width: process.stdout.columns ?? 80
})

const fieldFlags = ["from", "to"].map((name) => ({ name, flag: name }))

const Answer = Schema.Struct({ data: Schema.Struct({ stats: MissionStatistics }) })

const statsOf = (reply: Reply): Effect.Effect<MissionStatistics, Failure> =>
  Schema.decodeUnknownEffect(Answer)(reply.body).pipe(
    Effect.map(({ data }) => data.stats),
    Effect.mapError(
      () =>
        new Unavailable({
          message: "Can't read the statistics returned by the service. Update svc, or use --json."
        })
    )
  )

/** `svc report`. */
export const report = Command.make(
  "report",
  {
    mission,
    from: optionalText("from", "Count from this date or time, such as 2026-11-01"),
    to: optionalText("to", "Count before this date or time"),
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
        const reply = yield* targetWithFlags(target, fieldFlags).send(
          commandRequest("mission.stats", JSON.stringify(input))
        )
        if (common.json || reply.status >= 400) return yield* printReply(reply, common.json)
        const stats = yield* statsOf(reply)
        yield* noteWarnings(reply)
        yield* out(tsv ? renderTsv(stats) : renderReport(stats, screen()))
      })
    )
).pipe(
  Command.withDescription("Show a mission's funnel, messages and activity over time"),
  Command.withExamples([
    { command: "svc report spring-outreach", description: "Everything so far" },
    { command: "svc report spring-outreach --from 2026-11-01 --group-by week", description: "By week" }
  ])
)
