/**
 * Instants: ISO 8601 in UTC with milliseconds and `Z`.
 *
 * Records store this text, so they need no conversion to JSON and sort by time as plain text.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { InstantText } from "./RecordIds.ts"

/** An instant of a record, such as `2026-11-21T08:30:00.000Z`. */
export const Instant = Schema.String.annotate({
  format: "date-time",
  description: "UTC timestamp, ISO 8601 with milliseconds, such as 2026-11-21T08:30:00.000Z"
})

/** The instant that was written last: a request asks for the same one several times. */
let last: { readonly millis: number; readonly text: InstantText } | undefined

/** The instant of a time in milliseconds since 1970. */
export const isoFromMillis = (millis: number): InstantText => {
  if (last?.millis === millis) return last.text
  const text = new Date(millis).toISOString()
  last = { millis, text }
  return text
}

/** Something of the current time in milliseconds, from Effect's clock, in one step. */
export const fromClock = <A>(of: (millis: number) => A): Effect.Effect<A> =>
  Effect.withFiber((fiber) => Effect.succeed(of(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())))

/** The current time, from Effect's clock. */
export const now: Effect.Effect<InstantText> = fromClock(isoFromMillis)

/**
 * The `updatedAt` of a change: `at`, or one millisecond after the previous change if the clock has not moved on, so that
 * every state of a record has its own.
 */
export const changedAt = (before: InstantText, at: InstantText): InstantText =>
  at > before ? at : isoFromMillis(Date.parse(before) + 1)
