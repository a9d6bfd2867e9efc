/** One thing as people read it: aligned labels, wrapped texts, sections for what is nested; its ids come last. */
import { displayWidth } from "effect/cli/CliOutput"
import * as Predicate from "effect/Predicate"
import type { Json } from "../Output.ts"
import { graphemes, paint, renderTable, type Surface } from "../table.ts"
import { colorIn, columnsFor, isId, isTime, labelOf, plainValue, valueAt } from "./columns.ts"

const sequence = "\\p{RGI_Emoji}"

/** An emoji of one or several characters. */
const emoji = new RegExp(`^${sequence}$`, "v")

/** A grapheme as it is shown: characters that could control the terminal or hide in the text show as �. */
const visible = (grapheme: string): string => {
  if (grapheme === "\t") return "    "
  return emoji.test(grapheme) ? grapheme : grapheme.replaceAll(/\p{C}/gu, "\ufffd")
}

const trailing = (line: string): string => line.replace(/ +$/, (spaces) => "·".repeat(spaces.length))

const wrapLine = (line: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let current = ""
  let used = 0
  // Where the current line may be broken: after its last space.
  let space = 0
  for (const { segment } of graphemes.segment(line)) {
    const shown = visible(segment)
    const wide = displayWidth(shown)
    // A space at the end of a line takes no room.
    if (used + wide > width && current !== "" && shown !== " ") {
      const end = space === 0 ? current.length : space
      lines.push(current.slice(0, end))
      current = current.slice(end)
      used = displayWidth(current)
      space = 0
    }
    current += shown
    used += wide
    if (shown.endsWith(" ")) space = current.length
  }
  return [...lines, current]
}

/**
 * Wraps a text at `width` columns without changing its white space or splitting an emoji; a line that is wrapped may end
 * with spaces beyond the width. Spaces at the end of a line show
 * as `·`; characters that could control the terminal show as `�`.
 */
export const exactLines = (text: string, width: number): ReadonlyArray<string> =>
  text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((line) => wrapLine(trailing(line), width))

/** A terminal of this many columns. */
interface Page extends Surface {
  readonly width: number
  readonly now: number
}

const widestLabel = 24

const mostRows = 10

/** Whether it is an object with fields. */
export const isRow = (value: unknown): value is Json => Predicate.isReadonlyObject(value)

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isRow(value) && Object.values(value).every(isEmpty))

/** Names first, then what is known, then ids. */
const order = (name: string): number => (/^(name|title|handle)$/.test(name) ? 0 : isId(name) ? 3 : isTime(name) ? 2 : 1)

const countsOf = (value: Json): string | undefined => {
  const entries = Object.entries(value)
  if (entries.length < 2 || entries.some(([, count]) => typeof count !== "number")) return undefined
  const some = entries.filter(([, count]) => count !== 0)
  return some.length === 0 ? "none" : some.map(([name, count]) => `${count} ${name}`).join(", ")
}

const isPlain = (value: unknown): boolean => !isRow(value) && !Array.isArray(value)

/** A small object as one line: its name, and its id behind it. */
const nameIn = (value: Json): string | undefined => {
  const entries = Object.entries(value).filter(([, inner]) => !isEmpty(inner))
  if (typeof value["name"] !== "string" || entries.length > 3 || !entries.every(([, inner]) => isPlain(inner))) {
    return undefined
  }
  const rest = entries.filter(([name]) => name !== "name").map(([, inner]) => String(inner))
  return rest.length === 0 ? value["name"] : `${value["name"]} (${rest.join(", ")})`
}

/** The value as one text, if it is one. */
const textOf = (name: string, value: unknown, now: number): string | undefined => {
  if (isRow(value)) return countsOf(value) ?? nameIn(value)
  if (Array.isArray(value)) {
    if (value.some((item) => !isPlain(item))) return undefined
    return value.every((item) => String(item).length < 30 && !String(item).includes(" "))
      ? value.join(", ")
      : value.map((item) => `• ${String(item)}`).join("\n")
  }
  if (isTime(name) && typeof value === "string") {
    const relative = plainValue(name, value, now)
    return relative === value ? value : `${relative} (${value.replace(/:\d\d(\.\d+)?Z$/, "Z").replace("T", " ")})`
  }
  return plainValue(name, value, now)
}

/** Each label once: some fields stand under two spellings of their name. */
const entriesOf = (row: Json): ReadonlyArray<readonly [string, unknown]> => {
  const seen = new Set<string>()
  return Object.entries(row)
    .filter(([name, value]) => {
      const label = labelOf(name)
      if (isEmpty(value) || seen.has(label)) return false
      seen.add(label)
      return true
    })
    .toSorted(([one], [other]) => order(one) - order(other))
}

const indented = (lines: ReadonlyArray<string>) => lines.map((line) => (line === "" ? "" : `  ${line}`))

/** A text that a table would cut. */
const hasLongText = (row: Json): boolean =>
  Object.values(row).some((value) => typeof value === "string" && (value.length > 60 || value.includes("\n")))

const section = (name: string, value: unknown, page: Page): ReadonlyArray<string> => {
  const inner = { ...page, width: page.width - 2 }
  if (!Array.isArray(value)) return isRow(value) ? indented(linesOf(value, inner)) : []
  const rows = value.filter(isRow)
  const more = rows.length > mostRows ? [paint(2, `… ${rows.length - mostRows} more`, page)] : []
  const shown = rows.slice(0, mostRows)
  if (shown.some(hasLongText)) {
    return indented([...shown.flatMap((row, at) => [...(at === 0 ? [] : [""]), ...linesOf(row, inner)]), ...more])
  }
  const columns = columnsFor(name, rows)
  const cells = shown.map((row) => columns.map((column) => valueAt(row, column)))
  return indented([...renderTable(columns, cells, inner).split("\n"), ...more])
}

const linesOf = (row: Json, page: Page): ReadonlyArray<string> => {
  const entries = entriesOf(row).map(([name, value]) => ({ name, value, text: textOf(name, value, page.now) }))
  const texts = entries.filter(({ text }) => text !== undefined)
  const labels = Math.min(widestLabel, Math.max(0, ...texts.map(({ name }) => displayWidth(labelOf(name))))) + 2
  const facts = texts.flatMap(({ name, text = "", value }) => {
    // A key or a URL is left to the terminal to break, or it could not be copied.
    const room = /\s/.test(text.trim()) ? Math.max(20, page.width - labels) : Number.POSITIVE_INFINITY
    const lines = exactLines(text.trimEnd(), room)
    return lines.map((line, index) => {
      const label = index === 0 ? labelOf(name) : ""
      const padding = " ".repeat(Math.max(1, labels - displayWidth(label)))
      return `${paint(2, label, page)}${padding}${paint(colorIn(name, value), line.trimEnd(), page)}`.trimEnd()
    })
  })
  const sections = entries
    .filter(({ text }) => text === undefined)
    .flatMap(({ name, value }) => ["", paint(1, labelOf(name), page), ...section(name, value, page)])
  return facts.length === 0 && sections[0] === "" ? sections.slice(1) : [...facts, ...sections]
}

/** The text of the view. */
export const detailView = (row: Json, page: Page): string => linesOf(row, page).join("\n")
