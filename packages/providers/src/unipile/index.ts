/** LinkedIn through Unipile. */
export { parseDsn } from "./Dsn.ts"
export { type HostedLinkRequest, type UnipileAccount, UnipileAccounts } from "./UnipileAccounts.ts"
export { defaultTimeouts, type UnipileOptions, type UnipileTimeouts } from "./UnipileClient.ts"
export { layer } from "./UnipileGateway.ts"
export { parseWebhook } from "./UnipileWebhook.ts"
