/** Delays, timeouts and retries of sending, and what holds all of it. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { keepLease, type Lease } from "../kernel/background/Worker.ts"
import { type StoreEffect, WrongState } from "../kernel/failure/failures.ts"
import { type InstantText, isoFromMillis } from "../kernel/schema/IdsAndTime.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** All of it in seconds. */
export interface SendOptions {
  /** The hold between approval and sending, to change one's mind (`SVC_SEND_HOLD_SECONDS`). */
  readonly holdSeconds: number
  /** How long a message waits for a connection before it fails with relation_timeout. */
  readonly relationSeconds: number
  /** Timeouts of reading a relation from the provider, and of a write. */
  readonly readSeconds: number
  readonly writeSeconds: number
  /** How long a lease lasts; it is renewed three times as often. */
  readonly leaseSeconds: number
  /**
   * Whether spacing, ramp-up, working hours and usage limits apply (`SVC_LINKEDIN_PACING`). The service turns it on; it is
   * off without settings.
   */
  readonly pacing: boolean
}

/** The defaults. */
export const defaultSendOptions: SendOptions = {
  holdSeconds: 10,
  relationSeconds: 21 * 86_400,
  readSeconds: 8,
  writeSeconds: 15,
  leaseSeconds: 15,
  pacing: false
}

/** The running configuration. */
export const SendOptions: Context.Reference<SendOptions> = Context.Reference<SendOptions>(
  "@svc/core/outreach/SendOptions",
  { defaultValue: () => defaultSendOptions }
)

/** Runs an effect while renewing a lease. */
export const keepSending = <A, E, R>(lease: Lease, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(TransmissionsRepo, (repo) =>
    Effect.flatMap(SendOptions, ({ leaseSeconds }) => keepLease(repo, lease, leaseSeconds, effect))
  )

/** Consecutive temporary failures before a transmission fails for good: about 12 hours. */
export const maxFailures = 20

const maxRetrySeconds = 3_600

export const secondsAfter = (at: string, seconds: number): string => isoFromMillis(Date.parse(at) + seconds * 1_000)

/** When to retry after `failures` consecutive failures, or when the provider says. */
export const retryAt = (at: string, failures: number, adviceSeconds: number | null): string =>
  secondsAfter(at, adviceSeconds ?? Math.min(maxRetrySeconds, 4 ** Math.min(Math.max(0, failures - 1), 8)))

/** When to retry while another message to the same person is being sent. */
export const retryBusyAt = (at: string): string => secondsAfter(at, 1)

/** When to retry with an account that is not connected. */
export const retryAccountAt = (at: string): string => secondsAfter(at, 300)

/** Checks happen at least daily. */
const maxIntervalSeconds = 86_400

/**
 * When to recheck whether a person is connected: soon at first, then less and less often, as each check counts as a profile
 * view, and when waiting ends. Usually a webhook or a poll reports the connection earlier.
 */
export const recheckRelationAt = (at: string, waitingSince: string, expiresAt: InstantText): string => {
  const waited = (Date.parse(at) - Date.parse(waitingSince)) / 1_000
  const next = secondsAfter(at, Math.min(maxIntervalSeconds, Math.max(2, waited / 2)))
  return next < expiresAt ? next : expiresAt
}

/** Seconds until the first lookup of an unknown outcome. */
export const firstLookupSeconds = 60

const lookupPeriodSeconds = 14 * 86_400

/** When to look up a message again that is unknown since `since`: less and less often; null after two weeks. */
export const nextLookupAt = (at: string, since: string): string | null => {
  const waited = (Date.parse(at) - Date.parse(since)) / 1_000
  return waited > lookupPeriodSeconds
    ? null
    : secondsAfter(at, Math.min(maxIntervalSeconds, Math.max(firstLookupSeconds, waited)))
}

/** When waiting for a connection ends. */
export const relationDeadline = (at: string, options: SendOptions): string => secondsAfter(at, options.relationSeconds)

export const secondsBefore = (at: string, seconds: number): string => secondsAfter(at, -seconds)

/** Why nothing is sent. */
export type HoldReason = "database_restored" | "failover" | "no_heartbeat" | "database_moved" | "clock_skew"

/** A hold. `detail` says to an operator what was found and what to do. */
export interface Hold {
  readonly reason: HoldReason
  readonly since: InstantText
  readonly detail: string
}

/**
 * What holds sending, if anything, and when it was last released: what is older may have been sent. `failedOverAt` is set when a
 * failover was the reason.
 */
export interface SendingState {
  readonly hold: Hold | undefined
  readonly releasedAt: InstantText | null
  readonly failedOverAt: InstantText | null
}

const free: SendingState = { hold: undefined, releasedAt: null, failedOverAt: null }

const resumed =
  "The database failed over to another server. Messages are sent after a look at their conversations; e-mails that may have " +
  "been sent without a record return to review."

/** Says that sending goes on after a failover; undefined if there was none. */
export const resumedAfter = ({ failedOverAt, hold }: SendingState) =>
  hold !== undefined || failedOverAt === null ? undefined : { reason: "failover", since: failedOverAt, detail: resumed }

/** Reads and releases the hold; a store without copies, such as memory, never holds. */
export const SendingHold = Context.Reference<{
  /** As of the last {@link beat} of this process: a message may rely on it for that long. */
  readonly current: Effect.Effect<SendingState>
  /** Notes that this process works, and finds out what holds sending. */
  readonly beat: StoreEffect<SendingState>
  /** Ends the hold of the database. Fails with WRONG_STATE where the database was moved away. */
  readonly release: StoreEffect<SendingState, WrongState>
}>("@svc/core/outreach/SendingHold", {
  defaultValue: () => ({
    current: Effect.succeed(free),
    beat: Effect.succeed(free),
    release: Effect.fail(new WrongState({ message: "Nothing is held. There is nothing to release." }))
  })
})

const current = Effect.flatMap(SendingHold, (hold) => hold.current)

/** Whether this process must not send now. */
export const isSendingHeld: Effect.Effect<boolean> = Effect.map(current, ({ hold }) => hold !== undefined)

/**
 * Whether something from this instant may have left without being recorded, because the database was an older copy. After a
 * failover, that is only what was due before.
 */
export const mayHaveLeft = (from: InstantText, dueAt = from): Effect.Effect<boolean> =>
  Effect.map(
    current,
    ({ failedOverAt, releasedAt }) =>
      releasedAt !== null && from <= releasedAt && (failedOverAt === null || dueAt <= failedOverAt)
  )
