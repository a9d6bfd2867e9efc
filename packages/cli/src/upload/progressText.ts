/** The progress of an import as a line of text. */

/** The number of rows at a time, in milliseconds. */
export interface Sample {
  readonly rows: number
  readonly millis: number
}

/** A running import. `total` is an estimate. */
interface Progress {
  readonly label: string
  readonly total: number | undefined
  /** Samples in order, as many as the rate needs. */
  readonly samples: ReadonlyArray<Sample>
}

const rateWindow = 10_000

/** Adds a sample, and drops those outside the rate window. */
export const withSample = (samples: ReadonlyArray<Sample>, sample: Sample): ReadonlyArray<Sample> => {
  const kept = samples.filter(({ millis }) => sample.millis - millis <= rateWindow)
  const [oldest] = kept.length > 0 ? [] : samples.slice(-1)
  return [...(oldest === undefined ? [] : [oldest]), ...kept, sample]
}

/** Rows per second between the first and the last sample; undefined with fewer than two. */
export const rateOf = (samples: ReadonlyArray<Sample>): number | undefined => {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.millis <= first.millis) return undefined
  return ((last.rows - first.rows) * 1_000) / (last.millis - first.millis)
}

const whole = (value: number): string => Math.round(value).toLocaleString("en")

const two = (value: number): string => String(value).padStart(2, "0")

/** Seconds as `m:ss`, or `h:mm:ss`. */
export const duration = (seconds: number): string => {
  const all = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(all / 3_600), Math.floor(all / 60) % 60, all % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const parts = ({ samples, total }: Progress): ReadonlyArray<string> => {
  const rows = samples.at(-1)?.rows ?? 0
  const rate = rateOf(samples)
  // Lines inside quotes count as rows before the file is read.
  const known = total === undefined ? undefined : Math.max(total, rows)
  const left = known === undefined || rate === undefined || rate <= 0 ? undefined : (known - rows) / rate
  return [
    ...(known === undefined || known === 0 ? [] : [`${Math.floor((rows / known) * 100)}%`]),
    known === undefined ? `${whole(rows)} rows` : `${whole(rows)} of ${whole(known)} rows`,
    ...(rate === undefined ? [] : [`${whole(rate)} rows/s`]),
    ...(left === undefined ? [] : [`${duration(left)} left`])
  ]
}

/** The line for a terminal of this many columns; without the name where both do not fit. */
export const terminalLine = (progress: Progress, columns: number): string => {
  const numbers = parts(progress).join("  ")
  const line = `${progress.label}  ${numbers}`
  return line.length < columns ? line : numbers.slice(0, Math.max(20, columns - 1))
}

/** The line for a log. */
export const progressLine = (progress: Progress): string => `${progress.label}: ${parts(progress).join(", ")}`
