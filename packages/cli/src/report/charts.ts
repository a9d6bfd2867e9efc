/** Bars and sparklines as text, in block elements or ASCII. */

/** Abilities of a terminal. `width` is in columns. */
export interface Screen {
  readonly unicode: boolean
  readonly color: boolean
  readonly width: number
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

/** A bar of `share` (0 to 1) of `width` columns. A share above 0 is always visible. */
export const bar = (share: number, width: number, { unicode }: Pick<Screen, "unicode">): string => {
  const full = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)) * width
  if (full === 0) return ""
  if (!unicode) return "#".repeat(Math.max(1, Math.round(full)))
  const units = Math.max(1, Math.round(full * 8))
  return "█".repeat(Math.floor(units / 8)) + (eighths[units % 8] ?? "")
}

const blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
const ramp = [".", ":", "-", "=", "+", "*", "#", "@"]

/** Sums of adjacent values, at most `width` of them. */
export const fitted = (values: ReadonlyArray<number>, width: number): ReadonlyArray<number> => {
  const size = Math.max(1, Math.ceil(values.length / Math.max(1, width)))
  if (size === 1) return values
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size).reduce((sum, value) => sum + value, 0)
  )
}

/** One character per value, relative to the largest; 0 is a space. */
export const sparkline = (values: ReadonlyArray<number>, { unicode }: Pick<Screen, "unicode">): string => {
  const max = Math.max(0, ...values)
  const marks = unicode ? blocks : ramp
  return values
    .map((value) => {
      if (value <= 0) return " "
      return marks[Math.max(0, Math.ceil((value / max) * marks.length) - 1)] ?? ""
    })
    .join("")
}
