import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { AgentHandleText, forceField } from "../AgentInput.ts"
import { AgentInUse } from "../failures.ts"
import { deleteAgent } from "../writeAgent.ts"

/** `agent.delete`: deletes a sender persona. */
export const DeleteAgent = Command.make({
  id: "agent.delete",
  title: "Delete an agent",
  summary: "Delete a sender persona",
  description:
    "Deletes an agent that is no longer in use. Past drafts and messages still show it, its email accounts become " +
    "available to other agents, and its handle stays reserved. The call fails while missions that are not archived " +
    "or unsent messages use the agent, unless force is true: then its active missions are paused and nothing more is " +
    "sent in its name.",
  whenToUse: "When a person leaves. To change an agent's tone or working hours, use agent.update.",
  category: "agents",
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
  run: Effect.fnUntraced(function* ({ agent_handle, force }) {
    return { handle: yield* deleteAgent(agent_handle, force) }
  })
})
