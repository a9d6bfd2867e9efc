/** Inputs that come at the same time are one list, and each gets its own outcome. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { NotFound, Unavailable } from "#core/kernel/failure/failures.ts"
import { together } from "#core/kernel/together.ts"

const count = 40

/** Joins the numbers below {@link count} while a first list is still running, and returns the lists and who ran alone. */
const joined = <E>(run: (inputs: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number | undefined>, E>) =>
  Effect.gen(function* () {
    const lists: Array<ReadonlyArray<number>> = []
    const alone: Array<number> = []
    const isOpen = yield* Deferred.make<void>()
    const join = together((inputs: ReadonlyArray<number>) => {
      lists.push(inputs)
      return Effect.andThen(Deferred.await(isOpen), run(inputs)).pipe(
        Effect.map((found) => found.map((one) => (one === undefined ? undefined : Effect.succeed(one))))
      )
    })
    const one = (n: number) => join("key", n, Effect.sync(() => alone.push(n)).pipe(Effect.as(-n)))
    const fibers = yield* Effect.forEach(Array.from({ length: count }).keys(), (n) =>
      Effect.andThen(Effect.forkChild(one(n)), (fiber) => Effect.as(Effect.yieldNow, fiber))
    )
    yield* Deferred.succeed(isOpen, undefined)
    const exits = yield* Effect.forEach(fibers, Fiber.await)
    return { alone, exits, lists }
  })

describe("together", () => {
  it.effect("runs few lists, two at a time, with every input in one of them", () =>
    Effect.gen(function* () {
      const { alone, exits, lists } = yield* joined((inputs) => Effect.succeed(inputs.map((n) => 2 * n)))
      assert.deepStrictEqual(
        exits,
        Array.from({ length: count }, (_, n) => Exit.succeed(2 * n))
      )
      assert.deepStrictEqual(alone, [])
      assert.deepStrictEqual(
        lists.flat().sort((a, b) => a - b),
        Array.from({ length: count }, (_, n) => n)
      )
      assert.isAtMost(lists.length, 4)
    })
  )

  it.effect("runs alone whom a list leaves out, and all of a list that failed", () =>
    Effect.gen(function* () {
      const left = yield* joined((inputs) => Effect.succeed(inputs.map((n) => (n === 30 ? undefined : n))))
      assert.deepStrictEqual(left.alone, [30])
      const failed = yield* joined((inputs) =>
        inputs.includes(30) ? Effect.fail(new NotFound({ kind: "lead", id: "x" })) : Effect.succeed(inputs)
      )
      const own = failed.lists.find((list) => list.includes(30)) ?? []
      assert.isAbove(own.length, 1)
      assert.deepStrictEqual(failed.alone.toSorted(), own.toSorted())
      assert.isTrue(failed.exits.every(Exit.isSuccess))
    })
  )

  it.effect("runs nobody again after UNAVAILABLE, since a commit may have been made", () =>
    Effect.gen(function* () {
      const { alone, exits } = yield* joined(() => Effect.fail(new Unavailable({ message: "The answer was lost." })))
      assert.deepStrictEqual(alone, [])
      assert.isTrue(exits.every((exit) => Exit.isFailure(exit)))
    })
  )

  it.effect("serves others when a caller goes away", () =>
    Effect.gen(function* () {
      const isOpen = yield* Deferred.make<void>()
      const join = together((inputs: ReadonlyArray<number>) =>
        Effect.as(
          Deferred.await(isOpen),
          inputs.map((n) => Effect.succeed(n))
        )
      )
      const fibers = yield* Effect.forEach([1, 2, 3], (n) => Effect.forkChild(join("key", n, Effect.die("not alone"))))
      yield* Effect.yieldNow
      const [first, second, third] = fibers
      if (first !== undefined) yield* Fiber.interrupt(first)
      yield* Deferred.succeed(isOpen, undefined)
      assert.strictEqual(second && (yield* Fiber.join(second)), 2)
      assert.strictEqual(third && (yield* Fiber.join(third)), 3)
    })
  )
})
