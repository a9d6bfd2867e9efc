/** How sure a rate is. */

/** The 97.5th percentile of the standard normal distribution, for 95 % between both ends. */
const z = 1.959963984540054

/** A rate with its interval, each from 0 to 1 and rounded to four decimals. */
interface RateInterval {
  readonly rate: number
  readonly low: number
  readonly high: number
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/**
 * The rate of `part` in `whole`, with its 95 % score interval (Wilson, 1927): it never leaves 0 to 1, and says something even of
 * few cases. Null without a case.
 */
export const wilson = (part: number, whole: number): RateInterval | null => {
  if (whole === 0) return null
  const rate = part / whole
  const scale = 1 + z ** 2 / whole
  const center = (rate + z ** 2 / (2 * whole)) / scale
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / whole + z ** 2 / (4 * whole ** 2))
  // At the ends, rounding errors must not leave them.
  const low = part === 0 ? 0 : center - half
  const high = part === whole ? 1 : center + half
  return { rate: rounded(rate), low: rounded(low), high: rounded(high) }
}
