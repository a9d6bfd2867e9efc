import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidEmail, NotFound } from "../../kernel/failure/failures.ts"
import { Agent, agentOf } from "../Agent.ts"
import { AgentHandleText, agentFields } from "../AgentInput.ts"
import { compactOne } from "../compactAgent.ts"
import { DuplicateEmailAccount } from "../failures.ts"
import { updateAgent } from "../writeAgent.ts"

/** `agent.update`: changes a sender persona. */
export const UpdateAgent = Command.make({
  id: "agent.update",
  title: "Update an agent",
  summary: "Update a sender persona",
  description:
    "Changes the fields you send and keeps the others; the handle cannot change. Working hours and email accounts " +
    "are replaced as a whole; null clears a text. Sending stored values again changes nothing.",
  whenToUse: "When a person's role, tone, working hours or email accounts change.",
  category: "agents",
  risk: "mutate",
  scope: "agents:write",
  input: Schema.Struct({ agent_handle: AgentHandleText, ...agentFields }),
  output: Schema.Struct({ agent: Agent }),
  failures: [DuplicateEmailAccount, InvalidEmail, NotFound],
  riskNotes: ["New working hours also apply to messages already in the queue; existing drafts keep their text."],
  outputNotes: ["The stored agent."],
  relatedCommands: ["agent.get", "agent.delete"],
  relatedResources: ["svc://status"],
  examples: [
    {
      title: "Mornings only",
      input: { agent_handle: "ada-martin", working_hours: { monday: [{ start: "09:00", end: "12:00" }] } }
    },
    { title: "A different tone", input: { agent_handle: "ada-martin", personality: "Short sentences. Never pushes." } }
  ],
  compact: compactOne,
  run: ({ agent_handle, ...write }) => Effect.map(updateAgent(agent_handle, write), (row) => ({ agent: agentOf(row) }))
})
