/** Agents of organizations: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { AgentRow } from "./Agent.ts"

/** What keeps an agent from being deleted: missions that are not archived. */
export interface AgentUsage {
  readonly missions: ReadonlyArray<{ readonly id: string; readonly handle: string; readonly status: string }>
}

/**
 * Stores agents. Deleted agents are not found, but keep their handle, which no other agent gets. Fails with UNAVAILABLE
 * when the store cannot be reached. Source: G32.
 */
export class AgentsRepo extends Context.Service<
  AgentsRepo,
  {
    /** A live agent by its id or its handle. */
    readonly find: (organizationId: string, idOrHandle: string) => Effect.Effect<AgentRow | undefined, Failure>
    /** As `find`, and keeps the agent from being changed or deleted by others until the transaction ends. */
    readonly hold: (organizationId: string, idOrHandle: string) => Effect.Effect<AgentRow | undefined, Failure>
    /** Live agents, newest first. */
    readonly list: (organizationId: string, page: PageRequest) => Effect.Effect<Page<AgentRow>, Failure>
    /** Which of these addresses (in the form of `emailKey`) belongs to which other live agent. */
    readonly emailHolders: (
      organizationId: string,
      emails: ReadonlyArray<string>,
      exceptAgentId: string
    ) => Effect.Effect<ReadonlyArray<{ readonly email: string; readonly handle: string }>, Failure>
    /**
     * Stores a new agent under the first of `handles` that is free, and answers it as stored; undefined when none is
     * free. Fails with DUPLICATE_EMAIL_ACCOUNT when another agent took an address meanwhile.
     */
    readonly insert: (agent: AgentRow, handles: ReadonlyArray<string>) => Effect.Effect<AgentRow | undefined, Failure>
    /**
     * Replaces a live agent, unless it changed since `seenUpdatedAt`: answers false then. Fails with
     * DUPLICATE_EMAIL_ACCOUNT as `insert` does.
     */
    readonly replace: (agent: AgentRow, seenUpdatedAt: string) => Effect.Effect<boolean, Failure>
    /** What uses a live agent. */
    readonly usage: (organizationId: string, agentId: string) => Effect.Effect<AgentUsage, Failure>
    /**
     * Deletes a live agent for good, frees its e-mail addresses and pauses its active missions, all at the instant `at`.
     * Answers the missions that were paused.
     */
    readonly softDelete: (
      organizationId: string,
      agentId: string,
      at: string
    ) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly handle: string }>, Failure>
  }
>()("@svc/core/agents/AgentsRepo") {}
