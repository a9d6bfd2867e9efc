/** What is said of changes that were undone, and of those that stay. */

import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Execution.ts"
import type { KeyId } from "../kernel/schema/IdsAndTime.ts"
import { type Activity, type Authorship, RunsRepo, type Span } from "./RunsRepo.ts"
import type { Outcome } from "./undoRun.ts"

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

const grouped = <A>(
  all: ReadonlyArray<A>,
  nameOf: (one: A) => string
): ReadonlyArray<readonly [A, ReadonlyArray<A>]> => {
  const groups = new Map<string, [A, ...Array<A>]>()
  for (const one of all) {
    const group = groups.get(nameOf(one))
    if (group === undefined) groups.set(nameOf(one), [one])
    else group.push(one)
  }
  return [...groups.values()].map((group) => [group[0], group])
}

/** Counts and first subjects of what was undone, by kind of change, and of what stays, by reason, with its authors. */
export const summaryOf = Effect.fnUntraced(function* (
  { keyId }: Span,
  outcome: Outcome,
  activities: ReadonlyArray<Activity>
) {
  const { organizationId } = yield* Actor
  const commands = commandsThatStay(activities).map(({ actorKind, commandId, createdAt, userId }) => ({
    reason: "FINAL" as const,
    subject: { type: "command", id: commandId },
    change: undefined,
    name: commandId,
    author: { actor: { kind: actorKind, id: userId }, createdAt }
  }))
  const changes = outcome.kept.map((kept) => ({ ...kept, name: kept.change.type, author: kept.change }))
  const groups = grouped([...changes, ...commands], ({ reason }) => reason)
  const listed = groups.flatMap(([, group]) => group.slice(0, shown).flatMap(({ change }) => change ?? []))
  const previous = yield* (yield* RunsRepo).previous(organizationId, keyId, listed)
  const before = new Map(listed.map(({ id }, index) => [id, previous[index]]))
  return {
    undone: outcome.undone.length,
    undone_changes: grouped(outcome.undone, ({ change }) => change.type).map(([{ change }, group]) => ({
      change: change.type,
      count: group.length,
      subjects: group.slice(0, shown).map(({ subject }) => subject)
    })),
    kept: outcome.kept.length + commands.length,
    kept_because: groups.map(([{ reason }, group]) => ({
      reason,
      count: group.length,
      subjects: group.slice(0, shown).map(({ author, change, name, subject }) => {
        const former = change && before.get(change.id)
        return { ...subject, change: name, author: authorOf(author), former_author: former ? authorOf(former) : null }
      })
    }))
  }
})

/** A pause longer than this ends a run. */
export const pauseMillis = 30 * 60_000

/** The commands of one key without a long pause between them. */
interface AgentRun extends Omit<Activity, "commandId" | "createdAt"> {
  readonly startedAt: string
  readonly endedAt: string
  /** How often each command ran, the most frequent first. */
  readonly commands: ReadonlyArray<{ readonly commandId: string; readonly count: number }>
}

const countsOf = (activities: ReadonlyArray<Activity>): AgentRun["commands"] => {
  const counts = new Map<string, number>()
  for (const { commandId } of activities) counts.set(commandId, (counts.get(commandId) ?? 0) + 1)
  return [...counts]
    .map(([commandId, count]) => ({ commandId, count }))
    .sort((a, b) => b.count - a.count || (a.commandId < b.commandId ? -1 : 1))
}

/** The runs of activities that are given newest first; the run that ended last comes first. */
export const runsOf = (activities: ReadonlyArray<Activity>): ReadonlyArray<AgentRun> => {
  const runs: Array<[Activity, ...Array<Activity>]> = []
  const latest = new Map<KeyId, [Activity, ...Array<Activity>]>()
  for (const activity of activities) {
    const run = latest.get(activity.keyId)
    const next = run?.at(-1)
    if (next !== undefined && Date.parse(next.createdAt) - Date.parse(activity.createdAt) <= pauseMillis) {
      run?.push(activity)
    } else {
      const started: [Activity] = [activity]
      latest.set(activity.keyId, started)
      runs.push(started)
    }
  }
  return runs.map((run) => {
    const [{ actorKind, createdAt: endedAt, keyId, userId }] = run
    return { actorKind, keyId, userId, startedAt: run.at(-1)?.createdAt ?? endedAt, endedAt, commands: countsOf(run) }
  })
}
