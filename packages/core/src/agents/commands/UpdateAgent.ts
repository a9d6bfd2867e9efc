import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { Agent, agentOf } from "../Agent.ts"
import { AgentHandleText, agentFields, toAgentWrite } from "../AgentInput.ts"
import { compactOne } from "../compactAgent.ts"
import { commandSpelling, updateAgent } from "../writeAgent.ts"

/** `agent.update`: changes a sender persona. */
export const UpdateAgent = Command.make({
  id: "agent.update",
  title: "Change an agent",
  summary: "Change any part of a sender persona but its handle.",
  description:
    "Changes the fields that are sent and keeps the others. Working hours and e-mail accounts replace the stored ones as a " +
    "whole; null empties a text. Sending what is already stored changes nothing.",
  whenToUse: "When a person's role, tone, working hours or e-mail accounts changed.",
  category: "agents",
  risk: "mutate",
  scope: "agents:write",
  input: Schema.Struct({ agent_handle: AgentHandleText, ...agentFields }),
  output: Schema.Struct({ agent: Agent }),
  riskNotes: ["New working hours hold for messages that are already waiting; texts that were drafted stay."],
  outputNotes: ["The whole agent as stored."],
  relatedCommands: ["agent.get", "agent.delete"],
  relatedResources: ["svc://status"],
  examples: [
    {
      title: "Mornings only",
      input: { agent_handle: "ada-martin", working_hours: { monday: [{ start: "09:00", end: "12:00" }] } }
    },
    { title: "Another tone", input: { agent_handle: "ada-martin", personality: "Short sentences. Never pushes." } }
  ],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ agent_handle, ...input }) {
    return { agent: agentOf(yield* updateAgent(agent_handle, toAgentWrite(input), commandSpelling)) }
  })
})
