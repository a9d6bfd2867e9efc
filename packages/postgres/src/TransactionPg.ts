/**
 * Transactions of the database. A nested transaction belongs to the outer one; a command in a transaction of the host has a
 * savepoint, so that a failed one leaves nothing, whatever the host does next.
 */
import { JoinsTransaction, type StoreFailure, Transaction } from "@svc/core"
import { IsSnapshot } from "@svc/core/internal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import { connectionOf } from "./HostConnection.ts"
import type { HostClient } from "./host/index.ts"
import { remembered } from "./remembered.ts"
import { orUnavailable, retrySerialization, sqlStateOf } from "./SqlFailure.ts"

/** Runs in the transaction that is open, or in one of its own. */
export const transacted = <A, E, R>(
  sql: SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) =>
    Option.isSome(open) ? effect : sql.withTransaction(effect)
  )

/** Savepoints of a connection follow each other: one that is begun inside another would end with it. */
const turns = new WeakMap<Connection, Semaphore.Semaphore>()

const turnOf = (connection: Connection): Semaphore.Semaphore =>
  remembered(turns, connection, () => Semaphore.makeUnsafe(1))

const withSavepoint = <A, E, R>(connection: Connection, effect: Effect.Effect<A, E, R>) =>
  turnOf(connection).withPermits(1)(
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* connection.executeUnprepared("savepoint svc_command", [], undefined)
        const exit = yield* Effect.exit(restore(effect))
        const undo = Exit.isFailure(exit) ? ["rollback to savepoint svc_command"] : []
        for (const text of [...undo, "release savepoint svc_command"]) {
          yield* connection.executeUnprepared(text, [], undefined)
        }
        return yield* exit
      })
    )
  )

/** How often one that reads a snapshot is tried: whoever appends events of its organization meanwhile fails an attempt. */
const snapshotAttempts = 40

/** Runs units of work as database transactions, with retries unless the transaction is the host's. */
export const layer: Layer.Layer<Transaction, never, SqlClient> = Layer.effect(
  Transaction,
  Effect.map(SqlClient, (sql) => {
    const openIn = (context: Context.Context<never>) => Context.getOption(context, sql.transactionService)
    const takeSnapshot = orUnavailable(sql`set transaction isolation level repeatable read`)
    return Transaction.of({
      isOpen: Effect.contextWith((context: Context.Context<never>) => Effect.succeed(Option.isSome(openIn(context)))),
      run: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.contextWith((context: Context.Context<R>): Effect.Effect<A, E | StoreFailure, R> => {
          const outer = openIn(context)
          if (Option.isSome(outer)) {
            if (!Context.get(context, JoinsTransaction)) return effect
            const inner = Effect.provideService(effect, JoinsTransaction, false)
            return retrySerialization(withSavepoint(outer.value[0], inner), 1)
          }
          if (Context.get(context, IsSnapshot)) {
            return retrySerialization(sql.withTransaction(Effect.andThen(takeSnapshot, effect)), snapshotAttempts)
          }
          return retrySerialization(sql.withTransaction(effect))
        })
    })
  })
)

/** Which database of which cluster a connection is of; empty if it has no tables of the service, undefined if it does not say. */
export const databaseIdentity: Effect.Effect<string | undefined, never, SqlClient> = Effect.flatMap(SqlClient, (sql) =>
  Effect.match(sql<{ id: string }>`select svc.svc_fingerprint() as id`, {
    // The timeline in the middle changes with a failover.
    onSuccess: ([row]) => row?.id.replace(/:[^:]*:/, ":"),
    onFailure: (error) => (["42883", "3F000"].includes(sqlStateOf(error) ?? "") ? "" : undefined)
  })
)

/** Runs in the transaction that a host has begun on a client of `pg`. */
export const inHostTransaction =
  (client: HostClient) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | SqlClient> =>
    Effect.flatMap(SqlClient, ({ transactionService }) =>
      Effect.provideService(effect, transactionService, [connectionOf(client), 0])
    )
