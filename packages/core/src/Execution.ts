/**
 * The running command: what it may say and how it commits.
 *
 * An ordinary command runs inside one transaction and only emits events and warnings. A command that reaches the outside
 * (`outward`) runs outside any transaction: it commits its intent with `commit`, acts, and ends with `finish`, which
 * stores the outcome, the audit row and the idempotency record in one transaction. Source: architecture, decision 1.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { NewEvent } from "./Event.ts"
import type { Failure } from "./Failure.ts"

/** What the running command can do beside its own work. */
export class Execution extends Context.Service<
  Execution,
  {
    /** True when everything is rolled back at the end: an outward command then stops before the outside. */
    readonly dryRun: boolean
    /** States a fact, stored with the current transaction. */
    readonly emit: (event: NewEvent) => Effect.Effect<void>
    /** Adds a line to `meta.warnings`. */
    readonly warn: (warning: string) => Effect.Effect<void>
    /** Outward commands only: runs a step in its own transaction, with its events. */
    readonly commit: <A, R>(step: Effect.Effect<A, Failure, R>) => Effect.Effect<A, Failure, R>
    /**
     * Outward commands only: the last step. A `Failure` that the step *returns* is an outcome: the step's changes are
     * kept, the failure is recorded under the idempotency key, and the command fails with it.
     */
    readonly finish: <A, R>(step: Effect.Effect<A | Failure, Failure, R>) => Effect.Effect<A, Failure, R>
  }
>()("@svc/core/Execution") {}

/** States a fact about what the running command changes. */
export const emit = (event: NewEvent): Effect.Effect<void, never, Execution> =>
  Effect.flatMap(Execution, (execution) => execution.emit(event))

/** Adds a warning to the running command's answer. */
export const warn = (warning: string): Effect.Effect<void, never, Execution> =>
  Effect.flatMap(Execution, (execution) => execution.warn(warning))

/** Outward commands only: runs a step in its own transaction, with its events. */
export const commit = <A, R>(step: Effect.Effect<A, Failure, R>): Effect.Effect<A, Failure, R | Execution> =>
  Effect.flatMap(Execution, (execution) => execution.commit(step))
