/** Signing in: sessions of people, AI agents with OAuth, and the operator's identity provider. */
export type { ClaimRule, ProviderSettings } from "./provider/oidcClient.ts"
export { signInRoutes } from "./signInRoutes.ts"
