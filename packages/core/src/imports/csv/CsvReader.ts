/**
 * The records of a file, as its bytes come in: header first, then one array of cells for each row.
 *
 * Blank rows are no rows. Quotes are those of RFC 4180, taken leniently inside unquoted cells. What is no table of text
 * ends in a failure INVALID_INPUT: a spreadsheet's own format, binary data, a quote that is never closed. Source: G22.
 */
import { Buffer } from "node:buffer"
import { type Parser, parse } from "csv-parse"
import { type Failure, fail } from "../../Failure.ts"
import { CsvText } from "./CsvText.ts"
import { type Delimiter, sniffDelimiter } from "./sniffDelimiter.ts"

/** The cells of a row. */
export type CsvRecord = ReadonlyArray<string>

/** What is looked at to find the separator, in bytes. */
const sniffed = 64 * 1024

/** The longest row, in characters; a longer one is a quote that is not closed. */
const longestRecord = 512 * 1024

/** By its first four bytes. */
const isWorkbook = (start: Buffer): boolean => ["504b0304", "d0cf11e0"].includes(start.toString("hex"))

/** Reads one file. */
export class CsvReader {
  readonly #text = new CsvText()
  #given: Delimiter | undefined
  #start: Buffer = Buffer.alloc(0)
  /** The first bytes as they came, by which other formats are known. */
  #signature: Buffer = Buffer.alloc(0)
  #parser: Parser | undefined
  #records: Array<CsvRecord> = []
  #failure: Failure | undefined
  #read = 0

  /** `delimiter` separates cells when it is known; it is found otherwise. */
  constructor(delimiter: Delimiter | undefined) {
    this.#given = delimiter
  }

  /** What separates cells; undefined as long as too little was read to know. */
  get delimiter(): Delimiter | undefined {
    return this.#given
  }

  /** Why the file cannot be read on; to be looked at after each piece, when the records before it are taken. */
  get failure(): Failure | undefined {
    return this.#failure
  }

  /** Takes bytes, and answers the records that they complete. */
  push(bytes: Uint8Array): ReadonlyArray<CsvRecord> {
    if (this.#signature.length < 4) this.#signature = Buffer.concat([this.#signature, bytes]).subarray(0, 4)
    const text = this.#text.push(bytes)
    if (this.#parser !== undefined) {
      this.#feed(text)
      return this.#taken()
    }
    this.#start = Buffer.concat([this.#start, text])
    if (this.#start.length < sniffed) return []
    this.#begin()
    return this.#taken()
  }

  /** Ends the file, and answers its last records. */
  end(): ReadonlyArray<CsvRecord> {
    const text = this.#text.end()
    if (this.#parser === undefined) {
      this.#start = Buffer.concat([this.#start, text])
      this.#begin()
    } else this.#feed(text)
    this.#parser?.end()
    return this.#taken()
  }

  #begin(): void {
    const start = this.#start
    this.#start = Buffer.alloc(0)
    if (isWorkbook(this.#signature)) {
      this.#failure = fail("INVALID_INPUT", "The file is a spreadsheet's own format. Save it as CSV (UTF-8) first.")
    }
    const dialect = sniffDelimiter(start.subarray(0, sniffed).toString("utf8"))
    this.#given ??= dialect.delimiter
    this.#parser = parse({
      delimiter: this.#given,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      skip_records_with_error: true,
      max_record_size: longestRecord,
      on_record: (record: Array<string>) => {
        this.#records.push(record)
        return null
      },
      on_skip: (error) => {
        this.#refuse(error?.code)
        return undefined
      }
    })
    this.#parser.on("error", (error) => this.#refuse(Reflect.get(error, "code")))
    this.#parser.resume()
    this.#feed(start.subarray(dialect.skip))
  }

  #refuse(code: unknown): void {
    // The header is record 0, so the number of records so far is that of the row.
    const row = `Row ${this.#read + this.#records.length}`
    const isQuote = code === "CSV_QUOTE_NOT_CLOSED" || code === "CSV_MAX_RECORD_SIZE"
    this.#failure ??= fail(
      "INVALID_INPUT",
      isQuote
        ? `${row}: a quote is opened and never closed. Close it, or write it twice inside a quoted cell.`
        : `${row} cannot be read as CSV. Save the file as CSV (UTF-8) again.`
    )
  }

  /** The parser works at once and hands every record over before `write` returns. */
  #feed(text: Buffer): void {
    if (text.includes(0)) this.#failure ??= fail("INVALID_INPUT", "The file is not text: it holds NUL. Save it as CSV.")
    if (this.#failure === undefined && text.length > 0) this.#parser?.write(text)
  }

  #taken(): ReadonlyArray<CsvRecord> {
    const records = this.#records
    this.#records = []
    this.#read += records.length
    return records
  }
}
