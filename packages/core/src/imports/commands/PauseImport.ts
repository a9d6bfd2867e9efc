import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { ImportDetail } from "../Import.ts"
import { stopImport } from "../stopImport.ts"

/** `import.pause`: stops a running import, to be gone on with. */
export const PauseImport = Command.make({
  id: "import.pause",
  title: "Pause an import",
  summary: "Stop a running import after the rows it is at; what it imported stays.",
  description:
    "The import ends as paused. A search goes on with import.resume, a file when it is sent again. An " +
    "import that does not run is answered as it is, with a warning.",
  whenToUse: "To let an account rest, or to look at what came in before more of it comes.",
  category: "imports",
  risk: "mutate",
  scope: "imports:run",
  input: Schema.Struct({ import_id: nonEmptyLine(64, "Id of the import") }),
  output: Schema.Struct({ import: ImportDetail }),
  riskNotes: ["Nothing that was imported is undone."],
  relatedCommands: ["import.resume", "import.cancel", "import.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "An import that may still be running", input: { import_id: "imp_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ import_id }) {
    const stopped = yield* stopImport(import_id, { from: ["running"], to: "paused", reason: "It was paused." })
    return { import: stopped }
  })
})
