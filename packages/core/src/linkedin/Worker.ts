/**
 * The worker of a process: looks again and again for messages that are due, and sends them, and for messages of unknown
 * outcome, and reads whether they were sent; and reads what came in. Source: contract 2 and 3 (`SVC_WORKERS`).
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { Failure } from "../Failure.ts"
import { type PollNeeds, pollInboxes } from "./inbound/pollInboxes.ts"
import { dispatchDue } from "./sending/dispatchDue.ts"
import { type ReconcileNeeds, reconcileUnknown } from "./sending/reconcileUnknown.ts"

/** How often the worker looks for what is due, for what is unknown, and for accounts whose conversations are to be read. */
const sendInterval = "1 second"
const reconcileInterval = "10 seconds"
const pollInterval = "15 seconds"

const again = <R>(round: Effect.Effect<unknown, Failure, R>, interval: Duration.Input) =>
  Effect.forkScoped(
    Effect.repeat(
      Effect.catchCause(round, (cause) => Effect.logError("a round of the worker failed", cause)),
      Schedule.spaced(interval)
    )
  )

/** How a process works. */
export interface WorkerOptions {
  /** Messages that are worked on at the same time. */
  readonly concurrency: number
}

/** Works as long as the layer lives. */
export const layer = (options: WorkerOptions): Layer.Layer<never, never, ReconcileNeeds | PollNeeds> =>
  Layer.effectDiscard(
    Effect.all([
      again(dispatchDue(options), sendInterval),
      again(reconcileUnknown(), reconcileInterval),
      again(pollInboxes(), pollInterval)
    ])
  )
