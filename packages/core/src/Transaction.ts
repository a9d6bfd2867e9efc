/**
 * The unit of work of a store: everything done inside happens at once, or not at all.
 *
 * No call to the outside (gateway, webhook) is ever made inside a transaction. Source: architecture, decision 1.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Failure } from "./Failure.ts"

/**
 * Runs effects atomically. The effect may be run again from its start when the store asks for it (serialization,
 * deadlock), so it must have no effect outside the store. Fails with UNAVAILABLE when the store cannot be reached. A
 * transaction inside a transaction belongs to the outer one.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Failure, R>
  }
>()("@svc/core/Transaction") {}

class RolledBack extends Data.TaggedError("RolledBack") {}

/** Runs the effect in a transaction that is always rolled back, and answers what it answered. */
export const rehearse = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Failure, R | Transaction> =>
  Effect.gen(function* () {
    const transaction = yield* Transaction
    let answer: Exit.Exit<A, E> = Exit.die("the rehearsal did not run")
    const rehearsal = Effect.flatMap(Effect.exit(effect), (exit) => {
      answer = exit
      return Effect.fail(new RolledBack())
    })
    yield* transaction.run(rehearsal).pipe(Effect.catchTag("RolledBack", () => Effect.void))
    return yield* answer
  })
