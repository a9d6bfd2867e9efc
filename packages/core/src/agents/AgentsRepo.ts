/** The repository of agents: a port. Every method sees only one organization. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Execution } from "../kernel/command/Execution.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { AgentId, InstantText, OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import type { AgentRow } from "./Agent.ts"
import type { DuplicateEmailAccount } from "./failures.ts"

/** The missions that use an agent and are not archived. */
interface AgentUsage {
  readonly missions: ReadonlyArray<{ readonly id: string; readonly handle: string; readonly status: string }>
}

/**
 * Stores agents. Deleted agents are not found, but their handles stay reserved. Fails with UNAVAILABLE when the store is
 * unreachable.
 */
export class AgentsRepo extends Context.Service<
  AgentsRepo,
  {
    /** An agent by id or handle. */
    readonly find: (
      organizationId: OrganizationId,
      idOrHandle: string
    ) => Effect.Effect<AgentRow | undefined, StoreFailure>
    /** Like `find`, but locks the agent against changes and deletion until the transaction ends. */
    readonly hold: (
      organizationId: OrganizationId,
      idOrHandle: string
    ) => Effect.Effect<AgentRow | undefined, StoreFailure>
    /** Newest first, without deleted agents. */
    readonly list: (organizationId: OrganizationId, page: PageRequest) => Effect.Effect<Page<AgentRow>, StoreFailure>
    /** Which of these addresses, as `emailKey` returns them, belong to other agents. */
    readonly emailHolders: (
      organizationId: OrganizationId,
      emails: ReadonlyArray<string>,
      exceptAgentId: AgentId
    ) => Effect.Effect<ReadonlyArray<{ readonly email: string; readonly handle: string }>, StoreFailure>
    /**
     * Stores a new agent under the first free handle and returns it; undefined if none is free. Fails with
     * DUPLICATE_EMAIL_ACCOUNT if another agent took an address in the meantime.
     */
    readonly insert: (
      agent: AgentRow,
      handles: ReadonlyArray<string>
    ) => Effect.Effect<AgentRow | undefined, StoreFailure | DuplicateEmailAccount>
    /**
     * Replaces an agent; returns false if it changed since `seenUpdatedAt`. Fails with DUPLICATE_EMAIL_ACCOUNT like
     * `insert`.
     */
    readonly replace: (
      agent: AgentRow,
      seenUpdatedAt: InstantText
    ) => Effect.Effect<boolean, StoreFailure | DuplicateEmailAccount>
    /** What uses an agent. */
    readonly usage: (organizationId: OrganizationId, agentId: AgentId) => Effect.Effect<AgentUsage, StoreFailure>
    /**
     * Deletes an agent, frees its e-mail addresses and pauses its active missions, at the instant `at`. Returns the paused
     * missions.
     */
    readonly softDelete: (
      organizationId: OrganizationId,
      agentId: AgentId,
      at: string
    ) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly handle: string }>, StoreFailure>
  }
>()("@svc/core/agents/AgentsRepo") {}

// The deletion of an agent and its queued messages: a port.
//
// The queue belongs to a later room, which implements this.

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
