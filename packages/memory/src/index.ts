/** The repositories in memory, and simulated providers. */
export * as Memory from "./repositories.ts"
export * as SimulatedEmail from "./simulator/SimulatedEmail.ts"
export * as SimulatedGateway from "./simulator/SimulatedGateway.ts"
export * as SimulatedInbox from "./simulator/SimulatedInbox.ts"
