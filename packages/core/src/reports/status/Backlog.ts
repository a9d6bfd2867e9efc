/** The backlog of the whole database, over all organizations, as counts only, for operators. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"

/** The queues and the states that are counted; finished items are not. */
export const backlogStates = {
  linkedin: ["queued", "waiting_relation", "sending", "ambiguous"],
  email: ["queued", "sending"],
  webhook: ["pending"],
  import: ["running"]
} as const

/** A queue of the backlog. */
export type BacklogQueue = keyof typeof backlogStates

/** The number of items of a queue in a state. */
export interface BacklogCount {
  readonly queue: BacklogQueue
  readonly state: string
  readonly count: number
}

/** The backlog at one moment; zero counts are omitted. */
export interface BacklogSnapshot {
  readonly waiting: ReadonlyArray<BacklogCount>
  /** Database connections of all processes of the service, by state; none without a database server. */
  readonly connections: ReadonlyArray<{ readonly state: string; readonly count: number }>
}

/** Reads the backlog in one statement. Fails with UNAVAILABLE when the store is unreachable. */
export class Backlog extends Context.Service<
  Backlog,
  { readonly read: Effect.Effect<BacklogSnapshot, StoreFailure> }
>()("@svc/core/status/Backlog") {}
