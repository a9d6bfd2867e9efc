/** What is said of changes that were undone, and of those that stay. */
import type { Subject } from "../kernel/journal/Event.ts"
import type { KeptChangeReason } from "./KeptChange.ts"
import type { Activity } from "./RunsRepo.ts"
import type { Outcome } from "./undoRun.ts"

/** The most subjects listed for each kind. */
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

/** The commands among some that changed what cannot be undone, as subjects. */
export const commandsThatStay = (activities: ReadonlyArray<Activity>): ReadonlyArray<Subject> =>
  activities.flatMap(({ commandId }) => (silent.has(commandId) ? [{ type: "command", id: commandId }] : []))

const grouped = <Name extends string>(
  all: ReadonlyArray<{ readonly name: Name; readonly subject: Subject }>
): ReadonlyArray<readonly [Name, ReadonlyArray<Subject>]> => {
  const groups = new Map<Name, Array<Subject>>()
  for (const { name, subject } of all) {
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [subject])
    else group.push(subject)
  }
  return [...groups]
}

/** Counts and first subjects of what was undone, by kind of change, and of what stays, by reason. */
export const summaryOf = (outcomes: ReadonlyArray<Outcome>, commands: ReadonlyArray<Subject>) => {
  const undone = outcomes.flatMap(({ change, undone: subjects }) =>
    subjects.map((subject) => ({ name: change.type, subject }))
  )
  const kept = [
    ...outcomes.flatMap(({ kept: those }) => those.map(({ reason, subject }) => ({ name: reason, subject }))),
    ...commands.map((subject) => ({ name: "FINAL" as KeptChangeReason, subject }))
  ]
  return {
    undone: undone.length,
    undone_changes: grouped(undone).map(([change, subjects]) => ({
      change,
      count: subjects.length,
      subjects: subjects.slice(0, shown)
    })),
    kept: kept.length,
    kept_because: grouped(kept).map(([reason, subjects]) => ({
      reason,
      count: subjects.length,
      subjects: subjects.slice(0, shown)
    }))
  }
}
