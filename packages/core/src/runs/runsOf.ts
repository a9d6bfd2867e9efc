/** Runs of agents: commands of one key that follow each other. */
import type { KeyId } from "../kernel/schema/RecordIds.ts"
import type { Activity } from "./RunsRepo.ts"

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
