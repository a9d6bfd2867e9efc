/**
 * Agents: the personas that write to leads, with their connected e-mail accounts and working hours.
 *
 * The record is the API's closed shape, so it needs no conversion to JSON; {@link AgentRow} adds what else is stored.
 * Unset texts are empty, never null.
 */

import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { Execution } from "../kernel/command/Execution.ts"
import type { StoreEffect, StoreMethod } from "../kernel/failure/failures.ts"
import { compacted, compactField, compactItems } from "../kernel/schema/compact.ts"
import { type AgentId, Instant, type InstantText } from "../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import { shorten, shortLength } from "../kernel/schema/TextRules.ts"
import type { DuplicateEmailAccount } from "./failures.ts"
import { WorkingHours } from "./WorkingHours.ts"

/** The provider of an e-mail account. */
export const EmailProvider = Schema.Literals(["GOOGLE", "OUTLOOK", "IMAP", "SMTP"])

/** An e-mail account that an agent sends from. */
export const EmailAccount = Schema.Struct({ provider: EmailProvider, email: Schema.String })

/** An e-mail account that an agent sends from. `email` is the address as it is written to. */
export type EmailAccount = typeof EmailAccount.Type

const text = Schema.String

/** A sender persona. */
export const Agent = Schema.Struct({
  handle: text,
  organizationId: text,
  firstName: text,
  lastName: text,
  jobTitle: text,
  avatarUrl: text,
  linkedinUrl: text,
  emailSignature: text,
  calendarUrl: text,
  timezone: text,
  workingHours: WorkingHours,
  personality: text,
  company: text,
  smartDeliverability: Schema.Boolean,
  emailAccounts: Schema.Array(EmailAccount),
  createdAt: Instant,
  updatedAt: Instant
})

/** A sender persona. */
export type Agent = typeof Agent.Type

/** The part of an agent that callers set: all but handle, organization and instants. */
export type AgentContent = Omit<Agent, "handle" | "organizationId" | "createdAt" | "updatedAt">

/** An agent as stored. A deleted agent has `deletedAt`; drafts still show it. */
export interface AgentRow extends Agent {
  readonly id: AgentId
  readonly deletedAt: InstantText | null
}

/** The public part of a stored agent. */
export const agentOf = (row: AgentRow): Agent => Struct.omit(row, ["id", "deletedAt"])

/** The content of a stored agent. */
export const contentOf = (row: AgentRow): AgentContent =>
  Struct.omit(row, ["id", "deletedAt", "handle", "organizationId", "createdAt", "updatedAt"])

/** The agent's first and last name, as drafts show it. */
export const agentName = (agent: Pick<Agent, "firstName" | "lastName">): string =>
  `${agent.firstName} ${agent.lastName}`.trim()

/** The agent with shorter texts, and a warning if any were cut. */
const compactAgent = (agent: Agent) =>
  compacted<Agent>(
    { ...agent, emailSignature: shorten(agent.emailSignature), personality: shorten(agent.personality) },
    agent.emailSignature.length > shortLength || agent.personality.length > shortLength,
    `the longest texts of agent ${agent.handle} are shortened; use response_profile full for the rest`
  )

/** {@link compactAgent} for an output with one agent. */
export const compactOne = compactField("agent", compactAgent)

/** {@link compactAgent} for a page of agents. */
export const compactAgents = compactItems("agents", compactAgent)

/**
 * Stores agents. Deleted agents are not found, but their handles stay reserved. Fails with UNAVAILABLE when the store is
 * unreachable.
 */
export class AgentsRepo extends Context.Service<
  AgentsRepo,
  {
    /** An agent by id or handle. */
    readonly find: StoreMethod<[idOrHandle: string], AgentRow | undefined>
    /** Like `find`, but locks the agent against changes and deletion until the transaction ends. */
    readonly hold: StoreMethod<[idOrHandle: string], AgentRow | undefined>
    /** Newest first, without deleted agents. */
    readonly list: StoreMethod<[page: PageRequest], Page<AgentRow>>
    /** Which of these addresses, as `emailKey` returns them, belong to other agents. */
    readonly emailHolders: StoreMethod<
      [emails: ReadonlyArray<string>, exceptAgentId: AgentId],
      ReadonlyArray<{ readonly email: string; readonly handle: string }>
    >
    /**
     * Stores a new agent under the first free handle and returns it; undefined if none is free. Fails with
     * DUPLICATE_EMAIL_ACCOUNT if another agent took an address in the meantime.
     */
    readonly insert: (
      agent: AgentRow,
      handles: ReadonlyArray<string>
    ) => StoreEffect<AgentRow | undefined, DuplicateEmailAccount>
    /**
     * Replaces an agent; returns false if it changed since `seenUpdatedAt`. Fails with DUPLICATE_EMAIL_ACCOUNT like
     * `insert`.
     */
    readonly replace: (agent: AgentRow, seenUpdatedAt: InstantText) => StoreEffect<boolean, DuplicateEmailAccount>
    /** The handles of the missions that use an agent and are not archived, sorted. */
    readonly usedBy: StoreMethod<[agentId: AgentId], ReadonlyArray<string>>
    /**
     * Deletes an agent, frees its e-mail addresses and pauses its active missions, at the instant `at`. Returns the paused
     * missions.
     */
    readonly softDelete: StoreMethod<
      [agentId: AgentId, at: string],
      ReadonlyArray<{ readonly id: string; readonly handle: string }>
    >
  }
>()("@svc/core/agents/AgentsRepo") {}

// What a change of an agent does to its queued messages: a port.
//
// The queue belongs to a later room, which implements this.

/** All methods run inside the transaction of the change; `onDeleted` emits events for its changes. */
export class AgentConsequences extends Context.Service<
  AgentConsequences,
  {
    /** Called when hours, time zone or pace changed: what was held by the former ones is looked at again. */
    readonly onPaceChanged: StoreMethod<[agentId: AgentId], void>
    /** The number of the agent's unsent messages, including those with an unknown outcome. */
    readonly unsent: StoreMethod<[agentId: AgentId], number>
    /** Called when the agent is deleted: cancels what would be sent in its name and frees its LinkedIn account. */
    readonly onDeleted: StoreMethod<[agentId: AgentId], void, never, Execution>
  }
>()("@svc/core/agents/AgentConsequences") {}
