/** Whether a database may be an older copy of itself, decided from what a process finds in it. */
import type { HoldReason } from "./SendOptions.ts"

/** What sending does after a failover (`SVC_ON_FAILOVER`). */
export type OnFailover = "resume" | "hold"

/** What a process finds. Instants are in milliseconds, by the clock of the database. */
export interface DatabaseFacts {
  readonly heldFor: HoldReason | null
  /** Another transaction wrote the heartbeat than the one that it names, as a restored dump does. */
  readonly isRewritten: boolean
  /** Another server, database or folder than that of the heartbeat. */
  readonly isElsewhere: boolean
  /** The server was promoted, or recovered from a backup, since the heartbeat. */
  readonly isNewTimeline: boolean
  readonly heartbeatAt: number
  readonly now: number
  /** When the server started; undefined for an embedded database. */
  readonly startedAt: number | undefined
  /** Whether the server was not shut down before it started: it crashed, or its files are a backup. */
  readonly isRecovered: boolean
  /** The last heartbeat that this process wrote or saw; undefined for its first one. */
  readonly seenAt: number | undefined
}

/** How long a failover may take. A standby that follows with a delay is an older copy. */
const maxFailoverMillis = 15 * 60_000

/** How long a crashed server may be down. Backups that are started in its place are older. */
const maxCrashMillis = 5 * 60_000

/**
 * Why sending is held, null when it is not, or `resume` when it was interrupted by a failover and goes on.
 *
 * A standby has received a heartbeat after it started, while a backup holds older ones only. A backup that is started in the place
 * of its server without `recovery.signal` has the same identity and timeline: it is told by a heartbeat that is older than
 * one that this process has seen, or than a crash explains.
 */
export const decideHold = (
  facts: DatabaseFacts,
  gapSeconds: number,
  onFailover: OnFailover
): HoldReason | "resume" | null => {
  const { heartbeatAt, heldFor, now, seenAt = heartbeatAt, startedAt = heartbeatAt } = facts
  const gap = gapSeconds === 0 ? Number.POSITIVE_INFINITY : gapSeconds * 1_000
  if (heldFor !== null) return heldFor
  if (facts.isRewritten || facts.isElsewhere) return "database_restored"
  if (facts.isNewTimeline) {
    if (heartbeatAt <= startedAt || now - heartbeatAt > maxFailoverMillis) return "database_restored"
    return onFailover === "resume" ? "resume" : "failover"
  }
  if (heartbeatAt < seenAt) return "database_restored"
  if (facts.isRecovered && gap < Number.POSITIVE_INFINITY && startedAt - heartbeatAt > maxCrashMillis) {
    return "database_restored"
  }
  return now - heartbeatAt > gap ? "no_heartbeat" : null
}
