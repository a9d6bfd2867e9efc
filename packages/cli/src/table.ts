/**
 * Tables: aligned columns that fit the terminal, or tab-separated values for programs. Control characters are removed, so
 * that text by strangers cannot control the terminal.
 */
import { displayWidth } from "effect/cli/CliOutput"

/** The output. `width` is undefined for a pipe or a file. */
export interface Surface {
  readonly width: number | undefined
}

/** The surface of stdout. */
export const stdoutSurface = (): Surface => ({
  width: process.stdout.isTTY ? (process.stdout.columns ?? 80) : undefined
})

/** A value as one line of visible text: `""` for null, JSON for objects. */
export const cellOf = (value: unknown): string => {
  if (value === undefined || value === null) return ""
  const text = typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value)
  return text
    .replaceAll(/[\s\u2028\u2029]+/gu, " ")
    .replaceAll(/\p{C}/gu, "")
    .trim()
}

/** The text, cut to a number of columns. */
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

/** Ids are cut last, because a part of an id is useless. */
const isId = (column: string): boolean => /(^|_)id$/.test(column)

/** Widths that fit the terminal. The widest columns are cut first, ids last. */
const fitWidths = (
  columns: ReadonlyArray<string>,
  wanted: ReadonlyArray<number>,
  available: number
): ReadonlyArray<number> => {
  const widths = [...wanted]
  const over = () => widths.reduce((sum, width) => sum + width + gap, -gap) - available
  for (const mayShrink of [(index: number) => !isId(columns[index] ?? ""), () => true]) {
    while (over() > 0) {
      const widest = Math.max(...widths.map((width, index) => (mayShrink(index) ? width : 0)))
      if (widest <= narrowest) break
      widths[widths.findIndex((width, index) => width === widest && mayShrink(index))] = widest - 1
    }
  }
  return widths
}

/** The rows as lines, with a header on a terminal. */
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
