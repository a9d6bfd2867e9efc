/** The commands for agents. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { DuplicateHandle, InvalidCursor, InvalidEmail, NotFound } from "../kernel/failure/failures.ts"
import { NextCursor, pageFields, readPage } from "../kernel/schema/Page.ts"
import { Agent, AgentsRepo, agentOf, compactAgents, compactOne } from "./Agent.ts"
import { AgentHandleText, type AgentWrite, agentCreateFields, agentFields, forceField } from "./AgentInput.ts"
import { AgentInUse, DuplicateEmailAccount } from "./failures.ts"
import { createAgent, deleteAgent, getAgent, updateAgent } from "./writeAgent.ts"

/** What a write of these fields includes: without smart deliverability more may be sent. */
const includedIn = ({ smart_deliverability }: AgentWrite): Readonly<Record<string, string>> =>
  smart_deliverability === false ? { "linkedin.usage.set-limits": "smart_deliverability false" } : {}

const riskOfLimits =
  "With smart_deliverability false more may be sent a day, so it obeys scopes and policies for linkedin.usage.set-limits."

/** `agent.create`: creates a sender persona. */
const CreateAgent = Command.make({
  id: "agent.create",
  title: "Create an agent",
  summary: "Create a sender persona",
  description:
    "Creates an agent from a first and a last name, plus its tone, working hours and the email accounts it sends " +
    "from. Without a handle, one is derived from the names. An email account can belong to only one agent in the " +
    "organization.",
  whenToUse: "Before the first mission of a person. Check agent.list first: each call creates a new agent.",
  risk: "mutate",
  scope: "agents:write",
  includes: includedIn,
  input: Schema.Struct(agentCreateFields),
  output: Schema.Struct({ agent: Agent }),
  failures: [DuplicateEmailAccount, DuplicateHandle, InvalidEmail],
  riskNotes: ["Creates one agent; connects nothing and sends nothing.", riskOfLimits],
  outputNotes: ["The stored agent. Its handle identifies it and never changes."],
  relatedCommands: ["agent.list", "agent.update", "mission.create"],
  relatedResources: ["svc://status", "svc://linkedin/accounts"],
  examples: [
    {
      title: "An agent with working hours",
      input: {
        first_name: "Grace",
        last_name: "Keller",
        job_title: "Account executive",
        timezone: "Europe/Berlin",
        working_hours: { monday: [{ start: "09:00", end: "12:30" }], tuesday: [{ start: "14:00", end: "18:00" }] },
        email_accounts: [{ provider: "GOOGLE", email: "grace.keller@example.com" }]
      }
    },
    { title: "Names only", input: { first_name: "Noor", last_name: "Haddad" } }
  ],
  compact: compactOne,
  run: ({ handle, ...write }) => Effect.map(createAgent(write, handle), (row) => ({ agent: agentOf(row) }))
})

/** `agent.delete`: deletes a sender persona. */
const DeleteAgent = Command.make({
  id: "agent.delete",
  title: "Delete an agent",
  summary: "Delete a sender persona",
  description:
    "Deletes an agent that is no longer in use. Past drafts and messages still show it, its email accounts become " +
    "available to other agents, and its handle stays reserved. The call fails while missions that are not archived " +
    "or unsent messages use the agent, unless force is true: then its active missions are paused and nothing more is " +
    "sent in its name.",
  whenToUse: "When a person leaves. To change an agent's tone or working hours, use agent.update.",
  risk: "mutate",
  scope: "agents:write",
  input: Schema.Struct({ agent_handle: AgentHandleText, force: forceField }),
  output: Schema.Struct({ handle: Schema.String.annotate({ description: "Handle of the deleted agent" }) }),
  failures: [AgentInUse, NotFound],
  riskNotes: [
    "This cannot be undone.",
    "With force, active missions of the agent are paused and its unsent messages are cancelled."
  ],
  relatedCommands: ["agent.list", "mission.list", "mission.update"],
  relatedResources: ["svc://status"],
  examples: [{ title: "An agent that missions still use", input: { agent_handle: "ada-martin", force: true } }],
  run: ({ agent_handle, force }) => Effect.map(deleteAgent(agent_handle, force), (handle) => ({ handle }))
})

/** `agent.get`: reads one sender persona. */
export const GetAgent = Command.make({
  id: "agent.get",
  title: "Get an agent",
  summary: "Get a sender persona by its handle",
  description: "Returns the agent with its profile, tone, working hours and email accounts.",
  whenToUse: "Before writing in the agent's name, to match its tone and signature.",
  risk: "read",
  scope: "agents:read",
  input: Schema.Struct({ agent_handle: AgentHandleText }),
  output: Schema.Struct({ agent: Agent }),
  failures: [NotFound],
  relatedCommands: ["agent.list", "agent.update", "linkedin.account.list"],
  relatedResources: ["svc://linkedin/accounts"],
  examples: [{ title: "The sample agent", input: { agent_handle: "ada-martin" } }],
  compact: compactOne,
  run: ({ agent_handle }) => Effect.map(getAgent(agent_handle), (agent) => ({ agent: agentOf(agent) }))
})

/** `agent.list`: reads sender personas, newest first. */
export const ListAgents = Command.make({
  id: "agent.list",
  title: "List agents",
  summary: "List sender personas, newest first",
  description:
    "Returns a page of agents, without deleted ones. Pass next_cursor as cursor for the next page; it is null on the " +
    "last page.",
  whenToUse: "To choose the sender for a mission or a draft.",
  risk: "read",
  scope: "agents:read",
  input: Schema.Struct({ ...pageFields }),
  output: Schema.Struct({ agents: Schema.Array(Agent), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  relatedCommands: ["agent.get", "agent.create"],
  relatedResources: ["svc://linkedin/accounts"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  compact: compactAgents,
  run: Effect.fnUntraced(function* (input) {
    const repo = yield* AgentsRepo
    const page = yield* readPage("agents", input, repo.list)
    return { agents: page.items.map(agentOf), next_cursor: page.next_cursor }
  })
})

/** `agent.update`: changes a sender persona. */
const UpdateAgent = Command.make({
  id: "agent.update",
  title: "Update an agent",
  summary: "Update a sender persona",
  description:
    "Changes the fields you send and keeps the others; the handle cannot change. Working hours and email accounts " +
    "are replaced as a whole; null clears a text. Sending stored values again changes nothing.",
  whenToUse: "When a person's role, tone, working hours or email accounts change.",
  risk: "mutate",
  scope: "agents:write",
  includes: includedIn,
  input: Schema.Struct({ agent_handle: AgentHandleText, ...agentFields }),
  output: Schema.Struct({ agent: Agent }),
  failures: [DuplicateEmailAccount, InvalidEmail, NotFound],
  riskNotes: [
    "New working hours also apply to messages already in the queue; existing drafts keep their text.",
    riskOfLimits
  ],
  outputNotes: ["The stored agent."],
  relatedCommands: ["agent.get", "agent.delete"],
  relatedResources: ["svc://status"],
  examples: [
    { title: "A different tone", input: { agent_handle: "ada-martin", personality: "Short sentences. Never pushes." } }
  ],
  compact: compactOne,
  run: ({ agent_handle, ...write }) => Effect.map(updateAgent(agent_handle, write), (row) => ({ agent: agentOf(row) }))
})

/** The commands of this domain. */
export const commands = [CreateAgent, DeleteAgent, GetAgent, ListAgents, UpdateAgent] as const
