/** The service as a library: `createSvc()` and what goes with it. */
export type { CallerOf, CallerRequest } from "./callerOf.ts"
export { createSvc, type SvcOptions } from "./createSvc.ts"
export type { HookCall, Hooks } from "./Hooks.ts"
export type { HostActor } from "./HostActor.ts"
export type { HostCommand } from "./HostCommand.ts"
export type { CallOptions, CommandsApi, EffectApi, ResourcesApi, Svc } from "./Svc.ts"
export { SvcError } from "./SvcError.ts"
