/** The e-mails of a process: looks again and again for what is due. Source: contract 2 (`svc worker`). */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { dispatchEmails, type EmailNeeds } from "./dispatchEmails.ts"

const round = Effect.catchCause(dispatchEmails(), (cause) => Effect.logError("a round of e-mails failed", cause))

/** Works as long as the layer lives. */
export const layer: Layer.Layer<never, never, EmailNeeds> = Layer.effectDiscard(
  Effect.forkScoped(Effect.repeat(round, Schedule.spaced("1 second")))
)
