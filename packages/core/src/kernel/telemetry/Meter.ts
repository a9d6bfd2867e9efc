/**
 * Counters and histograms with labels, in Effect's metric registry, which `/metrics` and the telemetry export read.
 *
 * Every label has a small, known set of values: route patterns, command ids, codes. Never an id, an organization or a
 * text, which would create unlimited series and expose personal data.
 */
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/** Adds an amount to the series of some label values: as an effect, or at once in the context of a fiber. */
interface Meter<Label extends string> {
  (labels: Readonly<Record<Label, string>>, amount: number): Effect.Effect<void>
  readonly now: (context: Context.Context<never>, labels: Readonly<Record<Label, string>>, amount: number) => void
}

/** A meter that keeps one metric for each combination of label values. */
const metered = <Label extends string>(
  labels: ReadonlyArray<Label>,
  make: (attributes: Readonly<Record<string, string>>) => Metric.Metric<number, unknown>
): Meter<Label> => {
  const series = new Map<string, Metric.Metric<number, unknown>>()
  const of = (values: Readonly<Record<Label, string>>): Metric.Metric<number, unknown> => {
    const key = labels.map((label) => values[label]).join("\n")
    const known = series.get(key)
    if (known !== undefined) return known
    const made = make(Object.fromEntries(labels.map((label) => [label, values[label]])))
    series.set(key, made)
    return made
  }
  return Object.assign((values: Readonly<Record<Label, string>>, amount: number) => Metric.update(of(values), amount), {
    now: (context: Context.Context<never>, values: Readonly<Record<Label, string>>, amount: number) =>
      of(values).updateUnsafe(amount, context)
  })
}

/** A counter. Its name ends with `_total`. */
export const counter = <Label extends string>(
  name: `${string}_total`,
  description: string,
  labels: ReadonlyArray<Label>
): Meter<Label> => metered(labels, (attributes) => Metric.counter(name, { description, attributes, incremental: true }))

/** Histogram bounds in seconds, from a fast in-process command to a timeout. */
const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A histogram of durations in seconds. Its name ends with `_seconds`. */
export const durations = <Label extends string>(
  name: `${string}_seconds`,
  description: string,
  labels: ReadonlyArray<Label>
): Meter<Label> => metered(labels, (attributes) => Metric.histogram(name, { description, attributes, boundaries }))
