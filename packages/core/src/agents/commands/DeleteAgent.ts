import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { AgentHandleText, forceField } from "../AgentInput.ts"
import { commandSpelling, deleteAgent } from "../writeAgent.ts"

/** `agent.delete`: deletes a sender persona for good. */
export const DeleteAgent = Command.make({
  id: "agent.delete",
  title: "Delete an agent",
  summary: "Delete a sender persona for good.",
  description:
    "Deletes an agent that nothing uses any more. Drafts and messages of the past still show it, its e-mail accounts become " +
    "free for other agents, and its handle stays taken. While missions that are not archived or unsent messages use it the " +
    "call is refused, unless force is true: then its active missions are paused and nothing more is sent in its name.",
  whenToUse: "When a person leaves. To change how an agent writes or when it sends, use agent.update.",
  category: "agents",
  risk: "mutate",
  scope: "agents:write",
  input: Schema.Struct({ agent_handle: AgentHandleText, force: forceField }),
  output: Schema.Struct({ handle: Schema.String.annotate({ description: "Handle of the agent that was deleted" }) }),
  riskNotes: [
    "It cannot be undone.",
    "With force, active missions of the agent are paused and its unsent messages are cancelled."
  ],
  relatedCommands: ["agent.list", "mission.list", "mission.update"],
  relatedResources: ["svc://status"],
  examples: [{ title: "Although missions use it", input: { agent_handle: "ada-martin", force: true } }],
  run: Effect.fnUntraced(function* ({ agent_handle, force }) {
    return { handle: yield* deleteAgent(agent_handle, force, commandSpelling) }
  })
})
