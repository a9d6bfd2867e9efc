/** A whole service in memory, with what a test needs to look behind its surfaces. */
import type { ActorIdentity } from "@svc/core/Actor"
import type { Answer, Call } from "@svc/core/Dispatch"
import { Dispatch } from "@svc/core/Dispatch"
import { MemoryStore, type State } from "@svc/core/MemoryStore"
import { scopes } from "@svc/core/Policy"
import type { CallerOf } from "@svc/embed"
import { createSvc } from "@svc/embed"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"

/** Options of {@link memoryService}. `callerOf` stands for keys, when a test wants to be somebody over HTTP. */
export interface MemoryServiceOptions {
  readonly sample?: boolean
  readonly callerOf?: CallerOf
}

/** A person with every right in an organization. */
export const ownerOf = (organizationId: string): ActorIdentity => ({
  organizationId,
  userId: "usr_owner",
  kind: "USER",
  mode: "full",
  scopes,
  keyId: null
})

/** Starts a service on memory: simulated gateway, no worker, no rate limit, sample data unless told otherwise. */
export const memoryService = async ({ callerOf, sample = true }: MemoryServiceOptions = {}) => {
  const svc = await createSvc({
    databaseUrl: "memory:",
    gateway: "simulator",
    worker: false,
    rateLimit: 0,
    sample,
    ...(callerOf === undefined ? {} : { callerOf })
  })
  const services = await svc.effect.runtime.context()
  const store: MemoryStore["Service"] = Context.getUnsafe(services, MemoryStore)
  const dispatch = Context.get(services, Dispatch)
  return {
    svc,
    catalog: dispatch.catalog,
    /** Runs any command, internal ones included. */
    run: (call: Omit<Call, "actor"> & { readonly actor?: ActorIdentity }): Promise<Answer> =>
      svc.effect.runtime.runPromise(dispatch.run({ actor: ownerOf(svc.organization.id), ...call })),
    /** The published state: the same value as long as nothing was written. */
    state: (): State => Effect.runSync(store.published),
    close: svc.close
  }
}

/** A running service of {@link memoryService}. */
export type MemoryService = Awaited<ReturnType<typeof memoryService>>

/** The tables of one organization in a state, by name: each the same value as long as nothing in it was written. */
export const tablesOf = (state: State, organizationId: string): ReadonlyMap<string, unknown> =>
  new Map(Array.from(state).filter(([slot]) => slot.endsWith(`/${organizationId}`)))

/** The tables, of whatever organization, in which two states differ. */
export const changedTables = (before: State, after: State): ReadonlyArray<string> => {
  const names = new Set([...HashMap.keys(before), ...HashMap.keys(after)])
  const at = (state: State, name: string) => HashMap.get(state, name)
  return [...names].filter((name) => {
    const [a, b] = [at(before, name), at(after, name)]
    return a._tag !== b._tag || (a._tag === "Some" && b._tag === "Some" && a.value !== b.value)
  })
}
