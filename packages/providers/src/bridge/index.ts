/** Any LinkedIn provider behind HTTP. */

export { parseBridgeUrl } from "./BridgeClient.ts"
export * as BridgeGateway from "./BridgeGateway.ts"
export { signingKey } from "./BridgeSignature.ts"
