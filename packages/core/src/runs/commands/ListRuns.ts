import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { isoDateTime } from "../../kernel/schema/TextFields.ts"
import { changedAt, Instant, isoFromMillis, now } from "../../kernel/schema/Time.ts"
import { KeyIdText } from "../../workspace/keys/KeyView.ts"
import { RunsRepo } from "../RunsRepo.ts"
import { runsOf } from "../runsOf.ts"

const defaultDays = 7

/** The most commands that one call looks at. */
const maxActivities = 20_000

/** The most runs of an answer. */
const maxRuns = 50

/** `agent-run.list`: what agents did, run by run. */
export const ListRuns = Command.make({
  id: "agent-run.list",
  title: "List runs of agents",
  summary: "List what AI agents did, run by run",
  description:
    "Groups the changes that each AI agent made into runs: commands of one key with less than half an hour between them. Each " +
    "run says when it started and ended and how often it used which command. key_id and started_at are what agent-run.undo " +
    "takes. With key_id, the key of a person or program is listed as well.",
  whenToUse: "To see what an agent has been doing, and to find the run that should be undone.",
  category: "workspace",
  risk: "read",
  scope: "audit:read",
  input: Schema.Struct({
    key_id: Schema.optionalKey(KeyIdText),
    after: Schema.optionalKey(
      isoDateTime.pipe(
        Schema.annotateEncoded({
          description: `Only what happened from this time on, ISO 8601. Default: ${defaultDays} days ago`
        })
      )
    ),
    before: Schema.optionalKey(
      isoDateTime.pipe(
        Schema.annotateEncoded({ description: "Only what happened before this time, ISO 8601. Default: now" })
      )
    )
  }),
  output: Schema.Struct({
    runs: Schema.Array(
      Schema.Struct({
        key_id: Schema.String,
        user_id: Schema.String,
        actor_kind: Schema.Literals(["USER", "AI_AGENT"]),
        started_at: Instant,
        ended_at: Instant,
        commands: Schema.Array(Schema.Struct({ command_id: Schema.String, count: Schema.Int }))
      })
    ),
    complete: Schema.Boolean.annotate({
      description: "False when there is more: call again with before set to the last started_at"
    })
  }),
  failures: [],
  outputNotes: [
    `The latest run is first; at most ${maxRuns} runs. Only commands that changed something and succeeded count.`
  ],
  relatedCommands: ["agent-run.undo", "audit.list", "key.list"],
  examples: [
    { title: "The last seven days", input: {} },
    { title: "One agent since Monday", input: { key_id: "aaaaaaaaaaaa", after: "2026-11-23T00:00:00Z" } }
  ],
  run: Effect.fnUntraced(function* ({ after, before, key_id: keyId }) {
    const { organizationId } = yield* Actor
    const at = yield* now
    const span = {
      keyId,
      after: after ?? isoFromMillis(Date.parse(at) - defaultDays * 86_400_000),
      before: before ?? changedAt(at, at)
    }
    const activities = yield* (yield* RunsRepo).activity(organizationId, span, maxActivities)
    const runs = runsOf(activities)
    return {
      runs: runs.slice(0, maxRuns).map(({ actorKind, commands, endedAt, keyId: key_id, startedAt, userId }) => ({
        key_id,
        user_id: userId,
        actor_kind: actorKind,
        started_at: startedAt,
        ended_at: endedAt,
        commands: commands.map(({ commandId, count }) => ({ command_id: commandId, count }))
      })),
      complete: runs.length <= maxRuns && activities.length < maxActivities
    }
  })
})
