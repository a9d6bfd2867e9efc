/** Keeping an item while it is worked on, however long that takes. Source: reliability research, threat 1. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { QueueRepo } from "../QueueRepo.ts"
import { SendOptions } from "../SendOptions.ts"

/**
 * Runs an effect and renews the lease of an item meanwhile, three times as often as it would end. A store that does not
 * answer is asked again the next time; when the lease is lost all the same, the fence keeps the outcome out.
 */
export const keepLease = <A, E, R>(
  held: { readonly organizationId: string; readonly itemId: string; readonly fence: number },
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | QueueRepo> =>
  Effect.gen(function* () {
    const queue = yield* QueueRepo
    const { leaseSeconds } = yield* SendOptions
    const pause = `${Math.ceil((leaseSeconds * 1_000) / 3)} millis` as const
    const renew = Effect.ignore(queue.renew(held.organizationId, held.itemId, held.fence, leaseSeconds))
    const beat = yield* Effect.forkChild(Effect.delay(Effect.repeat(renew, Schedule.spaced(pause)), pause))
    return yield* Effect.ensuring(effect, Fiber.interrupt(beat))
  })
