/** What waits to be done in the whole database, over all organizations, as numbers only: for whoever operates it. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"

/** What is counted of what waits, by the states it waits in. Ended things are not, as there is no end to them. */
export const backlogStates = {
  linkedin: ["queued", "waiting_relation", "sending", "ambiguous"],
  email: ["queued", "sending"],
  webhook: ["pending"],
  import: ["running"]
} as const

/** Where something waits. */
export type BacklogQueue = keyof typeof backlogStates

/** How many things of a queue are in a state. */
export interface BacklogCount {
  readonly queue: BacklogQueue
  readonly state: string
  readonly count: number
}

/** A look at what waits; what there is nothing of is left out. */
export interface BacklogRead {
  readonly waiting: ReadonlyArray<BacklogCount>
  /** Connections to the database of all processes of the service, by state; none where there is no server. */
  readonly connections: ReadonlyArray<{ readonly state: string; readonly count: number }>
}

/** Counts what waits, in one statement. Fails with UNAVAILABLE when the store cannot be reached. */
export class Backlog extends Context.Service<Backlog, { readonly read: Effect.Effect<BacklogRead, Failure> }>()(
  "@svc/core/status/Backlog"
) {}
