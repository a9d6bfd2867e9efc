/** Transactions of the database behind the client. A transaction inside a transaction belongs to the outer one. */
import type { Failure } from "@svc/core/Failure"
import { Transaction } from "@svc/core/Transaction"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { retrySerialization } from "./SqlFailure.ts"

/** Runs units of work as database transactions, again when the database asks for it. */
export const layer: Layer.Layer<Transaction, never, SqlClient> = Layer.effect(
  Transaction,
  Effect.map(SqlClient, (sql) =>
    Transaction.of({
      run: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.flatMap(
          Effect.serviceOption(sql.transactionService),
          (open): Effect.Effect<A, E | Failure, R> =>
            Option.isSome(open) ? effect : retrySerialization(sql.withTransaction(effect))
        )
    })
  )
)
