/** A kind of transmission: what differs between messages, invitations and emails. dispatchKind.ts does the rest. */
import type * as Effect from "effect/Effect"
import type { Lease } from "../../kernel/background/Lease.ts"
import type { Actor } from "../../kernel/command/Actor.ts"
import type { Execution } from "../../kernel/command/Execution.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import type { Transmission } from "./Transmission.ts"
import type { Due } from "./TransmissionsRepo.ts"

/** A step that runs in its own transaction. */
export type Step<A, R> = Effect.Effect<A, Failure, R | Actor | Execution>

/** Whether to claim: yes, yes as the person is now connected, or no. */
export type Precheck = "claim" | "connected" | "ended"

/** `Claim` is what may be sent, `Outcome` the result of sending, `Found` the result of a lookup. */
export interface TransmissionKind<Claim extends { readonly lease: Lease }, Outcome, Found, R> {
  readonly name: Transmission["kind"]
  /** Asks the provider before a claim, under the lease and outside of any transaction. */
  readonly precheck?: (due: Due) => Effect.Effect<Precheck, Failure, R>
  /** Checks the gate and stores the intent; undefined when it must not be sent, or not now. */
  readonly claim: (due: Due, precheck: Precheck) => Step<Claim | undefined, R>
  /** Sends it to the provider. Never fails: in doubt, the outcome is unknown. */
  readonly transmit: (claim: Claim) => Effect.Effect<Outcome, never, R>
  /** Stores the outcome; returns whether the provider confirmed it. */
  readonly record: (claim: Claim, outcome: Outcome) => Step<boolean, R>
  /** Its process stopped: it may have been sent, so it is never sent again. */
  readonly markLost: (due: Due) => Step<void, R>
  /** Looks up an unknown outcome at the provider; without it, a person settles it. */
  readonly lookup?: (due: Due) => Effect.Effect<Found | undefined, Failure, R>
  /** Settles it by the lookup; returns whether it was sent. */
  readonly settle?: (due: Due, found: Found | undefined) => Step<boolean, R>
}
