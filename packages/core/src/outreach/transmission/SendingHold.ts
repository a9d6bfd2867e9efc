/**
 * Whether this deployment may send at all.
 *
 * A database that was restored, moved or cloned does not know what left after the copy was made, and would send it again.
 * So the database remembers where it lives and when a process last worked on it. What does not match holds everything that
 * would leave until an operator releases it; conversations are read and unknown outcomes settled meanwhile. A process
 * whose clock is wrong holds its own sending: hours, limits and delays would be wrong too.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type StoreFailure, WrongState } from "../../kernel/failure/failures.ts"
import type { InstantText } from "../../kernel/schema/IdsAndTime.ts"

/** Why nothing is sent. */
export type HoldReason = "database_restored" | "no_heartbeat" | "database_moved" | "clock_skew"

/** A hold. `detail` says to an operator what was found and what to do. */
export interface Hold {
  readonly reason: HoldReason
  readonly since: InstantText
  readonly detail: string
}

/** What holds sending, if anything, and when an operator last released it: what is older may have been sent. */
export interface SendingState {
  readonly hold: Hold | undefined
  readonly releasedAt: InstantText | null
}

const free: SendingState = { hold: undefined, releasedAt: null }

/** Reads and releases the hold; a store without copies, such as memory, never holds. */
export const SendingHold = Context.Reference<{
  /** As of the last {@link beat} of this process: a message may rely on it for that long. */
  readonly current: Effect.Effect<SendingState>
  /** Notes that this process works, and finds out what holds sending. */
  readonly beat: Effect.Effect<SendingState, StoreFailure>
  /** Ends the hold of the database. Fails with WRONG_STATE where the database was moved away. */
  readonly release: Effect.Effect<SendingState, StoreFailure | WrongState>
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

/** Whether something from this instant may have left without being recorded, because the database was an older copy. */
export const mayHaveLeft = (from: InstantText): Effect.Effect<boolean> =>
  Effect.map(current, ({ releasedAt }) => releasedAt !== null && from <= releasedAt)
