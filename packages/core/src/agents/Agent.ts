/**
 * Agents: the personas that write to leads, with their connected e-mail accounts and working hours.
 *
 * The record is the API's closed shape, so it needs no conversion to JSON; {@link AgentRow} adds what else is stored.
 * Unset texts are empty, never null.
 */

import * as Schema from "effect/Schema"
import { compactField, compactItems } from "../kernel/schema/compact.ts"
import { type AgentId, Instant, type InstantText } from "../kernel/schema/IdsAndTime.ts"
import { shorten, shortLength } from "../kernel/schema/TextRules.ts"
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
export const agentOf = (row: AgentRow): Agent => {
  const { id: _id, deletedAt: _deletedAt, ...agent } = row
  return agent
}

/** The content of a stored agent. */
export const contentOf = (row: AgentRow): AgentContent => {
  const {
    id: _id,
    deletedAt: _deleted,
    handle: _handle,
    organizationId: _org,
    createdAt: _created,
    updatedAt: _updated,
    ...content
  } = row
  return content
}

/** The agent's first and last name, as drafts show it. */
export const agentName = (agent: Pick<Agent, "firstName" | "lastName">): string =>
  `${agent.firstName} ${agent.lastName}`.trim()

/** The agent with shorter texts, and a warning if any were cut. */
const compactAgent = (agent: Agent): { readonly output: Agent; readonly warnings: ReadonlyArray<string> } => {
  const cut = agent.emailSignature.length > shortLength || agent.personality.length > shortLength
  return {
    output: {
      ...agent,
      emailSignature: shorten(agent.emailSignature),
      personality: shorten(agent.personality)
    },
    warnings: cut
      ? [`compact: the longest texts of agent ${agent.handle} are shortened; use response_profile full for the rest`]
      : []
  }
}

/** {@link compactAgent} for an output with one agent. */
export const compactOne = compactField("agent", compactAgent)

/** {@link compactAgent} for a page of agents. */
export const compactAgents = compactItems("agents", compactAgent)
