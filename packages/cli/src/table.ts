/**
 * Tables: aligned columns that fit the terminal, or tab-separated values for programs. Control characters are removed, so
 * that text by strangers cannot control the terminal.
 */

import { displayWidth } from "effect/cli/CliOutput"
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import { out } from "./Output.ts"
import { wrapWords } from "./usageText.ts"
import { colorIn, headerOf, isId, isName, isState, plainValue } from "./view/columns.ts"

/** The output. `width` is undefined for a pipe or a file. */
export interface Surface {
  readonly width: number | undefined
  readonly color?: boolean
  /** What relative times refer to, in milliseconds; without it, times are shown as they are. */
  readonly now?: number
}

/** The surface of stdout. */
export const stdoutSurface = (): Surface => ({
  width: process.stdout.isTTY ? (process.stdout.columns ?? 80) : undefined,
  color: TerminalCapabilities.defaultValue().canColor,
  now: Date.now()
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

/** Colors a text of a terminal. */
export const paint = (code: number | undefined, text: string, { color }: Pick<Surface, "color">): string =>
  color === true && code !== undefined && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text

/** Characters as people count them. */
export const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** The text, cut to a number of columns. */
const fitted = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text
  let shown = ""
  let used = 1
  for (const { segment } of graphemes.segment(text)) {
    used += displayWidth(segment)
    if (used > width) break
    shown += segment
  }
  return `${shown}…`
}

/** An id that is cut shows its kind and its end, by which people tell ids apart. */
const fittedId = (id: string, width: number): string => {
  if (id.length <= width) return id
  const kind = /^[a-z]+_/.exec(id)?.[0] ?? ""
  return `${kind}…${id.slice(-Math.max(1, width - kind.length - 1))}`
}

const gap = 2
const narrowest = 8
const narrowestId = 12
const narrowestName = 24

/** How narrow a column may become. States are never cut. */
const minimumOf = (column: string, wanted: number): number => {
  if (isState(column)) return wanted
  return isId(column) ? narrowestId : isName(column) ? narrowestName : narrowest
}

/** Widths that fit the terminal: ids are shortened first, then the widest columns, and then the last ones are left out. */
const fitWidths = (columns: ReadonlyArray<string>, wanted: ReadonlyArray<number>, available: number) => {
  const widths = [...wanted]
  const over = () => widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + gap), -gap) - available
  for (const mayShrink of [(column: string) => isId(column), () => true]) {
    while (over() > 0) {
      const room = widths.map((width, index) =>
        mayShrink(columns[index] ?? "") ? width - minimumOf(columns[index] ?? "", wanted[index] ?? 0) : 0
      )
      const most = Math.max(...room)
      if (most <= 0) break
      const at = room.indexOf(most)
      widths[at] = (widths[at] ?? 0) - 1
    }
  }
  for (let last = widths.length - 1; last > 0 && over() > 0; last--) widths[last] = 0
  if (over() > 0) widths[0] = available
  return widths
}

/** Columns that the last one needs to wrap beside the others; with less it wraps below them. */
const narrowestProse = 24
const belowIndent = 6

/** The rows as lines, with a header on a terminal. Texts of the last column are wrapped instead of cut where it is prose. */
export const renderTable = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  { color = false, now, width }: Surface,
  { prose = false }: { readonly prose?: boolean } = {}
): string => {
  if (width === undefined) return rows.map((row) => row.map(cellOf).join("\t")).join("\n")
  const textOf = (value: unknown, index: number) =>
    cellOf(now === undefined ? value : plainValue(columns[index] ?? "", value, now))
  const cells = rows.map((row) => row.map(textOf))
  const header = columns.map(headerOf)
  const wanted = columns.map((_, index) =>
    Math.max(...[header, ...cells].map((line) => displayWidth(line[index] ?? "")))
  )
  const lead = wanted.slice(0, -1).reduce((sum, one) => sum + one + gap, 0)
  const isBeside = width - lead >= narrowestProse
  const proseIndent = isBeside ? lead : belowIndent
  const widths = prose ? wanted : fitWidths(columns, wanted, width)
  const shown = columns.flatMap((column, index) => ((widths[index] ?? 0) > 0 ? [{ column, index }] : []))
  const proseOf = (text: string): string => {
    const lines = wrapWords(text, width - proseIndent)
    return [...(isBeside || lead + displayWidth(text) <= width ? [] : [""]), ...lines].join(
      `\n${" ".repeat(proseIndent)}`
    )
  }
  const line = (texts: ReadonlyArray<string>, colorAt: (index: number) => number | undefined) =>
    shown
      .map(({ column, index }) => {
        if (prose && index === columns.length - 1) return paint(colorAt(index), proseOf(texts[index] ?? ""), { color })
        const room = widths[index] ?? 0
        const text = isId(column) ? fittedId(texts[index] ?? "", room) : fitted(texts[index] ?? "", room)
        const padding = " ".repeat(Math.max(0, room - displayWidth(text)) + gap)
        return `${paint(colorAt(index), text, { color })}${padding}`
      })
      .join("")
      .replaceAll(/ +$/gm, "")
  return [
    line(header, () => 2),
    ...cells.map((texts, row) => line(texts, (index) => colorIn(columns[index] ?? "", rows[row]?.[index])))
  ].join("\n")
}

/** The terminal. `height` is undefined for a pipe or a file. */
interface Screen {
  readonly height: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The screen of stdout. */
const stdoutScreen = (): Screen => ({
  height: process.stdout.isTTY ? process.stdout.rows : undefined,
  env: process.env
})

/** The shell command of the pager for a text; undefined if none is needed. */
export const pagerFor = (text: string, { env, height }: Screen): string | undefined => {
  // The shell prompt takes one line.
  if (height === undefined || text.split("\n").length < height || env["TERM"] === "dumb") return undefined
  const command = (env["SVC_PAGER"] ?? env["PAGER"] ?? "less").trim()
  return command === "" || command === "cat" ? undefined : command
}

/** Shows a text in a pager; false if the command does not exist. */
const showInPager = async (command: string, text: string, env: Screen["env"]): Promise<boolean> => {
  const { spawn } = await import("node:child_process")
  // The usual options of less: quit if it fits, keep colors, leave the text on the screen.
  const pager = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"], env: { LESS: "FRX", ...env } })
  // Quitting early closes the pipe.
  pager.stdin.on("error", () => undefined)
  pager.stdin.end(`${text}\n`)
  const exitCode = await new Promise((resolve) => pager.once("close", resolve))
  return exitCode !== 126 && exitCode !== 127
}

/** Prints a text, through a pager if it is longer than the screen. */
export const outPaged = Effect.fnUntraced(function* (text: string, screen: Screen = stdoutScreen()) {
  const command = pagerFor(text, screen)
  const isShown = command !== undefined && (yield* Effect.promise(() => showInPager(command, text, screen.env)))
  if (!isShown) yield* out(text)
})

/** Prints a table on stdout whose last column is prose. */
export const outTable = (columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<unknown>>) =>
  Effect.suspend(() => outPaged(renderTable(columns, rows, stdoutSurface(), { prose: true })))
