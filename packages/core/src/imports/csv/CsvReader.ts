/**
 * Parses the records of a CSV file as its bytes arrive: the header first, then one array of cells per row.
 *
 * Each row may end in CRLF, LF or CR. Blank rows are skipped. Quotes follow RFC 4180, leniently inside unquoted cells. Fails with INVALID_INPUT for anything
 * else: a spreadsheet's own format, binary data, a quote that is never closed.
 */
import { Buffer } from "node:buffer"
import type { Parser } from "csv-parse"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { CsvText } from "./CsvText.ts"
import { type CsvRecord, type Delimiter, makeParser, sniffDelimiter } from "./csvDialect.ts"

/** Bytes used to detect the delimiter. */
const sniffed = 64 * 1024

/** Detects spreadsheet files by their first four bytes. */
const isWorkbook = (start: Buffer): boolean => ["504b0304", "d0cf11e0"].includes(start.toString("hex"))

/** Reads one file. */
export class CsvReader {
  /** The delimiter; undefined until enough was read to detect it. */
  delimiter: Delimiter | undefined
  /** Why the file cannot be read further. The records returned so far are valid. */
  failure: InvalidInput | undefined
  readonly #text = new CsvText()
  #start: Buffer = Buffer.alloc(0)
  /** The first four bytes, undecoded. */
  #signature: Buffer = Buffer.alloc(0)
  #parser: Parser | undefined
  #records: Array<CsvRecord> = []
  #read = 0

  /** Without `delimiter`, it is detected. */
  constructor(delimiter: Delimiter | undefined) {
    this.delimiter = delimiter
  }

  /** Takes bytes and returns the records that they complete. */
  push(bytes: Uint8Array, isLast = false): ReadonlyArray<CsvRecord> {
    if (this.#signature.length < 4) this.#signature = Buffer.concat([this.#signature, bytes]).subarray(0, 4)
    const text = this.#text.push(bytes, isLast)
    if (this.#parser !== undefined) this.#feed(text)
    else {
      this.#start = Buffer.concat([this.#start, text])
      if (isLast || this.#start.length >= sniffed) this.#begin(this.#start)
    }
    if (isLast) this.#parser?.end()
    const records = this.#records
    this.#records = []
    this.#read += records.length
    return records
  }

  /** Ends the file and returns its last records. */
  end(): ReadonlyArray<CsvRecord> {
    return this.push(Buffer.alloc(0), true)
  }

  #begin(start: Buffer): void {
    this.#start = Buffer.alloc(0)
    if (isWorkbook(this.#signature)) {
      this.failure = new InvalidInput({
        message: "The file is a spreadsheet, not CSV. Save it as CSV (UTF-8) first."
      })
    }
    const dialect = sniffDelimiter(start.subarray(0, sniffed).toString("utf8"))
    this.delimiter ??= dialect.delimiter
    this.#parser = makeParser(
      this.delimiter,
      (record) => this.#records.push(record),
      (code) => this.#refuse(code)
    )
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
    this.failure ??= new InvalidInput({ message: `${row}${problem}` })
  }

  /** The parser is synchronous: every record arrives before `write` returns. */
  #feed(text: Buffer): void {
    if (text.includes(0))
      this.failure ??= new InvalidInput({
        message: "The file is not text: it contains NUL characters. Save it as CSV."
      })
    if (this.failure === undefined && text.length > 0) this.#parser?.write(text)
  }
}
