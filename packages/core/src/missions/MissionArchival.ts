/**
 * What else depends on a mission that is being archived: the messages waiting to be sent for it.
 *
 * Drafts and queue belong to a later domain, so this is a port that it fills. Source: G1.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Execution } from "../Execution.ts"
import type { Failure } from "../Failure.ts"

/** Runs inside the transaction of the archiving, and states what it changes as events. */
export class MissionArchival extends Context.Service<
  MissionArchival,
  {
    /**
     * The mission was archived: what is not sent yet is cancelled with `reason`, and approved drafts go back to review.
     * Drafts under review stay.
     */
    readonly onArchived: (
      organizationId: string,
      missionId: string,
      reason: string
    ) => Effect.Effect<void, Failure, Execution>
  }
>()("@svc/core/missions/MissionArchival") {}

/** Nothing is ever queued: for a catalogue without sending. */
export const layerNone: Layer.Layer<MissionArchival> = Layer.succeed(MissionArchival, {
  onArchived: () => Effect.void
})
