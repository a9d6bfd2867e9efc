/**
 * Rows for people: aligned columns cut to the terminal's width, or one line of tab-separated values each when the output
 * is read by a program. What strangers wrote cannot move the cursor, colour or clear a terminal.
 *
 * Source: ecosystem research 1.1 ("borderless aligned columns, truncated to width, TSV when piped").
 */
import { displayWidth } from "effect/cli/CliOutput"

/** Where the rows are shown. `width` is undefined where nobody looks at columns: a pipe or a file. */
export interface Surface {
  readonly width: number | undefined
}

/** The surface that stdout is. */
export const stdoutSurface = (): Surface => ({
  width: process.stdout.isTTY ? (process.stdout.columns ?? 80) : undefined
})

/** A value as one line of visible text: `""` for nothing, JSON for what is nested. */
export const cellOf = (value: unknown): string => {
  if (value === undefined || value === null) return ""
  const text = typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value)
  return text
    .replaceAll(/[\s\u2028\u2029]+/gu, " ")
    .replaceAll(/\p{C}/gu, "")
    .trim()
}

/** The beginning of a text that fits into so many columns. */
const fitted = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text
  let shown = ""
  let used = 1
  for (const sign of text) {
    used += displayWidth(sign)
    if (used > width) break
    shown += sign
  }
  return `${shown}…`
}

const gap = 2
const narrowest = 8

/** An id that is cut is of no use: everything else gives way before it. */
const isId = (column: string): boolean => /(^|_)id$/.test(column)

/** Widths that fit together: the widest column gives way first, ids last. */
const fitWidths = (
  columns: ReadonlyArray<string>,
  wanted: ReadonlyArray<number>,
  room: number
): ReadonlyArray<number> => {
  const widths = [...wanted]
  const over = () => widths.reduce((sum, width) => sum + width + gap, -gap) - room
  for (const mayGive of [(index: number) => !isId(columns[index] ?? ""), () => true]) {
    while (over() > 0) {
      const widest = Math.max(...widths.map((width, index) => (mayGive(index) ? width : 0)))
      if (widest <= narrowest) break
      widths[widths.findIndex((width, index) => width === widest && mayGive(index))] = widest - 1
    }
  }
  return widths
}

/** The rows as lines. The header is shown to people only. */
export const renderTable = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  { width }: Surface
): string => {
  const cells = rows.map((row) => row.map(cellOf))
  if (width === undefined) return cells.map((row) => row.join("\t")).join("\n")
  const lines = [columns.map((column) => column.toUpperCase()), ...cells]
  const wanted = columns.map((_, index) => Math.max(...lines.map((line) => displayWidth(line[index] ?? ""))))
  const widths = fitWidths(columns, wanted, width)
  return lines
    .map((line) =>
      line
        .map((cell, index) => {
          const shown = fitted(cell, widths[index] ?? 0)
          return index === line.length - 1
            ? shown
            : shown + " ".repeat((widths[index] ?? 0) - displayWidth(shown) + gap)
        })
        .join("")
        .trimEnd()
    )
    .join("\n")
}
