/** Any LinkedIn provider behind HTTP. */
export * as BridgeGateway from "./BridgeGateway.ts"
export { parseBridgeUrl } from "./BridgeGateway.ts"
export { signingKey } from "./BridgeSignature.ts"
