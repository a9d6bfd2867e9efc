/**
 * The delivery loop of a process, with several requests at a time.
 *
 * A receiver that hangs only uses up its own few slots.
 */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { createDeliveries, type DeliveryNeeds, deliverOrLog, leaseDue, maxConcurrent } from "./deliveryRounds.ts"

/** Interval of rounds while no request ends. */
const interval = "1 second"

/** Runs as long as the layer. */
export const layer: Layer.Layer<never, never, DeliveryNeeds> = Layer.effectDiscard(
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    // Signals that requests ended, however many.
    const ended = yield* Queue.sliding<void>(1)
    let running = 0
    let createdAt = 0
    const round = Effect.gen(function* () {
      // A round follows every request that ends; new events are read at most once a second, unless there are more of them.
      const at = yield* Clock.currentTimeMillis
      if (Math.abs(at - createdAt) >= 1_000) createdAt = (yield* createDeliveries()) > 0 ? 0 : at
      const leased = running < maxConcurrent.perProcess ? yield* leaseDue(maxConcurrent.perProcess - running) : []
      for (const delivery of leased) {
        running++
        const release = Effect.sync(() => {
          running--
          Queue.offerUnsafe(ended, undefined)
        })
        yield* Effect.forkIn(Effect.ensuring(deliverOrLog(delivery), release), scope)
      }
    })
    const safeRound = Effect.catchCause(round, (cause) => Effect.logError("A round of deliveries failed", cause))
    yield* Effect.forkScoped(
      Effect.forever(Effect.andThen(safeRound, Effect.timeoutOption(Queue.take(ended), interval)))
    )
  })
)
