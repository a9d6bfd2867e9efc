import { Buffer, isUtf8 } from "node:buffer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Command from "../../kernel/command/Command.ts"
import { Execution } from "../../kernel/command/Execution.ts"
import { InvalidInput, NotFound, PayloadTooLarge, WrongState } from "../../kernel/failure/failures.ts"
import { sha256Hex } from "../../kernel/schema/Hash.ts"
import { body, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { CsvReader, CsvText } from "../csv/CsvReader.ts"
import { Upload, type UploadedFile } from "../csv/CsvRows.ts"
import { columnFields, csvItemReader, maxColumns, readColumns, withoutOwn } from "../csv/columnNames.ts"
import { type Delimiter, delimiters } from "../csv/csvDialect.ts"
import { FileImportResult, fileImportResult, importFile } from "../importFile.ts"
import { missionFields, targetMission } from "../importRows.ts"
import { defaultFields } from "../leadDefaults.ts"

/** The command whose input holds a file. */
export const fileCommand = "import.csv"

/** Limits of a file inside an input. */
const maxBytes = 20 * 1024 * 1024

const maxRows = 20_000

const larger =
  "Larger files: svc import csv FILE --mission HANDLE, or POST /api/v1/missions/{handle}/imports with a text/csv body."

const decoded = (content: string, encoding: "text" | "base64"): Buffer =>
  Buffer.from(content, encoding === "base64" ? "base64" : "utf8")

/** Bytes read before yielding to other fibers. */
const pieceLength = 64 * 1024

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceLength) yield bytes.subarray(start, start + pieceLength)
}

/** There are at most as many rows as line breaks, so a file is only parsed when it has too many of these. */
const hasTooManyRows = Effect.fnUntraced(function* (bytes: Buffer, delimiter: Delimiter | undefined) {
  let lineBreaks = 0
  for (const byte of bytes) if (byte === 0x0a || byte === 0x0d) lineBreaks++
  if (lineBreaks <= maxRows) return false
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
const fileInInput = Effect.fnUntraced(function* (
  content: string,
  encoding: "text" | "base64",
  delimiter: Delimiter | undefined
) {
  const refuse = (problem: string) => new InvalidInput({ message: `content: ${problem}` })
  const bytes = decoded(content, encoding)
  if (bytes.length > maxBytes) {
    return yield* refuse(`the maximum is 20 MB, got ${Math.ceil(bytes.length / 2 ** 20)} MB. ${larger}`)
  }
  if (encoding === "base64" && !/^[A-Za-z0-9+/_-]*={0,2}\s*$/.test(content.replace(/[\r\n]/g, ""))) {
    return yield* refuse("must be Base64. For plain text, send encoding text.")
  }
  if (yield* hasTooManyRows(bytes, delimiter)) return yield* refuse(`the maximum is 20,000 rows. ${larger}`)
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

/** Converts an upload to input fields; bytes that cannot be stored as text are Base64. Fails with PAYLOAD_TOO_LARGE as soon as it is too large. */
export const uploadAsInput = Effect.fnUntraced(function* ({ content }: UploadedFile) {
  const pieces: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEach(content, (piece) => {
    size += piece.byteLength
    pieces.push(piece)
    return size > maxBytes ? Effect.fail(notKept("20 MB")) : Effect.void
  })
  const bytes = Buffer.concat(pieces)
  if (yield* hasTooManyRows(bytes, undefined)) return yield* notKept("20,000 rows")
  const isText = isUtf8(bytes) && !bytes.includes(0)
  return { content: bytes.toString(isText ? "utf8" : "base64"), encoding: isText ? "text" : "base64" }
})

/**
 * A stored input as its run would read it: a file as its text, whatever the encoding, and the fields of its rows. For finding
 * people in it.
 */
export const readableInput = (commandId: string, input: unknown): unknown => {
  const { content, delimiter, encoding, mapping } = Object(input)
  if (commandId !== fileCommand || typeof content !== "string") return input
  const bytes = decoded(content, encoding)
  const [header = [], ...rows] = new CsvReader(delimiter).push(bytes, true)
  // Definitions are in the store; own fields identify nobody.
  const columns = readColumns(header, withoutOwn(mapping ?? {}))
  const itemOf = csvItemReader(Result.getOrElse(columns, () => []))
  const fields = rows.map((row) => Result.getOrUndefined(itemOf(row.slice(0, header.length))))
  return { ...Object(input), content: [new CsvText().push(bytes, true).toString(), fields] }
}

const optional = Schema.optionalKey

/** `import.csv`: imports the rows of a small CSV file into a mission. */
export const ImportCsv = Command.make({
  id: fileCommand,
  title: "Import a CSV file",
  summary: "Import leads from a CSV file into a mission",
  description:
    "Accepts a file of up to 20 MB and 20,000 rows: comma, semicolon or tab, UTF-8, UTF-16 or Windows-1252, with a header " +
    "row. Column names that other tools commonly use are recognized; use mapping for the rest. New people are " +
    "created. Existing leads only have their gaps filled; values that a person entered are kept. An invalid row does " +
    "not affect the others. Sending the same file again resumes an unfinished import or returns the completed one; it keeps " +
    "the source and lawful_basis that it started with, whatever is sent then. With again, they are as sent.",
  whenToUse:
    "To fill a mission from a list or from another tool. Try it with dry_run first: it returns the mapping and a " +
    "result for each row.",
  risk: "approval",
  scope: "imports:run",
  // Reaches nothing outside; it is written in several transactions, which is what outward commands may do.
  outward: true,
  annotations: { bodyLimit: 30 * 1024 * 1024 },
  input: Schema.Struct({
    ...missionFields,
    content: Schema.String.check(Schema.isBetweenLength(1, 28 * 1024 * 1024)).annotate({
      description: "The file's text, or its bytes in Base64 with encoding base64"
    }),
    encoding: Schema.Literals(["text", "base64"])
      .annotate({ description: "Encoding of content: text (default) or base64" })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("text" as const))),
    name: optional(nonEmptyLine(200, "Name of the import; default includes the date")),
    context: optional(body(2_000, "Your note about the import")),
    ...defaultFields,
    mapping: Schema.Record(Schema.String, Schema.NullOr(Schema.String.check(Schema.isMaxLength(100))))
      .check(Schema.isMaxProperties(maxColumns))
      .annotate({
        description:
          "Maps column names to lead fields; null ignores a column. Other columns are recognized by their usual names. " +
          `Fields: ${[...columnFields.keys()].join(", ")}, and fields.KEY for one of your own`
      })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
    delimiter: optional(Schema.Literals(delimiters).annotate({ description: "Cell delimiter; detected when omitted" })),
    again: Schema.Boolean.annotate({
      description: "Import a file again that was already imported completely, instead of returning that import"
    }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
  }),
  output: FileImportResult,
  failures: [MissionArchived, NotFound, PayloadTooLarge, WrongState],
  riskNotes: ["Creates and updates leads; contacts nobody."],
  outputNotes: [
    "created + updated + skipped + invalid are the rows read; mapping shows how each column was used.",
    "Rows of known leads that were added to the mission have the reason ENROLLED; the warning enrolled counts them.",
    "refused_rows holds the first 50 rows that were not imported, with the reason; GET /api/v1/imports/{id}/rows.csv " +
      "returns all of them."
  ],
  relatedCommands: ["import.get", "import.leads.list", "import.cancel", "lead.search"],
  relatedResources: ["svc://imports/{id}", "svc://missions/{handle}"],
  examples: [
    {
      title: "Two people, columns recognized",
      input: {
        mission_handle: "spring-outreach",
        content:
          "Email,First name,Last name,Company\nada@example.com,Ada,Lovelace,Analytical Engines\nalonzo@example.com,Alonzo,Church,Lambda\n"
      }
    },
    {
      title: "A column with a custom name",
      input: {
        mission_handle: "spring-outreach",
        content: "Kontakt;Wer\nemmy@example.com;Emmy Noether\n",
        mapping: { Kontakt: "email", Wer: "name" }
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ content, encoding, ...input }) {
    const mission = yield* targetMission(input)
    const upload = (yield* Upload) ?? (yield* fileInInput(content, encoding, input.delimiter))
    const execution = yield* Execution
    const end = yield* Effect.scoped(importFile({ ...input, ...upload, mission }))
    return yield* execution.finish(fileImportResult(end, mission))
  })
})
