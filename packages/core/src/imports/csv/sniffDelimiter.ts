/** What separates the cells of a file, found by looking at its beginning. Source: G22. */

/** The separators that are tried, the likeliest first. */
export const delimiters = [",", ";", "\t", "|"] as const
export type Delimiter = (typeof delimiters)[number]

/** How a file is written. `skip` are the characters of a spreadsheet's `sep=` line before its header. */
export interface Dialect {
  readonly delimiter: Delimiter
  readonly skip: number
}

const lookedAt = 20

/** How often each separator stands outside of quotes, for each of the first lines that say something. */
const countLines = (text: string): ReadonlyArray<ReadonlyMap<string, number>> => {
  const lines: Array<Map<string, number>> = []
  let line = new Map<string, number>()
  let quoted = false
  let isBlank = true
  for (const character of text) {
    if (character === '"') quoted = !quoted
    else if (character === "\n" && !quoted) {
      if (!isBlank) lines.push(line)
      if (lines.length === lookedAt) return lines
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
 * The dialect of a file by its first characters: the separator that the header has and most lines have as often as the
 * header; the more often the better. A comma when nothing separates, as in a file of one column.
 */
export const sniffDelimiter = (start: string): Dialect => {
  const said = /^sep=([,;\t|])\r?\n/i.exec(start.slice(0, 10))
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
