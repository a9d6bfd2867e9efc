/** Contract suites whose tests choose the day, and in which no two things happen at once. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import type { World } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

/** Days since Monday 2026-11-16 09:00 UTC. */
let today = 0

/** Lets the commands that follow run on another day. */
export const onDay = (day: number): Effect.Effect<void> =>
  Effect.sync(() => {
    today = day
  })

const start = Date.parse("2026-11-16T09:00:00.000Z")
const live = Clock.Clock.defaultValue()
let ticks = 0

/** Each look at it is a millisecond later, so that what happens one after the other is told apart. */
const millis = (): number => start + today * 24 * 60 * 60 * 1000 + ticks++

const clock: Clock.Clock = {
  ...live,
  currentTimeMillisUnsafe: millis,
  currentTimeMillis: Effect.sync(millis),
  currentTimeNanosUnsafe: () => live.currentTimeNanosUnsafe(),
  currentTimeNanos: live.currentTimeNanos,
  sleep: (duration) => live.sleep(duration)
}

/** Runs a suite on every store, with a layer that every test of it shares. */
export const eachOutreach = (name: string, suite: (layer: Layer.Layer<World, Failure>) => void): void =>
  eachBackend(name, (world) => suite(world.pipe(Layer.provideMerge(Layer.succeed(Clock.Clock, clock)))))
