import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Execution } from "../../kernel/command/Execution.ts"
import { NotFound, PayloadTooLarge, WrongState } from "../../kernel/failure/failures.ts"
import { body, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { delimiters } from "../csv/CsvText.ts"
import { columnFields, maxColumns } from "../csv/columnNames.ts"
import { fileCommand, fileInInput } from "../fileInInput.ts"
import { FileImportResult, fileImportResult } from "../fileResult.ts"
import { importFile } from "../importFile.ts"
import { missionFields, targetMission } from "../targetMission.ts"
import { Upload } from "../Upload.ts"

const optional = Schema.optionalKey

/** Options of reading a file, shared with uploads. */
const fileFields = {
  name: optional(nonEmptyLine(200, "Name of the import; default includes the date")),
  context: optional(body(2_000, "Your note about the import")),
  mapping: Schema.Record(Schema.String, Schema.NullOr(Schema.String.check(Schema.isMaxLength(100))))
    .check(Schema.isMaxProperties(maxColumns))
    .annotate({
      description:
        "Maps column names to lead fields; null ignores a column. Other columns are recognized by their usual names. " +
        `Fields: ${columnFields.join(", ")}`
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  delimiter: optional(Schema.Literals(delimiters).annotate({ description: "Cell delimiter; detected when omitted" })),
  again: Schema.Boolean.annotate({
    description: "Import a file again that was already imported completely, instead of returning that import"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
}

/** `import.csv`: imports the rows of a small CSV file into a mission. */
export const ImportCsv = Command.make({
  id: fileCommand,
  title: "Import a CSV file",
  summary: "Import leads from a CSV file into a mission",
  description:
    "Accepts a file of up to 20 MB and 20,000 rows: comma, semicolon or tab, UTF-8, UTF-16 or Windows-1252, with a header " +
    "row. Column names that other tools commonly use are recognized; use mapping for the rest. New people are " +
    "created. Existing leads only have their gaps filled; values that a person entered are kept. An invalid row does " +
    "not affect the others. Sending the same file again resumes an unfinished import or returns the completed one.",
  whenToUse:
    "To fill a mission from a list or from another tool. Try it with dry_run first: it returns the mapping and a " +
    "result for each row.",
  category: "imports",
  risk: "approval",
  scope: "imports:run",
  // Reaches nothing outside; it is written in several transactions, which is what outward commands may do.
  outward: true,
  bodyLimit: 30 * 1024 * 1024,
  input: Schema.Struct({
    ...missionFields,
    content: Schema.String.check(Schema.isBetweenLength(1, 28 * 1024 * 1024)).annotate({
      description: "The file's text, or its bytes in Base64 with encoding base64"
    }),
    encoding: Schema.Literals(["text", "base64"])
      .annotate({ description: "Encoding of content: text (default) or base64" })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("text" as const))),
    ...fileFields
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
    const end = yield* Effect.scoped(
      importFile({
        ...upload,
        mission,
        name: input.name,
        context: input.context,
        mapping: input.mapping,
        delimiter: input.delimiter,
        again: input.again
      })
    )
    return yield* execution.finish(fileImportResult(end, mission))
  })
})
