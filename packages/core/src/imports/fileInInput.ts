/** Files inside a command's input, as text or Base64; uploads become such files when they must be stored. */
import { Buffer } from "node:buffer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { InvalidInput, PayloadTooLarge } from "../kernel/failure/failures.ts"
import { sha256Hex } from "../kernel/schema/Hash.ts"
import { CsvReader } from "./csv/CsvReader.ts"
import { CsvText, type Delimiter } from "./csv/CsvText.ts"
import { readColumns } from "./csv/columnNames.ts"
import { csvItemReader } from "./csv/csvItem.ts"
import type { UploadedFile, UploadFailure } from "./Upload.ts"

/** The command whose input holds a file. */
export const fileCommand = "import.csv"

/** Limits of a file inside an input. */
const maxBytes = 20 * 1024 * 1024
const maxRows = 20_000

const larger =
  "Larger files: svc import csv FILE --mission HANDLE, or POST /api/v1/missions/{handle}/imports with a text/csv body."

const decoded = (content: string, encoding: "text" | "base64"): Buffer =>
  Buffer.from(content, encoding === "base64" ? "base64" : "utf8")

const bytesOf = (content: string, encoding: "text" | "base64"): Effect.Effect<Buffer, InvalidInput> => {
  const bytes = decoded(content, encoding)
  if (bytes.length > maxBytes) {
    return Effect.fail(
      new InvalidInput({
        message: `content: the maximum is 20 MB, got ${Math.ceil(bytes.length / 2 ** 20)} MB. ${larger}`
      })
    )
  }
  return encoding === "base64" && !/^[A-Za-z0-9+/_-]*={0,2}\s*$/.test(content.replace(/[\r\n]/g, ""))
    ? Effect.fail(new InvalidInput({ message: "content: must be Base64. For plain text, send encoding text." }))
    : Effect.succeed(bytes)
}

/** Bytes read before yielding to other fibers. */
const pieceLength = 64 * 1024

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceLength) yield bytes.subarray(start, start + pieceLength)
}

const countLineBreaks = (bytes: Buffer): number => {
  let count = 0
  for (const byte of bytes) if (byte === 0x0a || byte === 0x0d) count++
  return count
}

/** There are at most as many rows as line breaks, so a file is only parsed when it has too many of these. */
const hasTooManyRows = Effect.fnUntraced(function* (bytes: Buffer, delimiter: Delimiter | undefined) {
  if (countLineBreaks(bytes) <= maxRows) return false
  const reader = new CsvReader(delimiter)
  let rows = -1
  for (const piece of piecesOf(bytes)) {
    rows += reader.push(piece).length
    if (rows > maxRows || reader.failure !== undefined) break
    yield* Effect.yieldNow
  }
  return rows + reader.end().length > maxRows
})

/** Reads the file of an input. Fails with INVALID_INPUT when it is too large or invalid Base64. */
export const fileInInput = Effect.fnUntraced(function* (
  content: string,
  encoding: "text" | "base64",
  delimiter: Delimiter | undefined
): Effect.fn.Return<UploadedFile, InvalidInput> {
  const bytes = yield* bytesOf(content, encoding)
  if (yield* hasTooManyRows(bytes, delimiter)) {
    return yield* new InvalidInput({ message: `content: the maximum is 20,000 rows. ${larger}` })
  }
  return {
    content: Stream.rechunk(Stream.fromIterable(piecesOf(bytes)), 1),
    size: bytes.length,
    digest: sha256Hex(bytes)
  }
})

const notKept = (what: string): PayloadTooLarge =>
  new PayloadTooLarge({
    message: `import.csv requires approval, and a file of more than ${what} cannot be stored until then. Split the file, or use a key whose policy allows imports.`
  })

/** The text of UTF-8 without NUL; undefined for other bytes, which cannot be stored as text. */
const textOf = (bytes: Buffer): string | undefined => {
  try {
    return bytes.includes(0) ? undefined : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Converts an upload to input fields. Fails with PAYLOAD_TOO_LARGE as soon as it is too large. */
export const uploadAsInput = Effect.fnUntraced(function* ({
  content
}: UploadedFile): Effect.fn.Return<{ readonly content: string; readonly encoding: "text" | "base64" }, UploadFailure> {
  const pieces: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEach(content, (piece) => {
    size += piece.byteLength
    pieces.push(piece)
    return size > maxBytes ? Effect.fail(notKept("20 MB")) : Effect.void
  })
  const bytes = Buffer.concat(pieces)
  if (yield* hasTooManyRows(bytes, undefined)) return yield* notKept("20,000 rows")
  const text = textOf(bytes)
  return text === undefined
    ? { content: bytes.toString("base64"), encoding: "base64" }
    : { content: text, encoding: "text" }
})

/**
 * A stored input as its run would read it: a file as its text, whatever the encoding, and the fields of its rows. For finding
 * people in it.
 */
export const readableInput = (commandId: string, input: unknown): unknown => {
  const { content, delimiter, encoding, mapping } = Object(input)
  if (commandId !== fileCommand || typeof content !== "string") return input
  const bytes = decoded(content, encoding)
  const text = new CsvText()
  const reader = new CsvReader(delimiter)
  const [header = [], ...rows] = [...reader.push(bytes), ...reader.end()]
  const columns = readColumns(header, mapping ?? {})
  const itemOf = csvItemReader(Result.getOrElse(columns, () => []))
  const fields = rows.map((row) => Result.getOrUndefined(itemOf(row.slice(0, header.length))))
  return { ...Object(input), content: [text.push(bytes).toString(), text.end().toString(), fields] }
}
