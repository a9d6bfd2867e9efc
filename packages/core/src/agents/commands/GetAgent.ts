import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { Agent, agentOf } from "../Agent.ts"
import { AgentHandleText } from "../AgentInput.ts"
import { compactOne } from "../compactAgent.ts"
import { getAgent } from "../writeAgent.ts"

/** `agent.get`: reads one sender persona. */
export const GetAgent = Command.make({
  id: "agent.get",
  title: "Get an agent",
  summary: "Get a sender persona by its handle",
  description: "Returns the agent with its profile, tone, working hours and email accounts.",
  whenToUse: "Before writing in the agent's name, to match its tone and signature.",
  category: "agents",
  risk: "read",
  scope: "agents:read",
  input: Schema.Struct({ agent_handle: AgentHandleText }),
  output: Schema.Struct({ agent: Agent }),
  failures: [NotFound],
  relatedCommands: ["agent.list", "agent.update", "linkedin.account.list"],
  relatedResources: ["svc://linkedin/accounts"],
  examples: [{ title: "The sample agent", input: { agent_handle: "ada-martin" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ agent_handle }) {
    return { agent: agentOf(yield* getAgent(agent_handle)) }
  })
})
