/** The service as a library: `createSvc()` and what goes with it. */
export { type CommandsApi, items, pages, type ResourcesApi, SvcError } from "@svc/client"
export type { CallerOf, CallerRequest } from "./callerOf.ts"
export { createSvc, type SvcOptions } from "./createSvc.ts"
export type { HookCall, Hooks } from "./Hooks.ts"
export type { HostActor } from "./HostActor.ts"
export type { HostCommand } from "./HostCommand.ts"
export type { CallOptions, EffectApi, Svc } from "./Svc.ts"
export type { EventsApi, SubscribeOptions, Subscription, SvcEvent } from "./subscribe.ts"
