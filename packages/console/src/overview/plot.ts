/** Where the bars of a plot are. Pure. */

/** One bar. */
interface Bar {
  readonly label: string
  readonly value: number
  readonly x: number
  readonly width: number
  readonly height: number
}

/** The first round number at or above a value: 1, 2, 5, 10, 20, 50 and so on. */
export const roundMaximum = (value: number): number => {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((factor) => factor * power).find((round) => round >= value) ?? value
}

/** The bars of values in a box, from its lower left corner. */
export const barsOf = (
  values: ReadonlyArray<readonly [label: string, value: number]>,
  box: { readonly width: number; readonly height: number; readonly maximum: number }
): ReadonlyArray<Bar> => {
  const step = box.width / Math.max(1, values.length)
  const gap = Math.min(3, step * 0.2)
  return values.map(([label, value], index) => ({
    label,
    value,
    x: index * step + gap / 2,
    width: step - gap,
    // What is not zero can be seen.
    height: value === 0 ? 0 : Math.max(2, (value / box.maximum) * box.height)
  }))
}

/** Every date from one to another, both included. */
export const datesBetween = (from: string, to: string): ReadonlyArray<string> => {
  const dates: Array<string> = []
  for (let at = Date.parse(`${from}T00:00:00Z`); at <= Date.parse(`${to}T00:00:00Z`); at += 86_400_000) {
    dates.push(new Date(at).toISOString().slice(0, 10))
  }
  return dates
}
