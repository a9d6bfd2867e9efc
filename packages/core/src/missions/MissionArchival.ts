/**
 * The archiving of a mission and its queued messages: a port.
 *
 * Drafts and the queue belong to a later room, which implements this.
 */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Execution } from "../kernel/command/Execution.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { MissionId, OrganizationId } from "../kernel/schema/RecordIds.ts"

/** Runs inside the transaction of the archiving, and emits events for its changes. */
export class MissionArchival extends Context.Service<
  MissionArchival,
  {
    /**
     * Called when a mission is archived: cancels unsent messages with `reason` and returns approved drafts to review.
     * Drafts under review stay.
     */
    readonly onArchived: (
      organizationId: OrganizationId,
      missionId: MissionId,
      reason: string
    ) => Effect.Effect<void, StoreFailure, Execution>
  }
>()("@svc/core/missions/MissionArchival") {}
