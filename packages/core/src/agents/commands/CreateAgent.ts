import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { DuplicateHandle, InvalidEmail } from "../../kernel/failure/failures.ts"
import { Agent, agentOf } from "../Agent.ts"
import { agentCreateFields } from "../AgentInput.ts"
import { compactOne } from "../compactAgent.ts"
import { DuplicateEmailAccount } from "../failures.ts"
import { createAgent } from "../writeAgent.ts"

/** `agent.create`: creates a sender persona. */
export const CreateAgent = Command.make({
  id: "agent.create",
  title: "Create an agent",
  summary: "Create a sender persona",
  description:
    "Creates an agent from a first and a last name, plus its tone, working hours and the email accounts it sends " +
    "from. Without a handle, one is derived from the names. An email account can belong to only one agent in the " +
    "organization.",
  whenToUse: "Before the first mission of a person. Check agent.list first: each call creates a new agent.",
  category: "agents",
  risk: "mutate",
  scope: "agents:write",
  input: Schema.Struct(agentCreateFields),
  output: Schema.Struct({ agent: Agent }),
  failures: [DuplicateEmailAccount, DuplicateHandle, InvalidEmail],
  riskNotes: ["Creates one agent; connects nothing and sends nothing."],
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
