/** The geometry of bar plots. Pure. */

/** A day and its count. */
export interface Point {
  readonly date: string
  readonly count: number
}

/** The least round number that no count exceeds; it is even, so that the axis has a whole number at its half. */
export const scaleTop = (counts: ReadonlyArray<number>): number => {
  const most = Math.max(1, ...counts)
  let step = 2
  while (most > 5 * step) step = step === 2 ? 10 : step * 10
  return step * Math.ceil(most / step)
}

/** A count other than zero is always seen. */
const minHeight = 2

/** Bars of the same width from left to right: `x` and `width` in percent of the plot, `y` and `height` in pixels. */
export const barsOf = (points: ReadonlyArray<Point>, height: number, top: number) => {
  const step = 100 / points.length
  return points.map(({ count, date }, index) => {
    const tall = count === 0 ? 0 : Math.max(minHeight, (count / top) * height)
    return { date, count, x: index * step, width: step, y: height - tall, height: tall }
  })
}

/** The part of a limit that is used, in percent, at most 100. */
export const shareOf = (used: number, limit: number): number =>
  limit <= 0 ? (used > 0 ? 100 : 0) : Math.min(100, (used / limit) * 100)

const dateFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })
const dayFormat = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC"
})

/** `23 Nov`, of a date such as 2026-11-23. */
export const shortDate = (date: string): string => dateFormat.format(Date.parse(date))

/** `Mon 23 Nov`. */
export const weekdayDate = (date: string): string => dayFormat.format(Date.parse(date)).replace(",", "")
