/**
 * The deletion of an agent and its queued messages: a port.
 *
 * The queue belongs to a later room, which implements this.
 */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Execution } from "../kernel/command/Execution.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { AgentId, OrganizationId } from "../kernel/schema/RecordIds.ts"

/** Both methods run inside the transaction of the deletion; `onDeleted` emits events for its changes. */
export class AgentDeletion extends Context.Service<
  AgentDeletion,
  {
    /** The number of the agent's unsent messages, including those with an unknown outcome. */
    readonly unsent: (organizationId: OrganizationId, agentId: AgentId) => Effect.Effect<number, StoreFailure>
    /** Called when the agent is deleted: cancels what would be sent in its name and frees its LinkedIn account. */
    readonly onDeleted: (
      organizationId: OrganizationId,
      agentId: AgentId
    ) => Effect.Effect<void, StoreFailure, Execution>
  }
>()("@svc/core/agents/AgentDeletion") {}
