/** Stores the next actions of leads again after a change that concerned many, some of them at a time. */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DueWork } from "../kernel/background/DueWork.ts"
import { eachDue, repeatRound } from "../kernel/background/Worker.ts"
import { now } from "../kernel/schema/IdsAndTime.ts"
import { LeadsRepo } from "./LeadsRepo.ts"

/** What the worker needs. */
export type ActionsNeeds = LeadsRepo | DueWork

/** Runs one round; returns how many batches of leads there were. */
export const keepActions = eachDue(
  "actions",
  {},
  Effect.fnUntraced(function* (organizationId) {
    return (yield* (yield* LeadsRepo).keepActions(organizationId, yield* now)) ? 1 : 0
  })
)

/** Runs as long as the layer. */
export const layer: Layer.Layer<never, never, ActionsNeeds> = Layer.effectDiscard(
  repeatRound("storing next actions", keepActions, "1 second")
)
