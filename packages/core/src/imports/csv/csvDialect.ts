/** How CSV is written, and the delimiter of a file. */

/**
 * Whether a spreadsheet could run a text as a formula, after skipping invisible characters and folding full-width, small
 * and superscript forms as spreadsheets do. A leading apostrophe prevents that.
 */
const isFormula = (text: string): boolean =>
  /^[\t\r\n]/.test(text) ||
  /^[=+\-@−]/.test(
    text
      .replace(/^[\s\p{C}\p{M}]+/u, "")
      .slice(0, 1)
      .normalize("NFKC")
  )

const cell = (text: string): string => {
  const safe = isFormula(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line, including its line end. */
export const csvLine = (cells: ReadonlyArray<string>): string => `${cells.map(cell).join(",")}\r\n`

/** The supported delimiters, the most likely first. */
export const delimiters = [",", ";", "\t", "|"] as const

export type Delimiter = (typeof delimiters)[number]

/** The delimiter, and the length of a `sep=` line before the header. */
interface Dialect {
  readonly delimiter: Delimiter
  readonly skip: number
}

const maxLines = 20

/** Counts each delimiter outside of quotes, for each of the first {@link maxLines} lines that are not blank. */
const countLines = (text: string): ReadonlyArray<ReadonlyMap<string, number>> => {
  const lines: Array<Map<string, number>> = []
  let line = new Map<string, number>()
  let quoted = false
  let isBlank = true
  for (const character of text) {
    if (character === '"') quoted = !quoted
    else if ((character === "\n" || character === "\r") && !quoted) {
      if (!isBlank) lines.push(line)
      if (lines.length === maxLines) return lines
      line = new Map()
      isBlank = true
      continue
    } else if (!quoted && (character === "," || character === ";" || character === "\t" || character === "|")) {
      line.set(character, (line.get(character) ?? 0) + 1)
    }
    if (character.trim() !== "") isBlank = false
  }
  if (!isBlank && lines.length < 2) lines.push(line)
  return lines
}

/**
 * Detects the dialect: the delimiter that occurs in most lines as often as in the header, and of several the most frequent.
 * A comma for a file with one column.
 */
export const sniffDelimiter = (start: string): Dialect => {
  const said = /^sep=([,;\t|])(?:\r\n?|\n)/i.exec(start.slice(0, 10))
  const named = delimiters.find((delimiter) => delimiter === said?.[1])
  if (named !== undefined) return { delimiter: named, skip: said?.[0].length ?? 0 }
  const [header, ...lines] = countLines(start)
  let best: { readonly delimiter: Delimiter; readonly score: number } = { delimiter: ",", score: 0 }
  for (const delimiter of delimiters) {
    const count = header?.get(delimiter) ?? 0
    if (count === 0) continue
    const alike = lines.filter((line) => line.get(delimiter) === count).length
    const score = (lines.length === 0 ? 1 : alike / lines.length) * 1_000 + count
    if (score > best.score) best = { delimiter, score }
  }
  return { delimiter: best.delimiter, skip: 0 }
}
