/** Reads of many requests in one statement. An idle process reads at once, and nothing is kept between two reads. */
import { together } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * A read of one input, by a statement for many, which returns results in the order of the inputs. Inputs of one key may share a
 * statement. In a transaction it is made for one, on the connection of that transaction.
 */
export const sharedRead = <In, Out, E>(
  sql: SqlClient,
  keyOf: (input: In) => string,
  many: (inputs: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Out>, E>
): ((input: In) => Effect.Effect<Out, E>) => {
  const join = together((inputs: ReadonlyArray<In>) =>
    Effect.map(many(inputs), (found) => found.map((one) => Effect.succeed(one)))
  )
  return (input) => {
    const alone = Effect.map(many([input]), ([found]) => found as Out)
    return Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) =>
      Option.isSome(open) ? alone : join(keyOf(input), input, alone)
    )
  }
}

/**
 * A read whose result depends on its arguments alone: those that wait for the same one at the same time get one result, which
 * nobody may change.
 */
export const sameRead = <Arguments extends ReadonlyArray<unknown>, Out, E>(
  sql: SqlClient,
  read: (...args: Arguments) => Effect.Effect<Out, E>
): ((...args: Arguments) => Effect.Effect<Out, E>) => {
  const shared = sharedRead(
    sql,
    (args: Arguments) => JSON.stringify(args),
    (asked) => Effect.map(read(...(asked[0] as Arguments)), (found) => asked.map(() => found))
  )
  return (...args) => shared(args)
}
