/** Agents: what other parts of core may use. */
import { CreateAgent } from "./commands/CreateAgent.ts"
import { DeleteAgent } from "./commands/DeleteAgent.ts"
import { GetAgent } from "./commands/GetAgent.ts"
import { ListAgents } from "./commands/ListAgents.ts"
import { UpdateAgent } from "./commands/UpdateAgent.ts"
import { RestCreateAgent, RestDeleteAgent, RestGetAgent, RestListAgents, RestUpdateAgent } from "./rest.ts"

export { Agent, type AgentRow, agentName } from "./Agent.ts"
export { AgentDeparture } from "./AgentDeparture.ts"
export { AgentHandleText } from "./AgentInput.ts"
export { AgentsRepo } from "./AgentsRepo.ts"
export { getAgent, handleCandidates, holdAgent } from "./writeAgent.ts"

/** The commands of this domain. */
export const commands = [CreateAgent, DeleteAgent, GetAgent, ListAgents, UpdateAgent] as const

/** The REST operations of this domain. */
export const restCommands = [RestCreateAgent, RestDeleteAgent, RestGetAgent, RestListAgents, RestUpdateAgent] as const
