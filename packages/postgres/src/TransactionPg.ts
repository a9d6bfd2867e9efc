/** Transactions of the database. A nested transaction belongs to the outer one. */
import { IsSnapshot, type StoreFailure, Transaction } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { orUnavailable, retrySerialization } from "./SqlFailure.ts"

/** Runs units of work as database transactions, with retries. */
export const layer: Layer.Layer<Transaction, never, SqlClient> = Layer.effect(
  Transaction,
  Effect.map(SqlClient, (sql) =>
    Transaction.of({
      run: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.flatMap(
          Effect.all([Effect.serviceOption(sql.transactionService), IsSnapshot]),
          ([open, isSnapshot]): Effect.Effect<A, E | StoreFailure, R> => {
            if (Option.isSome(open)) return effect
            const takeSnapshot = orUnavailable(sql`set transaction isolation level repeatable read`)
            return retrySerialization(sql.withTransaction(isSnapshot ? Effect.andThen(takeSnapshot, effect) : effect))
          }
        )
    })
  )
)
