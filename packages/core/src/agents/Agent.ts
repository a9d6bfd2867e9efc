/**
 * Agents: the personas that write to leads, with their connected e-mail accounts and working hours.
 *
 * The record is the spec's closed shape, so it is its own JSON; what else is kept of an agent is in {@link AgentRow}.
 * Texts that are not set are empty, never null. Source: spec "Agent"; G5, G6, G7, G31, G32.
 */
import * as Schema from "effect/Schema"
import { Instant } from "../Time.ts"
import { WorkingHours } from "./WorkingHours.ts"

/** Where an e-mail account lives. Source: G5. */
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

/** What a caller decides of an agent: all of it but handle, organization and instants. */
export type AgentContent = Omit<Agent, "handle" | "organizationId" | "createdAt" | "updatedAt">

/** An agent as it is stored. `deletedAt` is set for ever once it is deleted; drafts still show such an agent. */
export interface AgentRow extends Agent {
  readonly id: string
  readonly deletedAt: string | null
}

/** The public part of a stored agent. */
export const agentOf = (row: AgentRow): Agent => {
  const { id: _id, deletedAt: _deletedAt, ...agent } = row
  return agent
}

/** The content of a stored agent, alone. */
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

/** How a draft names an agent: first and last name. Source: spec "LinkedIn draft". */
export const agentName = (agent: Pick<Agent, "firstName" | "lastName">): string =>
  `${agent.firstName} ${agent.lastName}`.trim()
