/** The commands for agents. */
import { CreateAgent } from "./commands/CreateAgent.ts"
import { DeleteAgent } from "./commands/DeleteAgent.ts"
import { GetAgent } from "./commands/GetAgent.ts"
import { ListAgents } from "./commands/ListAgents.ts"
import { UpdateAgent } from "./commands/UpdateAgent.ts"

/** The commands of this domain. */
export const commands = [CreateAgent, DeleteAgent, GetAgent, ListAgents, UpdateAgent] as const
