/** Runs of agents: what other parts of core may use. */

import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { Actor, Execution } from "../kernel/command/Execution.ts"
import { changedAt, Instant, isoFromMillis, type KeyId, now } from "../kernel/schema/IdsAndTime.ts"
import { described, isoDateTime } from "../kernel/schema/TextFields.ts"
import { thousands } from "../kernel/schema/TextRules.ts"
import { KeyIdText } from "../workspace/keys/KeyView.ts"
import { type Activity, type Authorship, KeptChangeReason, RunsRepo, type Span } from "./RunsRepo.ts"
import { maxChanges, type Outcome, undoChanges } from "./undoRun.ts"

const defaultDays = 7

/** The most commands that one call looks at. */
const maxActivities = 20_000

/** The most runs of an answer. */
const maxRuns = 50

/** A pause longer than this ends a run. */
export const pauseMillis = 30 * 60_000

/** How often each command ran, the most frequent first. */
const countsOf = (activities: ReadonlyArray<Activity>) =>
  Object.entries(Arr.groupBy(activities, ({ commandId }) => commandId))
    .map(([command_id, { length: count }]) => ({ command_id, count }))
    .sort((a, b) => b.count - a.count || (a.command_id < b.command_id ? -1 : 1))

/**
 * The runs of activities that are given newest first: the commands of one key without a long pause between them. The run that
 * ended last comes first.
 */
export const runsOf = (activities: ReadonlyArray<Activity>) => {
  const runs: Array<Arr.NonEmptyArray<Activity>> = []
  const latest = new Map<KeyId, Arr.NonEmptyArray<Activity>>()
  for (const activity of activities) {
    const run = latest.get(activity.keyId)
    if (run && Date.parse(Arr.lastNonEmpty(run).createdAt) - Date.parse(activity.createdAt) <= pauseMillis) {
      run.push(activity)
      continue
    }
    const started: Arr.NonEmptyArray<Activity> = [activity]
    latest.set(activity.keyId, started)
    runs.push(started)
  }
  return runs.map((run) => ({
    key_id: run[0].keyId,
    user_id: run[0].userId,
    actor_kind: run[0].actorKind,
    started_at: Arr.lastNonEmpty(run).createdAt,
    ended_at: run[0].createdAt,
    commands: countsOf(run)
  }))
}

/** `agent-run.list`: what agents did, run by run. */
const ListRuns = Command.make({
  id: "agent-run.list",
  title: "List runs of agents",
  summary: "List what AI agents did, run by run",
  description:
    "Groups the changes that each AI agent made into runs: commands of one key with less than half an hour between them. Each " +
    "run says when it started and ended and how often it used which command. key_id and started_at are what agent-run.undo " +
    "takes. With key_id, the key of a person or program is listed as well.",
  whenToUse: "To see what an agent has been doing, and to find the run that should be undone.",
  risk: "read",
  scope: "audit:read",
  input: Schema.Struct({
    key_id: Schema.optionalKey(KeyIdText),
    after: Schema.optionalKey(
      described(isoDateTime, `Only what happened from this time on, ISO 8601. Default: ${defaultDays} days ago`)
    ),
    before: Schema.optionalKey(described(isoDateTime, "Only what happened before this time, ISO 8601. Default: now"))
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
      runs: runs.slice(0, maxRuns),
      complete: runs.length <= maxRuns && activities.length < maxActivities
    }
  })
})

/** The most subjects listed for each kind of change, and for each reason. */
const shown = 20

/** Commands whose changes no event tells: settings and access, which the audit log lists. */
export const silent: ReadonlySet<string> = new Set([
  "agent.create",
  "agent.delete",
  "agent.update",
  "key.create",
  "key.revoke",
  "linkedin.account.link",
  "linkedin.account.unlink",
  "linkedin.usage.set-limits",
  "policy.set",
  "webhook.create",
  "webhook.delete",
  "webhook.rotate-secret",
  "webhook.update"
])

/** The commands among some that changed what cannot be undone. */
export const commandsThatStay = (activities: ReadonlyArray<Activity>): ReadonlyArray<Activity> =>
  activities.filter(({ commandId }) => silent.has(commandId))

const authorOf = ({ actor, createdAt }: Authorship) => ({ actor_kind: actor.kind, id: actor.id, at: createdAt })

/** Counts and first subjects of what was undone, by kind of change, and of what stays, by reason, with its authors. */
const summaryOf = Effect.fnUntraced(function* ({ keyId }: Span, outcome: Outcome, activities: ReadonlyArray<Activity>) {
  const { organizationId } = yield* Actor
  const commands = commandsThatStay(activities).map(({ actorKind, commandId, createdAt, userId }) => ({
    reason: "FINAL" as const,
    subject: { type: "command", id: commandId },
    change: undefined,
    name: commandId,
    author: { actor: { kind: actorKind, id: userId }, createdAt }
  }))
  const changes = outcome.kept.map((kept) => ({ ...kept, name: kept.change.type, author: kept.change }))
  const groups = Object.values(Arr.groupBy([...changes, ...commands], ({ reason }) => reason))
  const listed = groups.flatMap((group) => group.slice(0, shown).flatMap(({ change }) => change ?? []))
  const previous = yield* (yield* RunsRepo).previous(organizationId, keyId, listed)
  const before = new Map(listed.map(({ id }, index) => [id, previous[index]]))
  return {
    undone: outcome.undone.length,
    undone_changes: Object.entries(Arr.groupBy(outcome.undone, ({ change }) => change.type)).map(([change, group]) => ({
      change,
      count: group.length,
      subjects: group.slice(0, shown).map(({ subject }) => subject)
    })),
    kept: outcome.kept.length + commands.length,
    kept_because: groups.map((group) => ({
      reason: group[0].reason,
      count: group.length,
      subjects: group.slice(0, shown).map(({ author, change, name, subject }) => {
        const former = change && before.get(change.id)
        return { ...subject, change: name, author: authorOf(author), former_author: former ? authorOf(former) : null }
      })
    }))
  }
})

const Subject = Schema.Struct({ type: Schema.String, id: Schema.String })

const Author = Schema.Struct({
  actor_kind: Schema.Literals(["USER", "AI_AGENT", "SYSTEM"]),
  id: Schema.String,
  at: Instant
})

const KeptSubject = Schema.Struct({
  ...Subject.fields,
  change: Schema.String.annotate({ description: "Event type of the change, such as lead.updated; or the command" }),
  author: Author.annotate({ description: "Who made the change, and when" }),
  former_author: Schema.NullOr(Author).annotate({
    description: "Who changed it last before, and when; null where no such event is kept"
  })
})

const endOfTime = "9999-12-31T23:59:59.999Z"

/** `agent-run.undo`: undoes what a key did. */
const UndoRun = Command.make({
  id: "agent-run.undo",
  title: "Undo an agent's run",
  summary: "Undo what one key added and nobody else touched",
  description:
    "Removes what a key added since a time, the latest first: unsent drafts, emails and invitations are cancelled, approvals " +
    "of unsent drafts and emails return to review, pending approval requests are rejected, leads are taken out of missions, leads, " +
    "offers and missions that the key created and nothing else uses are deleted, and imports are undone. Changed values, such as " +
    "fields and statuses, stay as they are, and so does what somebody else has touched since, what was sent and what protects a " +
    "person from contact. The result counts what stays by reason and lists the first ones with their author and time.",
  whenToUse:
    "When an AI agent did something wrong. Preview it with dry_run first, and revoke the key if it should stop.",
  risk: "approval",
  scope: "admin",
  // Reaches nothing outside; it is written in several transactions, which is what outward commands may do.
  outward: true,
  input: Schema.Struct({
    key_id: KeyIdText,
    since: described(isoDateTime, "Undo what happened from this time on, ISO 8601: started_at of agent-run.list"),
    until: Schema.optionalKey(described(isoDateTime, "Undo only what happened before this time. Default: now"))
  }),
  output: Schema.Struct({
    key_id: Schema.String,
    since: Instant,
    until: Instant,
    undone: Schema.Int.annotate({
      description:
        "Number of changes that were undone, also with what was deleted; one for each thing that they changed"
    }),
    undone_changes: Schema.Array(
      Schema.Struct({
        change: Schema.String.annotate({ description: "Event type of the change, such as lead.created" }),
        count: Schema.Int,
        subjects: Schema.Array(Subject).annotate({ description: "The first 20" })
      })
    ),
    kept: Schema.Int.annotate({ description: "Number of changes that stay" }),
    kept_because: Schema.Array(
      Schema.Struct({
        reason: KeptChangeReason,
        count: Schema.Int,
        subjects: Schema.Array(KeptSubject).annotate({ description: "The first 20" })
      })
    ),
    complete: Schema.Boolean.annotate({
      description: `False after ${thousands(maxChanges)} changes that were undone: call again to continue`
    })
  }),
  failures: [],
  riskNotes: [
    "Deleted leads, offers and missions cannot be restored. Sends nothing, approves nothing and changes no value back.",
    "Interrupted, it leaves what it has undone so far; call it again with the same times."
  ],
  outputNotes: [
    "TOUCHED: somebody else changed or used it since. SENT: it was sent, or may have been. PROTECTED: it ends contact with a " +
      "person. CHANGED_VALUE: it changed what was there before; change it back yourself if it is wrong. IN_USE: something else " +
      "needs it, or stands in the way. GONE: it no longer exists. FINAL: this kind of change cannot be undone."
  ],
  relatedCommands: ["agent-run.list", "import.undo", "audit.list", "key.revoke"],
  examples: [
    { title: "Everything since Monday morning", input: { key_id: "aaaaaaaaaaaa", since: "2026-11-23T08:00:00Z" } }
  ],
  run: Effect.fnUntraced(function* ({ key_id: keyId, since, until: end }) {
    const { finish } = yield* Execution
    const { organizationId } = yield* Actor
    const at = yield* now
    // Without an end, also what servers did whose clocks are ahead.
    const span = { keyId, since, until: end ?? endOfTime }
    const outcome = yield* undoChanges(span)
    const filter = { keyId, after: span.since, before: span.until }
    const activities = yield* (yield* RunsRepo).activity(organizationId, filter, maxChanges)
    const summary = yield* summaryOf(span, outcome, activities)
    return yield* finish(
      Effect.succeed({
        key_id: keyId,
        since: span.since,
        until: end ?? changedAt(at, at),
        ...summary,
        complete: outcome.isComplete
      })
    )
  })
})

/** The commands of this domain. */
export const commands = [ListRuns, UndoRun] as const
