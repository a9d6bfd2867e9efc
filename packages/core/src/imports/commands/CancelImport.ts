import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { ImportDetail } from "../Import.ts"
import { stopImport } from "../stopImport.ts"

/** `import.cancel`: ends an import for good. */
export const CancelImport = Command.make({
  id: "import.cancel",
  title: "Cancel an import",
  summary: "End an import that is running or stopped in the middle; what it imported stays.",
  description:
    "The import ends as cancelled and is not gone on with: the same search or file starts a new one. An import that is " +
    "complete is answered as it is, with a warning.",
  whenToUse: "When the wrong search or file is being imported.",
  category: "imports",
  risk: "mutate",
  scope: "imports:run",
  input: Schema.Struct({ import_id: nonEmptyLine(64, "Id of the import") }),
  output: Schema.Struct({ import: ImportDetail }),
  riskNotes: ["The import cannot be gone on with; nothing that was imported is undone."],
  relatedCommands: ["import.undo", "import.pause", "import.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "An import that is not wanted", input: { import_id: "imp_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ import_id }) {
    const stopped = yield* stopImport(import_id, {
      from: ["running", "paused", "interrupted", "failed"],
      to: "cancelled",
      reason: "It was cancelled."
    })
    return { import: stopped }
  })
})
