/** Options of the adapter. */
import type * as Redacted from "effect/Redacted"

/** Timeouts in milliseconds for one request, including its whole response. */
export interface UnipileTimeouts {
  readonly read: number
  readonly write: number
  readonly search: number
  /** Pauses before the first and the second retry of a read. */
  readonly pauses: readonly [first: number, second: number]
}

/** `dsn` is checked when the layer is built. */
export interface UnipileOptions {
  readonly dsn: string
  readonly apiKey: Redacted.Redacted
  readonly timeouts?: Partial<UnipileTimeouts>
}

/** Shorter than the sending queue waits. */
export const defaultTimeouts: UnipileTimeouts = { read: 6_000, write: 14_000, search: 30_000, pauses: [200, 800] }
