/**
 * The REST operations of agents, as internal commands: camelCase in and out, path parameters among the fields.
 *
 * Source: spec "Agents" under Endpoints; G32. Outputs are what REST wraps in `data`.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../Command.ts"
import { IfMatch, requireMatch } from "../Etag.ts"
import { CursorText, Limit, NextCursor } from "../Page.ts"
import { line } from "../TextFields.ts"
import { Agent, agentOf } from "./Agent.ts"
import { agentRestCreateFields, agentRestFields, forceField } from "./AgentInput.ts"
import { compactAgents, compactOne } from "./compactAgent.ts"
import { listAgents } from "./listAgents.ts"
import { createAgent, deleteAgent, getAgent, restSpelling, updateAgent } from "./writeAgent.ts"

const pathHandle = line(200, "Handle of the agent, such as ada-martin; its id works too")

/** Fails with PRECONDITION_FAILED unless the agent is the one that `If-Match` names. */
const requireAgent = Effect.fnUntraced(function* (ifMatch: string | undefined, handle: string) {
  if (ifMatch !== undefined) yield* requireMatch(ifMatch, agentOf(yield* getAgent(handle)))
})

/** GET /api/v1/agents. */
export const RestListAgents = Command.make({
  id: "rest.agents.list",
  title: "List agents",
  summary: "Read the sender personas of the organization, newest first.",
  description: "A page of agents. Pass nextCursor as cursor for the next page; it is null on the last one.",
  whenToUse: "From programs that speak REST; agent.list is the command.",
  category: "agents",
  risk: "read",
  visibility: "internal",
  scope: "agents:read",
  input: Schema.Struct({ cursor: CursorText, limit: Limit }),
  output: Schema.Struct({ agents: Schema.Array(Agent), nextCursor: NextCursor }),
  relatedCommands: ["agent.list"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  compact: compactAgents,
  run: listAgents
})

/** POST /api/v1/agents. */
export const RestCreateAgent = Command.make({
  id: "rest.agents.create",
  title: "Create an agent",
  summary: "Store a sender persona that missions write in the name of.",
  description: "Creates an agent from firstName and lastName; every other field may be left out.",
  whenToUse: "From programs that speak REST; agent.create is the command.",
  category: "agents",
  risk: "mutate",
  visibility: "internal",
  scope: "agents:write",
  input: Schema.Struct(agentRestCreateFields),
  output: Schema.Struct({ agent: Agent }),
  relatedCommands: ["agent.create"],
  examples: [{ title: "Names only", input: { firstName: "Noor", lastName: "Haddad" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ handle, ...write }) {
    return { agent: agentOf(yield* createAgent(write, handle, restSpelling)) }
  })
})

/** GET /api/v1/agents/{agentHandle}. */
export const RestGetAgent = Command.make({
  id: "rest.agents.get",
  title: "Read an agent",
  summary: "Read one sender persona by its handle.",
  description: "Answers the whole agent: who it is, how it writes, when it may send.",
  whenToUse: "From programs that speak REST; agent.get is the command.",
  category: "agents",
  risk: "read",
  visibility: "internal",
  scope: "agents:read",
  input: Schema.Struct({ agentHandle: pathHandle }),
  output: Schema.Struct({ agent: Agent }),
  relatedCommands: ["agent.get"],
  examples: [{ title: "The sample agent", input: { agentHandle: "ada-martin" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ agentHandle }) {
    return { agent: agentOf(yield* getAgent(agentHandle)) }
  })
})

/** PATCH /api/v1/agents/{agentHandle}. */
export const RestUpdateAgent = Command.make({
  id: "rest.agents.update",
  title: "Change an agent",
  summary: "Change any part of a sender persona but its handle.",
  description: "Changes the fields that are sent and keeps the others; working hours and e-mail accounts replace.",
  whenToUse: "From programs that speak REST; agent.update is the command.",
  category: "agents",
  risk: "mutate",
  visibility: "internal",
  scope: "agents:write",
  input: Schema.Struct({ agentHandle: pathHandle, ifMatch: IfMatch, ...agentRestFields }),
  output: Schema.Struct({ agent: Agent }),
  relatedCommands: ["agent.update"],
  examples: [{ title: "Another role", input: { agentHandle: "ada-martin", jobTitle: "Head of sales" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ agentHandle, ifMatch, ...write }) {
    yield* requireAgent(ifMatch, agentHandle)
    return { agent: agentOf(yield* updateAgent(agentHandle, write, restSpelling)) }
  })
})

/** DELETE /api/v1/agents/{agentHandle}, with `?force=true`. */
export const RestDeleteAgent = Command.make({
  id: "rest.agents.delete",
  title: "Delete an agent",
  summary: "Delete a sender persona for good.",
  description: "Deletes an agent that nothing uses; with force also one that is in use, whose active missions pause.",
  whenToUse: "From programs that speak REST; agent.delete is the command.",
  category: "agents",
  risk: "mutate",
  visibility: "internal",
  scope: "agents:write",
  input: Schema.Struct({ agentHandle: pathHandle, ifMatch: IfMatch, force: forceField }),
  output: Schema.Struct({ handle: Schema.String }),
  relatedCommands: ["agent.delete"],
  examples: [{ title: "Although missions use it", input: { agentHandle: "ada-martin", force: true } }],
  run: Effect.fnUntraced(function* ({ agentHandle, force, ifMatch }) {
    yield* requireAgent(ifMatch, agentHandle)
    return { handle: yield* deleteAgent(agentHandle, force, restSpelling) }
  })
})
