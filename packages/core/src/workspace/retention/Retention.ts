/** What is deleted when it is older than an operator wants to keep it. */
import * as Context from "effect/Context"

/**
 * What has an age. `idempotency`: stored results of requests, since they were made. `deliveries`: finished deliveries of
 * webhooks. `events`: numbered events, oldest first; an active webhook's next event and the latest one of an organization
 * stay. `importRows`: rows of imports that have not changed since.
 */
export const retentionKinds = ["idempotency", "deliveries", "events", "importRows"] as const

/** A kind of row that has an age. */
export type RetentionKind = (typeof retentionKinds)[number]

/**
 * What is deleted. `sessions`: those of the review page and links to it, since they expired or were revoked. `mails`: that a mail
 * was taken in.
 */
export type DeletedKind = RetentionKind | "mails" | "sessions"

/** Days of those that no operator sets: an ended session stays listed, and a mail that comes again is known. */
export const fixedDays = { mails: 90, sessions: 1 } as const

/** How many days each kind, and sealed audit rows, are kept; 0 is forever. */
export type RetentionDays = Readonly<Record<RetentionKind | "audit", number>>

/** The ages of a process. */
export const Retention = Context.Reference<RetentionDays>("@svc/core/workspace/Retention", {
  defaultValue: () => ({ idempotency: 7, deliveries: 30, events: 0, importRows: 180, audit: 0 })
})

/** What one call deleted, and whether older rows may be left. */
export interface Deleted {
  readonly count: number
  readonly isMore: boolean
}
