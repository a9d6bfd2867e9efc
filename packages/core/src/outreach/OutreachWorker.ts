/** The worker of a process: sends what is due, looks up unknown outcomes and polls conversations. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { repeatRound } from "../kernel/background/Worker.ts"
import { type PollNeeds, pollInboxes } from "./conversations/pollInboxes.ts"
import { dispatchDue, settleUnknown } from "./transmission/dispatchDue.ts"
import type { DispatchNeeds } from "./transmission/dispatchKind.ts"

/** Intervals of the worker's rounds. */
const sendInterval = "1 second"
const settleInterval = "10 seconds"
const pollInterval = "15 seconds"

/** Options. */
export interface WorkerOptions {
  /** Messages sent concurrently. */
  readonly concurrency: number
}

/** Works for the lifetime of the layer. */
export const layer = (options: WorkerOptions): Layer.Layer<never, never, DispatchNeeds | PollNeeds> =>
  Layer.effectDiscard(
    Effect.all([
      repeatRound("sending", dispatchDue(options), sendInterval),
      repeatRound("settling", settleUnknown(), settleInterval),
      repeatRound("reading inboxes", pollInboxes(), pollInterval)
    ])
  )
