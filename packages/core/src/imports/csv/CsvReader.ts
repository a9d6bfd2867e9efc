/**
 * Parses the records of a CSV file as its bytes arrive: the header first, then one array of cells per row.
 *
 * Each row may end in CRLF, LF or CR. Blank rows are skipped. Quotes follow RFC 4180, leniently inside unquoted cells. Fails with INVALID_INPUT for anything
 * else: a spreadsheet's own format, binary data, a quote that is never closed.
 */
import { Buffer, isUtf8 } from "node:buffer"
import { TextDecoder } from "node:util"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { type CsvParser, type CsvRecord, type Delimiter, makeParser, sniffDelimiter } from "./csvDialect.ts"

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
  #parser: CsvParser | undefined
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
      this.failure = new InvalidInput({ message: "The file is a spreadsheet, not CSV. Save it as CSV (UTF-8) first." })
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

type Encoding = "utf-8" | "utf-16le" | "utf-16be"

const lineFeed = 0x0a

const carriageReturn = 0x0d

/** Longer lines are decoded in pieces. */
const maxLineLength = 1024 * 1024

/** Bytes used to detect the encoding. */
const detectedBytes = 256

const encodingOf = (start: Buffer): readonly [Encoding, number] => {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return ["utf-8", 3]
  if (start[0] === 0xff && start[1] === 0xfe) return ["utf-16le", 2]
  if (start[0] === 0xfe && start[1] === 0xff) return ["utf-16be", 2]
  // In UTF-16, one half of each ASCII character is zero.
  const sample = start.subarray(0, detectedBytes)
  const zerosAt = (half: number) => sample.filter((byte, index) => byte === 0 && index % 2 === half).length
  const [first, second] = [zerosAt(0), zerosAt(1)]
  if (first + second < 2 || first === second) return ["utf-8", 0]
  return [first > second ? "utf-16be" : "utf-16le", 0]
}

/** The characters 0x80 to 0x9f; all others are those of Latin-1. Not every Node.js build decodes windows-1252. */
const windows1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178"

const fromWindows1252 = (line: Buffer): Buffer =>
  Buffer.from(line.toString("latin1").replace(/[\x80-\x9f]/g, (unit) => windows1252.charAt(unit.charCodeAt(0) - 0x80)))

/** Decodes line by line where the lines differ; `lineEnds` are those to split at. */
const decode = (block: Buffer, [lineEnd, ...others]: ReadonlyArray<number> = [lineFeed, carriageReturn]): Buffer => {
  if (isUtf8(block)) return block
  if (lineEnd === undefined) return fromWindows1252(block)
  const lines: Array<Buffer> = []
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf(lineEnd, start)
    const line = block.subarray(start, end === -1 ? block.length : end + 1)
    lines.push(decode(line, others))
    start += line.length
  }
  return Buffer.concat(lines)
}

/** A streaming decoder. */
export class CsvText {
  #encoding: Encoding | undefined
  #utf16: TextDecoder | undefined
  #rest: Buffer = Buffer.alloc(0)

  /** Returns the complete lines so far as UTF-8; the rest waits until it is complete or the file ends. */
  push(bytes: Uint8Array, isLast = false): Buffer {
    const block = Buffer.concat([this.#rest, bytes])
    if (this.#encoding === undefined && block.length < detectedBytes && !isLast) {
      this.#rest = block
      return Buffer.alloc(0)
    }
    const text = this.#begin(block)
    if (this.#utf16 !== undefined) {
      this.#rest = Buffer.alloc(0)
      return Buffer.from(this.#utf16.decode(text, { stream: !isLast }))
    }
    const end = Math.max(text.lastIndexOf(lineFeed), text.lastIndexOf(carriageReturn)) + 1
    const cut = isLast || (end === 0 && text.length > maxLineLength) ? text.length : end
    this.#rest = text.subarray(cut)
    return decode(text.subarray(0, cut))
  }

  /** Detects the encoding and removes the byte order mark. */
  #begin(block: Buffer): Buffer {
    if (this.#encoding !== undefined) return block
    const [encoding, mark] = encodingOf(block)
    this.#encoding = encoding
    if (encoding !== "utf-8") this.#utf16 = new TextDecoder(encoding)
    return block.subarray(mark)
  }
}
