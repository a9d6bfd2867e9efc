/**
 * Instants as the API writes them: ISO 8601 in UTC with milliseconds and `Z`.
 *
 * Records hold this text, so a record is its own JSON and sorts by time as plain text. Source: gap decision G42.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** An instant of a record, such as `2026-11-21T08:30:00.000Z`. */
export const Instant = Schema.String.annotate({
  format: "date-time",
  description: "Instant in UTC, ISO 8601 with milliseconds, such as 2026-11-21T08:30:00.000Z"
})

/** ISO text of an instant given in milliseconds since 1970. */
export const isoFromMillis = (millis: number): string => new Date(millis).toISOString()

/** The present, from Effect's clock. */
export const now: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, isoFromMillis)

/**
 * The instant of a change: `at`, or one millisecond after the change before when the clock has not moved on. So
 * `updatedAt` tells every two states of a record apart.
 */
export const changedAt = (before: string, at: string): string =>
  at > before ? at : isoFromMillis(Date.parse(before) + 1)
