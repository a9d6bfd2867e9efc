/** Background loops: repeated rounds, and workers that share the work that is due. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"

/** Repeats a round until the scope closes. A failed round is logged under `name`, and the next one follows. */
export const repeatRound = <E, R>(
  name: string,
  round: Effect.Effect<unknown, E, R>,
  interval: Duration.Input
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.asVoid(
    Effect.forkScoped(
      Effect.repeat(
        Effect.catchCause(round, (cause) => Effect.logError(`A round of ${name} failed`, cause)),
        Schedule.spaced(interval)
      )
    )
  )

/** On interruption, waits up to 8 seconds for the effect to finish instead of cutting it off. */
export const finishOnInterrupt = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDetach(effect), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () => Effect.timeoutOption(Fiber.await(fiber), "8 seconds"))
  )

/**
 * Workers that each take one item at a time, so that no item waits while leased; returns how often `work` returned true.
 * `take` is asked for at most `limit` items in all: first for one per worker, then one by one.
 */
export const shareWork = <Taken, E, R, E2, R2>(
  options: { readonly workers: number; readonly limit: number },
  take: (max: number) => Effect.Effect<ReadonlyArray<Taken>, E, R>,
  work: (taken: Taken) => Effect.Effect<boolean, E2, R2>
): Effect.Effect<number, E | E2, R | R2> =>
  Effect.gen(function* () {
    let left = options.limit
    let done = 0
    const next = (max: number) => {
      const count = Math.min(max, left)
      left -= count
      return count <= 0 ? Effect.succeed<ReadonlyArray<Taken>>([]) : take(count)
    }
    const worker = Effect.fnUntraced(function* (first: Taken) {
      for (let taken: Taken | undefined = first; taken !== undefined; [taken] = yield* next(1)) {
        if (yield* work(taken)) done++
      }
    })
    yield* Effect.forEach(yield* next(options.workers), worker, { concurrency: "unbounded", discard: true })
    return done
  })
