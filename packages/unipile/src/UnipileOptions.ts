/**
 * How to reach the provider, and how long to wait for it.
 *
 * Source: contract 3 (`SVC_UNIPILE_DSN`, `SVC_UNIPILE_API_KEY`) and 7 "Sending".
 */
import type * as Redacted from "effect/Redacted"

/** Milliseconds for one request of each sort, the whole answer included. */
export interface UnipileTimeouts {
  readonly read: number
  readonly write: number
  readonly search: number
  /** Pauses before the first and the second repetition of a read. */
  readonly pauses: readonly [first: number, second: number]
}

/** Settings of the adapter. `dsn` is checked when the layer is built; the key is shown nowhere. */
export interface UnipileOptions {
  readonly dsn: string
  readonly apiKey: Redacted.Redacted
  readonly timeouts?: Partial<UnipileTimeouts>
}

/** What holds when nothing is said: within the time that the sender of the queue waits. */
export const usualTimeouts: UnipileTimeouts = { read: 6_000, write: 14_000, search: 30_000, pauses: [200, 800] }
