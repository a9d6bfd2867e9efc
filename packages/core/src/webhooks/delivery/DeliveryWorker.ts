/**
 * The deliveries of a process: looks again and again, and keeps several requests on their way.
 *
 * A receiver that hangs occupies its own few places; rounds go on beside it. Source: contract 2 (`svc worker`).
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import { type DeliveryNeeds, deliverOrLog, mostAtOnce, takeDue } from "./deliverDue.ts"
import { forgetOldDeliveries } from "./forgetOldDeliveries.ts"
import { tellWebhooks } from "./tellWebhooks.ts"

/** How often the worker looks when nothing happens. */
const interval = "1 second"

const forgetting = Effect.catchCause(forgetOldDeliveries, (cause) =>
  Effect.logError("old deliveries were not removed", cause)
)

/** Works as long as the layer lives. */
export const layer: Layer.Layer<never, never, DeliveryNeeds> = Layer.effectDiscard(
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    // Only that something ended is of interest, not how often.
    const ended = yield* Queue.sliding<void>(1)
    let running = 0
    let toldAt = 0
    const round = Effect.gen(function* () {
      // Rounds follow each other as fast as requests end; events are looked for once a second, or until there are no more.
      const at = yield* Clock.currentTimeMillis
      if (Math.abs(at - toldAt) >= 1_000) toldAt = (yield* tellWebhooks()) > 0 ? 0 : at
      const taken = running < mostAtOnce.perProcess ? yield* takeDue(mostAtOnce.perProcess - running) : []
      for (const one of taken) {
        running++
        const leave = Effect.sync(() => {
          running--
          Queue.offerUnsafe(ended, undefined)
        })
        yield* Effect.forkIn(Effect.ensuring(deliverOrLog(one), leave), scope)
      }
    })
    const safely = Effect.catchCause(round, (cause) => Effect.logError("a round of deliveries failed", cause))
    yield* Effect.forkScoped(Effect.repeat(forgetting, Schedule.spaced("1 minute")))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(safely, Effect.timeoutOption(Queue.take(ended), interval))))
  })
)
