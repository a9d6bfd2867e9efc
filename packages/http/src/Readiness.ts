/** Whether this process can handle requests, for `/readyz`. */
import type { Failure } from "@svc/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** An error of the database, with its SQLSTATE, `none` if it did not respond. */
interface DatabaseFailure {
  readonly sqlstate: string
  readonly reason: string
  readonly at: string
}

/** The state of the database that the process uses. */
export class Readiness extends Context.Service<
  Readiness,
  {
    /** Fails with UNAVAILABLE and the reason while requests would fail. */
    readonly check: Effect.Effect<void, Failure>
    /** What requests failed with in the last minute. */
    readonly failures: Effect.Effect<ReadonlyArray<DatabaseFailure>>
  }
>()("@svc/http/Readiness") {}
