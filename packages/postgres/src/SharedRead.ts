/**
 * Reads of many requests in one statement: those that come while others are being read wait for the next statement, so a busy
 * process asks the database less often. An idle one reads at once, and nothing is kept between two reads.
 */
import { Unavailable } from "@svc/core"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"

/** How many statements of one kind may run at once. */
const runningAtOnce = 2

/** How many reads may share a statement. */
const mostReads = 32

interface Waiting<In, Out, E> {
  readonly input: In
  readonly answer: Deferred.Deferred<Out, E>
  /** Whose the statement is, if this is the first of those that share it. */
  readonly context: Context.Context<never>
}

interface Queue<In, Out, E> {
  running: number
  readonly waiting: Array<Waiting<In, Out, E>>
}

/** Whether a read failed for want of a database: each of the others would wait for it as long. */
const isUnavailable = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof Unavailable)

/**
 * A read of one input, by a statement for many, which answers in the order of the inputs. Inputs of one key may share a
 * statement. In a transaction it is made for one, on the connection of that transaction; so is a read whose statement failed.
 */
export const sharedRead = <In, Out, E>(
  sql: SqlClient,
  keyOf: (input: In) => string,
  many: (inputs: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Out>, E>
): ((input: In) => Effect.Effect<Out, E>) => {
  const queues = new Map<string, Queue<In, Out, E>>()
  const one = (input: In): Effect.Effect<Out, E> => Effect.map(many([input]), ([found]) => found as Out)

  const read = (reads: ReadonlyArray<Waiting<In, Out, E>>): Effect.Effect<void> =>
    Effect.flatMap(Effect.exit(many(reads.map(({ input }) => input))), (exit) => {
      if (Exit.isSuccess(exit) || reads.length === 1 || isUnavailable(exit)) {
        reads.forEach(({ answer }, index) => {
          Deferred.doneUnsafe(
            answer,
            Exit.map(exit, (found) => found[index] as Out)
          )
        })
        return Effect.void
      }
      // One of them may be the reason.
      return Effect.forEach(reads, ({ answer, input }) => Deferred.completeWith(answer, one(input)), { discard: true })
    })

  /** Reads until nobody waits. */
  const serve = (key: string, queue: Queue<In, Out, E>): Effect.Effect<void> =>
    Effect.suspend(() => {
      const reads = queue.waiting.splice(0, mostReads)
      const [first] = reads
      if (first === undefined) {
        queue.running--
        if (queue.running === 0) queues.delete(key)
        return Effect.void
      }
      return Effect.andThen(
        Effect.updateContext(read(reads), () => first.context),
        serve(key, queue)
      )
    })

  return (input) =>
    Effect.contextWith((context: Context.Context<never>) => {
      if (Option.isSome(Context.getOption(context, sql.transactionService))) return one(input)
      const key = keyOf(input)
      const queue = queues.get(key) ?? { running: 0, waiting: [] }
      queues.set(key, queue)
      const answer = Deferred.makeUnsafe<Out, E>()
      queue.waiting.push({ input, answer, context })
      const answered = Deferred.await(answer)
      if (queue.running === runningAtOnce) return answered
      queue.running++
      // Not in the fiber of this request, which may be cancelled.
      return Effect.andThen(Effect.forkDetach(serve(key, queue)), answered)
    })
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
