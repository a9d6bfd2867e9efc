/** The worker of a process: looks again and again for messages that are due, and sends them. Source: contract 2. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { type DispatchNeeds, dispatchDue } from "./sending/dispatchDue.ts"

/** How often the worker looks. */
const interval = "1 second"

const round = Effect.catchCause(dispatchDue(), (cause) => Effect.logError("a round of the worker failed", cause))

/** Works as long as the layer lives. */
export const layer: Layer.Layer<never, never, DispatchNeeds> = Layer.effectDiscard(
  Effect.forkScoped(Effect.repeat(round, Schedule.spaced(interval)))
)
