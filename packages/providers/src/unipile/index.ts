/** LinkedIn through Unipile. */
export { defaultTimeouts, parseDsn, type UnipileOptions, type UnipileTimeouts } from "./UnipileClient.ts"
export { layer } from "./UnipileGateway.ts"
export { parseWebhook } from "./UnipileWebhook.ts"
