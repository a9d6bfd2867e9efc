/**
 * The unit of work of a store: all of its changes are made, or none.
 *
 * No provider or webhook is ever called inside a transaction.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { StoreFailure } from "../failure/failures.ts"

/**
 * Runs effects atomically. The store may rerun the effect from the start (serialization failure, deadlock), so it must
 * change nothing outside the store. Fails with UNAVAILABLE when the store is unreachable. A nested transaction belongs to the
 * outer one. In one of the host ({@link JoinsTransaction}) nothing is rerun, one effect runs after the other, and one that fails
 * is undone by itself; UNAVAILABLE says that the host's transaction has ended or was aborted.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreFailure, R>
    /** Whether the caller is in a transaction of this store. */
    readonly isOpen: Effect.Effect<boolean>
  }
>()("@svc/core/Transaction") {}

/**
 * Whether a transaction reads the store as of one moment, and is rerun where it would change what others have changed since:
 * for a change that depends on an earlier read of the same transaction.
 */
export const IsSnapshot = Context.Reference<boolean>("@svc/core/IsSnapshot", { defaultValue: () => false })

/** Whether a run joins a transaction that the host has begun: it then commits or rolls back with the host. */
export const JoinsTransaction = Context.Reference<boolean>("@svc/core/JoinsTransaction", { defaultValue: () => false })

class RolledBack extends Data.TaggedError("RolledBack") {}

/** Runs the effect in a transaction that is always rolled back, and returns its result. */
export const withRollback = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StoreFailure, R | Transaction> =>
  Effect.gen(function* () {
    const transaction = yield* Transaction
    let result: Exit.Exit<A, E> = Exit.die("the effect did not run")
    const run = Effect.flatMap(Effect.exit(effect), (exit) => {
      result = exit
      return Effect.fail(new RolledBack())
    })
    yield* transaction.run(run).pipe(Effect.catchTag("RolledBack", () => Effect.void))
    return yield* result
  })
