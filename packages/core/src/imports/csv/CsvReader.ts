/**
 * Parses the records of a CSV file as its bytes arrive: the header first, then one array of cells per row.
 *
 * Each row may end in CRLF, LF or CR. Blank rows are skipped. Quotes follow RFC 4180, leniently inside unquoted cells. Fails with INVALID_INPUT for anything
 * else: a spreadsheet's own format, binary data, a quote that is never closed.
 */
import { Buffer } from "node:buffer"
import { type Parser, parse } from "csv-parse"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { CsvText } from "./CsvText.ts"
import { type Delimiter, sniffDelimiter } from "./csvDialect.ts"

/** The cells of a row. */
export type CsvRecord = ReadonlyArray<string>

/** Bytes used to detect the delimiter. */
const sniffed = 64 * 1024

/** Maximum length of a row; a longer one means an unclosed quote. */
const maxRecordLength = 256 * 1024

/** Detects spreadsheet files by their first four bytes. */
const isWorkbook = (start: Buffer): boolean => ["504b0304", "d0cf11e0"].includes(start.toString("hex"))

/** Reads one file. */
export class CsvReader {
  readonly #text = new CsvText()
  #given: Delimiter | undefined
  #start: Buffer = Buffer.alloc(0)
  /** The first four bytes, undecoded. */
  #signature: Buffer = Buffer.alloc(0)
  #parser: Parser | undefined
  #records: Array<CsvRecord> = []
  #failure: InvalidInput | undefined
  #read = 0

  /** Without `delimiter`, it is detected. */
  constructor(delimiter: Delimiter | undefined) {
    this.#given = delimiter
  }

  /** The delimiter; undefined until enough was read to detect it. */
  get delimiter(): Delimiter | undefined {
    return this.#given
  }

  /** Why the file cannot be read further. The records returned so far are valid. */
  get failure(): InvalidInput | undefined {
    return this.#failure
  }

  /** Takes bytes and returns the records that they complete. */
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

  /** Ends the file and returns its last records. */
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
      this.#failure = new InvalidInput({
        message: "The file is a spreadsheet, not CSV. Save it as CSV (UTF-8) first."
      })
    }
    const dialect = sniffDelimiter(start.subarray(0, sniffed).toString("utf8"))
    this.#given ??= dialect.delimiter
    this.#parser = parse({
      delimiter: this.#given,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      skip_records_with_error: true,
      max_record_size: maxRecordLength,
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
    // The header is record 0.
    const number = this.#read + this.#records.length
    const row = number === 0 ? "The header" : `Row ${number}`
    const problem =
      code === "CSV_QUOTE_NOT_CLOSED"
        ? ": a quote is never closed. Close it, or double it inside a quoted cell."
        : code === "CSV_MAX_RECORD_SIZE"
          ? " is longer than 256 KiB. Check that every quote is closed."
          : " is not valid CSV. Save the file as CSV (UTF-8) again."
    this.#failure ??= new InvalidInput({ message: `${row}${problem}` })
  }

  /** The parser is synchronous: every record arrives before `write` returns. */
  #feed(text: Buffer): void {
    if (text.includes(0))
      this.#failure ??= new InvalidInput({
        message: "The file is not text: it contains NUL characters. Save it as CSV."
      })
    if (this.#failure === undefined && text.length > 0) this.#parser?.write(text)
  }

  #taken(): ReadonlyArray<CsvRecord> {
    const records = this.#records
    this.#records = []
    this.#read += records.length
    return records
  }
}
