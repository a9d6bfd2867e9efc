/** The service over HTTP: `createClient()`, and what it shares with the embedded service. */
export type { CallOptions, Client, CommandsApi, FailureOf, ResourcesApi } from "./Client.ts"
export { type Branch, type CommandTree, commandTree, methodPath } from "./CommandTree.ts"
export { type ClientOptions, createClient } from "./createClient.ts"
export { type ItemOf, items, pages } from "./pages.ts"
export { SvcError } from "./SvcError.ts"
