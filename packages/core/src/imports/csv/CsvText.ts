/**
 * The bytes of a file as UTF-8, whatever they were written in: UTF-8 with or without mark, UTF-16 with its mark (a
 * spreadsheet's "Unicode text"), or Windows-1252.
 *
 * A line that is no UTF-8 is read as Windows-1252, line by line, so one stray line spoils no other. Line ends are the same
 * bytes in both, so quotes need not be understood here. Source: G22.
 */
import { Buffer, isUtf8 } from "node:buffer"
import { TextDecoder } from "node:util"

type Encoding = "utf-8" | "utf-16le" | "utf-16be"

const lineFeed = 0x0a

/** The longest line whose end is waited for; a longer one is read in pieces. */
const longestLine = 1024 * 1024

const encodingOf = (start: Buffer): readonly [Encoding, number] => {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return ["utf-8", 3]
  if (start[0] === 0xff && start[1] === 0xfe) return ["utf-16le", 2]
  if (start[0] === 0xfe && start[1] === 0xff) return ["utf-16be", 2]
  return ["utf-8", 0]
}

/** What 0x80 to 0x9f stand for; the others are those of Latin-1. Not every Node's own decoder knows the difference. */
const windows1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178"

const fromWindows1252 = (line: Buffer): Buffer =>
  Buffer.from(line.toString("latin1").replace(/[\x80-\x9f]/g, (unit) => windows1252.charAt(unit.charCodeAt(0) - 0x80)))

const lineByLine = (block: Buffer): Buffer => {
  const lines: Array<Buffer> = []
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf(lineFeed, start)
    const line = block.subarray(start, end === -1 ? block.length : end + 1)
    lines.push(isUtf8(line) ? line : fromWindows1252(line))
    start += line.length
  }
  return Buffer.concat(lines)
}

/** Reads a file piece by piece. */
export class CsvText {
  #encoding: Encoding | undefined
  #utf16: TextDecoder | undefined
  #rest: Buffer = Buffer.alloc(0)

  /** The text of the bytes so far that was not answered yet, as UTF-8; what follows the last line end waits. */
  push(bytes: Uint8Array): Buffer {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const block = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    if (this.#encoding === undefined && block.length < 3) {
      this.#rest = block
      return Buffer.alloc(0)
    }
    const text = this.#begin(block)
    if (this.#utf16 !== undefined) {
      this.#rest = Buffer.alloc(0)
      return Buffer.from(this.#utf16.decode(text, { stream: true }))
    }
    const end = text.lastIndexOf(lineFeed) + 1
    const cut = end === 0 && text.length > longestLine ? text.length : end
    this.#rest = text.subarray(cut)
    return this.#decode(text.subarray(0, cut))
  }

  /** The text that still waits at the end of the file. */
  end(): Buffer {
    const text = this.#begin(this.#rest)
    this.#rest = Buffer.alloc(0)
    return this.#utf16 === undefined
      ? this.#decode(text)
      : Buffer.concat([Buffer.from(this.#utf16.decode(text, { stream: true })), Buffer.from(this.#utf16.decode())])
  }

  /** Takes the mark off the first bytes. */
  #begin(block: Buffer): Buffer {
    if (this.#encoding !== undefined) return block
    const [encoding, mark] = encodingOf(block)
    this.#encoding = encoding
    if (encoding !== "utf-8") this.#utf16 = new TextDecoder(encoding)
    return block.subarray(mark)
  }

  #decode(text: Buffer): Buffer {
    return isUtf8(text) ? text : lineByLine(text)
  }
}
