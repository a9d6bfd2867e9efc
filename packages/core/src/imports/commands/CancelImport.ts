import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { ImportDetail } from "../Import.ts"
import { stopImport } from "../stopImport.ts"

/** `import.cancel`: cancels an import. */
export const CancelImport = Command.make({
  id: "import.cancel",
  title: "Cancel an import",
  summary: "Cancel an import; imported leads stay",
  description:
    "Ends the import as cancelled. It cannot be resumed: the same search or file starts a new import. A completed " +
    "import is returned unchanged, with a warning.",
  whenToUse: "When the wrong search or file is being imported.",
  category: "imports",
  risk: "mutate",
  scope: "imports:run",
  input: Schema.Struct({ import_id: nonEmptyLine(64, "Id of the import") }),
  output: Schema.Struct({ import: ImportDetail }),
  failures: [NotFound],
  riskNotes: ["The import cannot be resumed; nothing that was imported is undone."],
  relatedCommands: ["import.undo", "import.pause", "import.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "The wrong import", input: { import_id: "imp_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ import_id }) {
    const stopped = yield* stopImport(import_id, {
      from: ["running", "paused", "interrupted", "failed"],
      to: "cancelled",
      reason: "It was cancelled."
    })
    return { import: stopped }
  })
})
