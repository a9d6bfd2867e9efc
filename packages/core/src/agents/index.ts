/** Agents, the sender personas: the public names of the room. */
export type { AgentContent, AgentRow } from "./Agent.ts"
export { emailKey } from "./AgentInput.ts"
export { AgentsRepo } from "./AgentsRepo.ts"
export * from "./failures.ts"
export { WorkingHours } from "./WorkingHours.ts"
