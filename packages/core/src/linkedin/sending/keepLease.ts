/** Keeping an item while it is worked on, however long that takes. Source: reliability research, threat 1. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type { Failure } from "../../Failure.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { SendOptions } from "../SendOptions.ts"

/**
 * Runs an effect and renews a lease meanwhile, three times as often as it would end. A store that does not answer is asked
 * again the next time; when the lease is lost all the same, the fence keeps the outcome out.
 */
export const keepLeased = <A, E, R>(
  renew: (leaseSeconds: number) => Effect.Effect<boolean, Failure>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const { leaseSeconds } = yield* SendOptions
    const pause = `${Math.ceil((leaseSeconds * 1_000) / 3)} millis` as const
    const renewing = Effect.ignore(renew(leaseSeconds))
    const beat = yield* Effect.forkChild(Effect.delay(Effect.repeat(renewing, Schedule.spaced(pause)), pause))
    return yield* Effect.ensuring(effect, Fiber.interrupt(beat))
  })

/** As {@link keepLeased}, with the lease of a queue item. */
export const keepLease = <A, E, R>(
  held: { readonly organizationId: string; readonly itemId: string; readonly fence: number },
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | QueueRepo> =>
  Effect.flatMap(QueueRepo, (queue) =>
    keepLeased((seconds) => queue.renew(held.organizationId, held.itemId, held.fence, seconds), effect)
  )
