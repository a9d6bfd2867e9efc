import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { compactImport, ImportDetail } from "../Import.ts"
import { getImport } from "../readImport.ts"

/** `import.get`: reads an import with its progress and refused rows. */
export const GetImport = Command.make({
  id: "import.get",
  title: "Get an import",
  summary: "Get an import's state, counts and rejected rows",
  description:
    "Returns the import's state (running, completed, failed or interrupted), the number of rows by outcome, and the " +
    "first 50 rows that were not imported, each with the reason. created + updated + skipped + invalid are the rows " +
    "read so far.",
  whenToUse: "To follow an import that returned message running, or to see why rows were rejected.",
  category: "imports",
  risk: "read",
  scope: "imports:read",
  input: Schema.Struct({ import_id: nonEmptyLine(64, "Id of the import, from its result") }),
  output: Schema.Struct({ import: ImportDetail }),
  failures: [NotFound],
  relatedCommands: ["import.list", "import.sales-nav.search", "lead.search"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "The sample import", input: { import_id: "imp_SAMPLE00000000000000000001" } }],
  compact: (output) => {
    const { detail, warnings } = compactImport(output.import)
    return { output: { import: detail }, warnings }
  },
  run: Effect.fnUntraced(function* ({ import_id }) {
    return { import: yield* getImport(import_id) }
  })
})
