import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { compactImport, ImportDetail } from "../Import.ts"
import { getImport } from "../readImport.ts"

/** `import.get`: reads one import with its progress and the rows that were refused. */
export const GetImport = Command.make({
  id: "import.get",
  title: "Read an import",
  summary: "Read the state, counts and refused rows of one import.",
  description:
    "Answers how an import stands: running, completed, failed or interrupted, how many rows ended how, and the first 50 " +
    "rows that were not imported, each with the reason. created + updated + skipped + invalid are the rows seen.",
  whenToUse: "To follow an import that answered with message running, or to see why rows were refused.",
  category: "imports",
  risk: "read",
  scope: "imports:read",
  input: Schema.Struct({ import_id: nonEmptyLine(64, "Id of the import, as its result gave it") }),
  output: Schema.Struct({ import: ImportDetail }),
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
