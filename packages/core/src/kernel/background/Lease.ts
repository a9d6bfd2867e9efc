/**
 * Leases: only one process at a time works on a record.
 *
 * Leasing a record raises its fence, so a write by an earlier holder has no effect. A holder renews its lease while it
 * works; when a process dies, its leases expire. Leases are timed by the database's clock, so a wrong process clock
 * cannot steal one.
 */

import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type { StoreFailure } from "../failure/failures.ts"
import type { OrganizationId } from "../schema/IdsAndTime.ts"

/** A leased record. `fence` tells this lease from any later one. */
export interface Lease {
  readonly organizationId: OrganizationId
  readonly id: string
  readonly fence: number
}

/** What to lease, and for how long. `now` is ISO 8601; without `organizationId` every organization is searched. */
export interface LeaseRequest {
  readonly organizationId: OrganizationId | undefined
  readonly now: string
  readonly leaseSeconds: number
  readonly limit: number
}

/** A store that leases records. */
export interface Leases {
  /** Renews a lease; returns false if it is lost. */
  readonly renew: (lease: Lease, leaseSeconds: number) => Effect.Effect<boolean, StoreFailure>
}

/**
 * Runs an effect while renewing its lease three times per lease period. A renewal that fails is tried again next time;
 * if the lease is lost anyway, the fence rejects the outcome.
 */
export const keepLease = <A, E, R>(
  leases: Leases,
  lease: Lease,
  leaseSeconds: number,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const pause = `${Math.ceil((leaseSeconds * 1_000) / 3)} millis` as const
    const renewing = Effect.ignore(leases.renew(lease, leaseSeconds))
    const heartbeat = yield* Effect.forkChild(Effect.delay(Effect.repeat(renewing, Schedule.spaced(pause)), pause))
    return yield* Effect.ensuring(effect, Fiber.interrupt(heartbeat))
  })
