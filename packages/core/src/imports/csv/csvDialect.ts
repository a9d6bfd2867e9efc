/** How CSV is written and parsed, and the delimiter of a file. */
import { parse } from "csv-parse"

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

/** The cells of a row. */
export type CsvRecord = ReadonlyArray<string>

/** Maximum length of a row; a longer one means an unclosed quote. */
const maxRecordLength = 256 * 1024

/** A parser, without its package's types: what hosts compile must not need Node's. */
export interface CsvParser {
  readonly write: (text: string | Uint8Array) => unknown
  readonly end: () => unknown
}

/** A parser of UTF-8. It is synchronous: every record arrives before its `write` returns. */
export const makeParser = (
  delimiter: Delimiter,
  onRecord: (record: CsvRecord) => void,
  onFault: (code: unknown) => void,
  to = -1
): CsvParser => {
  const parser = parse({
    delimiter,
    to,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    skip_records_with_error: true,
    max_record_size: maxRecordLength,
    on_record: (record: Array<string>) => {
      onRecord(record)
      return null
    },
    on_skip: (error) => {
      onFault(error?.code)
      return undefined
    }
  })
  parser.on("error", (error) => onFault(Reflect.get(error, "code")))
  return parser.resume()
}

const maxLines = 20

/** The first rows of a text as a delimiter separates them. The last line may be cut off, so it counts only if need be. */
const firstRows = (text: string, delimiter: Delimiter): ReadonlyArray<CsvRecord> => {
  const records: Array<CsvRecord> = []
  const parser = makeParser(
    delimiter,
    (record) => records.push(record),
    () => undefined,
    maxLines
  )
  parser.write(text)
  if (records.length < 2) parser.end()
  return records.slice(0, maxLines)
}

/**
 * Detects the dialect: the delimiter that occurs in most lines as often as in the header, and of several the most frequent.
 * A comma for a file with one column.
 */
export const sniffDelimiter = (start: string): Dialect => {
  const said = /^sep=([,;\t|])(?:\r\n?|\n)/i.exec(start.slice(0, 10))
  const named = delimiters.find((delimiter) => delimiter === said?.[1])
  if (named !== undefined) return { delimiter: named, skip: said?.[0].length ?? 0 }
  let best: { readonly delimiter: Delimiter; readonly score: number } = { delimiter: ",", score: 0 }
  for (const delimiter of delimiters) {
    const [header = [], ...lines] = firstRows(start, delimiter)
    const count = header.length - 1
    if (count < 1) continue
    const alike = lines.filter((line) => line.length === header.length).length
    const score = (lines.length === 0 ? 1 : alike / lines.length) * 1_000 + count
    if (score > best.score) best = { delimiter, score }
  }
  return { delimiter: best.delimiter, skip: 0 }
}
