/**
 * Converts a file to UTF-8: from UTF-8 or UTF-16 (a spreadsheet's "Unicode text"), each with or without byte order mark, or
 * Windows-1252.
 *
 * Each line that is not valid UTF-8 is decoded as Windows-1252 by itself, so a stray line does not affect the others.
 */
import { Buffer, isUtf8 } from "node:buffer"
import { TextDecoder } from "node:util"

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
