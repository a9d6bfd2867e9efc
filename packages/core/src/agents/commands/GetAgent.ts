import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { Agent, agentOf } from "../Agent.ts"
import { AgentHandleText } from "../AgentInput.ts"
import { compactOne } from "../compactAgent.ts"
import { getAgent } from "../writeAgent.ts"

/** `agent.get`: reads one sender persona. */
export const GetAgent = Command.make({
  id: "agent.get",
  title: "Read an agent",
  summary: "Read one sender persona by its handle.",
  description: "Answers the whole agent: who it is, how it writes, when it may send, and its e-mail accounts.",
  whenToUse: "Before writing in the agent's name, to match its tone and signature.",
  category: "agents",
  risk: "read",
  scope: "agents:read",
  input: Schema.Struct({ agent_handle: AgentHandleText }),
  output: Schema.Struct({ agent: Agent }),
  relatedCommands: ["agent.list", "agent.update", "linkedin.account.list"],
  relatedResources: ["svc://linkedin/accounts"],
  examples: [{ title: "The sample agent", input: { agent_handle: "ada-martin" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ agent_handle }) {
    return { agent: agentOf(yield* getAgent(agent_handle)) }
  })
})
