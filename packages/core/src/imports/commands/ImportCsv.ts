import { Buffer } from "node:buffer"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Command from "../../Command.ts"
import { Execution } from "../../Execution.ts"
import { type Failure, fail } from "../../Failure.ts"
import { sha256Hex } from "../../Hash.ts"
import { body, nonEmptyLine } from "../../TextFields.ts"
import { CsvReader } from "../csv/CsvReader.ts"
import { columnFields } from "../csv/columnNames.ts"
import { delimiters } from "../csv/sniffDelimiter.ts"
import { answerFile, FileImportResult } from "../fileResult.ts"
import { importFile } from "../importFile.ts"
import { missionFields, missionToFill } from "../missionToFill.ts"

const optional = Schema.optionalKey

/** Limits of a file that comes as a part of the input. Source: G22. */
const mostBytes = 20 * 1024 * 1024
const mostRows = 20_000

const larger =
  "Larger files: svc import csv FILE --mission HANDLE, or POST /api/v1/missions/{handle}/imports with a text/csv body."

/** The fields that say how a file is read, which an upload takes too. */
export const fileFields = {
  name: optional(nonEmptyLine(200, "Name of the import; made of the date if left out")),
  context: optional(body(2_000, "Your own note about the import, shown with it")),
  mapping: Schema.Record(Schema.String, Schema.NullOr(Schema.String))
    .annotate({
      description:
        "Columns by name and the lead field that each holds, or null to leave it out. Columns that are not named are " +
        `recognised by what they are usually called. Fields: ${columnFields.join(", ")}`
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  delimiter: optional(
    Schema.Literals(delimiters).annotate({ description: "What separates cells; found by itself if left out" })
  ),
  again: Schema.Boolean.annotate({
    description: "Import a file anew that was imported to its end before, instead of answering that import"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
}

const bytesOf = (content: string, encoding: "text" | "base64"): Effect.Effect<Buffer, Failure> => {
  const bytes = Buffer.from(content, encoding === "text" ? "utf8" : "base64")
  if (bytes.length > mostBytes) {
    return Effect.fail(
      fail("INVALID_INPUT", `content: at most 20 MB, got ${Math.ceil(bytes.length / 2 ** 20)} MB. ${larger}`)
    )
  }
  return encoding === "base64" && !/^[A-Za-z0-9+/_-]*={0,2}\s*$/.test(content.replace(/[\r\n]/g, ""))
    ? Effect.fail(fail("INVALID_INPUT", "content: expected Base64. Send encoding text for a plain text."))
    : Effect.succeed(bytes)
}

const checkRows = (bytes: Buffer, delimiter: (typeof delimiters)[number] | undefined): Effect.Effect<void, Failure> => {
  const reader = new CsvReader(delimiter)
  const rows = reader.push(bytes).length + reader.end().length - 1
  return rows > mostRows
    ? Effect.fail(fail("INVALID_INPUT", `content: at most 20,000 rows, got ${rows.toLocaleString("en")}. ${larger}`))
    : Effect.void
}

/** `import.csv`: imports the rows of a small CSV file into a mission. */
export const ImportCsv = Command.make({
  id: "import.csv",
  title: "Import a CSV file",
  summary: "Add the people of a CSV file to a mission as leads.",
  description:
    "Takes the content of a file of up to 20 MB and 20,000 rows: comma, semicolon or tab, UTF-8 or Windows-1252, with a " +
    "header line. Columns are recognised by what they are usually called in the files of other tools; mapping says it where " +
    "that fails. New people are created, known ones are updated with what was not known, what a person wrote by hand stays. " +
    "A row that cannot be used spoils no other. The same file again goes on where it stopped, or answers the earlier import.",
  whenToUse:
    "To fill a mission from a list or from another tool. Try it with dry_run first: it answers mapping and verdicts.",
  category: "imports",
  risk: "approval",
  scope: "imports:run",
  // Reaches nothing outside; it is written in several transactions, which is what outward commands may do.
  outward: true,
  bodyLimit: 30 * 1024 * 1024,
  input: Schema.Struct({
    ...missionFields,
    content: Schema.String.check(Schema.isBetweenLength(1, 28 * 1024 * 1024)).annotate({
      description: "The file: its text, or its bytes in Base64 with encoding base64"
    }),
    encoding: Schema.Literals(["text", "base64"])
      .annotate({ description: "How content holds the file: text or base64; default text" })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("text" as const))),
    ...fileFields
  }),
  output: FileImportResult,
  riskNotes: ["Creates and updates leads; contacts nobody."],
  outputNotes: [
    "created + updated + skipped + invalid are the rows seen; mapping says how each column was read.",
    "refused_rows are the first 50 rows that were not imported, with the reason; GET /api/v1/imports/{id}/rows.csv has all."
  ],
  relatedCommands: ["import.get", "import.leads.list", "import.cancel", "lead.search"],
  relatedResources: ["svc://imports/{id}", "svc://missions/{handle}"],
  examples: [
    {
      title: "Two people, columns recognised",
      input: {
        mission_handle: "spring-outreach",
        content:
          "Email,First name,Last name,Company\nada@example.com,Ada,Lovelace,Analytical Engines\nalonzo@example.com,Alonzo,Church,Lambda\n"
      }
    },
    {
      title: "A column with a name of its own",
      input: {
        mission_handle: "spring-outreach",
        content: "Kontakt;Wer\nemmy@example.com;Emmy Noether\n",
        mapping: { Kontakt: "email", Wer: "name" }
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ content, encoding, ...input }) {
    const mission = yield* missionToFill(input)
    const bytes = yield* bytesOf(content, encoding)
    yield* checkRows(bytes, input.delimiter)
    const execution = yield* Execution
    const end = yield* Effect.scoped(
      importFile({
        mission,
        content: Stream.succeed(bytes),
        name: input.name,
        context: input.context,
        mapping: input.mapping,
        delimiter: input.delimiter,
        digest: sha256Hex(bytes),
        size: bytes.length,
        again: input.again
      })
    )
    return yield* execution.finish(answerFile(end, mission))
  })
})
