/** Running what comes at the same time as lists, so that many requests cost the store little more than one. */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Unavailable } from "./failure/failures.ts"

/** How many lists of one key run at once: while the store works for one, this process works for the other. */
const maxRunning = 2

/** How many inputs must wait before a second list begins: a shorter one costs more than it saves. */
const minSecond = 8

/** How many inputs a list has at most. */
const maxLength = 64

interface Waiting<In, Out, E> {
  readonly input: In
  readonly context: Context.Context<never>
  readonly outcome: Deferred.Deferred<Effect.Effect<Out, E> | undefined>
}

interface Queue<In, Out, E> {
  running: number
  readonly waiting: Array<Waiting<In, Out, E>>
}

const isUnavailable = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof Unavailable)

/**
 * Joins inputs of one key that come at the same time: the first begins at once, and those that come meanwhile are the next list.
 * `runList` returns an outcome for each input, undefined for one that must run alone, and runs in the context of the first.
 *
 * When a list of several fails, each of them runs alone, except after UNAVAILABLE: a commit whose answer was lost may have been
 * made, so it fails all of them.
 */
export const together = <In, Out, E>(
  runList: (inputs: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Effect.Effect<Out, E> | undefined>, E>
) => {
  const queues = new Map<string, Queue<In, Out, E>>()

  const isDue = ({ running, waiting }: Queue<In, Out, E>): boolean =>
    waiting.length > 0 && (running === 0 || (running < maxRunning && waiting.length >= minSecond))

  /** Runs lists until it is nobody's turn. */
  const serve = (key: string, queue: Queue<In, Out, E>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (!isDue(queue)) {
        if (queue.running === 0) queues.delete(key)
        return Effect.void
      }
      queue.running++
      const list = queue.waiting.splice(0, maxLength)
      const run = Effect.exit(runList(list.map(({ input }) => input)))
      return Effect.flatMap(
        Effect.updateContext(run, (context: Context.Context<never>) => list[0]?.context ?? context),
        (exit) => {
          queue.running--
          const isFinal = Exit.isFailure(exit) && (list.length === 1 || isUnavailable(exit.cause))
          const failed = isFinal ? Effect.failCause(exit.cause) : undefined
          list.forEach(({ outcome }, index) => {
            Deferred.doneUnsafe(outcome, Exit.succeed(Exit.isSuccess(exit) ? exit.value[index] : failed))
          })
          return serve(key, queue)
        }
      )
    })

  return <R>(key: string, input: In, alone: Effect.Effect<Out, E, R>): Effect.Effect<Out, E, R> =>
    Effect.contextWith((context: Context.Context<R>) => {
      const queue = queues.get(key) ?? { running: 0, waiting: [] }
      queues.set(key, queue)
      const outcome = Deferred.makeUnsafe<Effect.Effect<Out, E> | undefined>()
      queue.waiting.push({ input, context, outcome })
      // Not in the fiber of this request, which may be cancelled.
      const begun = isDue(queue) ? Effect.forkDetach(serve(key, queue)) : Effect.void
      return Effect.flatMap(Effect.andThen(begun, Deferred.await(outcome)), (one) => one ?? alone)
    })
}
