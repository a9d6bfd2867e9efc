/** Any LinkedIn provider behind HTTP. */
export * as BridgeGateway from "./BridgeGateway.ts"
export { signingKey } from "./BridgeSignature.ts"
export { parseBridgeUrl } from "./parseBridgeUrl.ts"
