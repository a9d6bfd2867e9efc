/** The in-memory tables of agents. */
import { table } from "../MemoryStore.ts"
import type { AgentRow } from "./Agent.ts"

/** Agents by id, deleted ones included. */
export const agents = table<AgentRow>("agents")
