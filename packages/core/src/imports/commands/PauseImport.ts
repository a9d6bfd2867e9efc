import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { ImportDetail } from "../Import.ts"
import { stopImport } from "../stopImport.ts"

/** `import.pause`: pauses a running import. */
export const PauseImport = Command.make({
  id: "import.pause",
  title: "Pause an import",
  summary: "Pause a running import",
  description:
    "Stops after the current rows and ends as paused; imported leads stay. Resume a search with import.resume, a " +
    "file by sending it again. An import that is not running is returned unchanged, with a warning.",
  whenToUse: "To rest a LinkedIn account, or to review the first leads before importing more.",
  category: "imports",
  risk: "mutate",
  scope: "imports:run",
  input: Schema.Struct({ import_id: nonEmptyLine(64, "Id of the import") }),
  output: Schema.Struct({ import: ImportDetail }),
  failures: [NotFound],
  riskNotes: ["Nothing that was imported is undone."],
  relatedCommands: ["import.resume", "import.cancel", "import.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "A running import", input: { import_id: "imp_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ import_id }) {
    const stopped = yield* stopImport(import_id, { from: ["running"], to: "paused", reason: "It was paused." })
    return { import: stopped }
  })
})
