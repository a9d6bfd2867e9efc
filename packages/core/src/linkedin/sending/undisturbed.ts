/** Finishing what was begun although the dispatcher stops. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Stopping the dispatcher must not cut off what is on its way. */
export const undisturbed = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDetach(effect), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () => Effect.timeoutOption(Fiber.await(fiber), "8 seconds"))
  )
