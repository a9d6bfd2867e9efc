/** Agents, the sender personas: the public names of the room. */
export { type AgentContent, type AgentRow, AgentsRepo } from "./Agent.ts"
export { emailKey } from "./AgentInput.ts"
export * from "./failures.ts"
export { hoursExample, hoursOf, hoursText } from "./hoursText.ts"
export { WorkingHours } from "./WorkingHours.ts"
