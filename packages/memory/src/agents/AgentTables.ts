/** The in-memory tables of agents. */

import type { AgentRow } from "@svc/core/agents"
import { table } from "../MemoryStore.ts"

/** Agents by id, deleted ones included. */
export const agents = table<AgentRow>("agents")
