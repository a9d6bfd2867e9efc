/** What a host adds to the service, as plain values: loading this loads neither the service nor Effect. */
export {
  type CommandContext,
  type CommandDefinition,
  type CommandServices,
  defineCommand,
  defineResource,
  type ResourceDefinition
} from "./defineCommand.ts"
export {
  type AccountFunctions,
  defineGateway,
  type GatewayContext,
  type GatewayDefinition,
  type WriteOutcome
} from "./defineGateway.ts"
export { refusal } from "./refusal.ts"
