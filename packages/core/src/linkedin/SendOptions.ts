/**
 * How long sending holds, waits and tries again.
 *
 * Source: contract 7 "Draft-only keys" (hold) and "Sending"; G10.
 */
import * as Context from "effect/Context"
import { isoFromMillis } from "../Time.ts"

/** All of it in seconds. */
export interface SendOptions {
  /** From an approval until the dispatcher takes the draft: time to change one's mind (`SVC_SEND_HOLD_SECONDS`). */
  readonly holdSeconds: number
  /** How long a message waits for a connection before it fails with relation_timeout. */
  readonly relationSeconds: number
  /** After how long a transmission of which nothing was heard counts as unknown. */
  readonly staleSeconds: number
  /** How long the provider may take to say how account and person stand, and to take a write. */
  readonly readSeconds: number
  readonly writeSeconds: number
  /** How long a process that went silent keeps an item from the others; it renews three times as often. */
  readonly leaseSeconds: number
  /**
   * Whether spacing, ramp-up, working hours and usage limits hold (`SVC_LINKEDIN_PACING`). A service turns it on; what is
   * put together without settings is not paced.
   */
  readonly pacing: boolean
}

/** What holds when nothing is configured. */
export const defaultSendOptions: SendOptions = {
  holdSeconds: 10,
  relationSeconds: 21 * 86_400,
  staleSeconds: 90,
  readSeconds: 8,
  writeSeconds: 15,
  leaseSeconds: 15,
  pacing: false
}

/** The running configuration. */
export const SendOptions: Context.Reference<SendOptions> = Context.Reference<SendOptions>(
  "@svc/core/linkedin/SendOptions",
  { defaultValue: () => defaultSendOptions }
)

/** Tries of one message that found the provider unavailable before it is given up: about 12 hours. */
export const mostFailures = 20

const longest = 3_600

const after = (at: string, seconds: number): string => isoFromMillis(Date.parse(at) + seconds * 1_000)

/** When to try again after the given number of failures in a row, or when the provider says. Source: contract 7. */
export const retryAt = (at: string, failures: number, adviceSeconds: number | null): string =>
  after(at, adviceSeconds ?? Math.min(longest, 4 ** Math.min(Math.max(0, failures - 1), 8)))

/** When to try again while another message to the same person is on its way. */
export const retryBusyAt = (at: string): string => after(at, 1)

/** When to look again at an account that is not connected. */
export const retryAccountAt = (at: string): string => after(at, 300)

/** No look is rarer than daily. */
const rarestLook = 86_400

/**
 * When to look again whether a person is connected: soon at first, then rarer and rarer, since each look counts as a visit
 * to the person's profile, and when waiting ends. Who accepts is told by the provider, or seen in the account's list of
 * relations, before that.
 */
export const lookAgainAt = (at: string, waitingSince: string, expiresAt: string): string => {
  const waited = (Date.parse(at) - Date.parse(waitingSince)) / 1_000
  const next = after(at, Math.min(rarestLook, Math.max(2, waited / 2)))
  return next < expiresAt ? next : expiresAt
}

/** When to look first whether a message of unknown outcome is in the conversation, in seconds. */
export const firstLookSeconds = 60

const lastLook = 14 * 86_400

/** When to look again for a message that is unknown since an instant: rarer and rarer; null after two weeks. */
export const lookForUnknownAt = (at: string, since: string): string | null => {
  const waited = (Date.parse(at) - Date.parse(since)) / 1_000
  return waited > lastLook ? null : after(at, Math.min(rarestLook, Math.max(firstLookSeconds, waited)))
}

/** When waiting for a connection ends. */
export const relationDeadline = (at: string, options: SendOptions): string => after(at, options.relationSeconds)

/** An instant some seconds before another. */
export const secondsBefore = (at: string, seconds: number): string => after(at, -seconds)

/** An instant some seconds after another. */
export const secondsAfter = (at: string, seconds: number): string => after(at, seconds)
