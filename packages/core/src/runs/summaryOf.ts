/** What is said of changes that were undone, and of those that stay. */
import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"
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
