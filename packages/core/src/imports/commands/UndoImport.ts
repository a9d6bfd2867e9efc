import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { ImportDetail } from "../Import.ts"
import { KeptReason } from "../undo/UndoRepo.ts"
import { shownKept, undoImport } from "../undo/undoImport.ts"

/** `import.undo`: removes the leads that an import created and nobody touched since. */
export const UndoImport = Command.make({
  id: "import.undo",
  title: "Undo an import",
  summary: "Remove the leads that an import created and that nobody has touched since.",
  description:
    "Takes the leads away that this import brought into the workspace. A lead that was contacted, drafted to, noted on, " +
    "suppressed, merged, changed, or that another mission or import knows stays, and is counted by reason. Leads that the " +
    "import only found or updated stay as they are. A running import is cancelled first. The import ends as undone; its " +
    "rows keep their outcome, so the same people can be imported again.",
  whenToUse: "When the wrong search or file was imported and its leads should be gone.",
  category: "imports",
  risk: "approval",
  scope: "imports:run",
  // Reaches nothing outside; it is written in several transactions, which is what outward commands may do.
  outward: true,
  input: Schema.Struct({ import_id: nonEmptyLine(64, "Id of the import") }),
  output: Schema.Struct({
    import: ImportDetail,
    removed: Schema.Int.annotate({ description: "Leads that are gone" }),
    kept: Schema.Int.annotate({ description: "Leads that the import created and that stay" }),
    kept_because: Schema.Array(
      Schema.Struct({
        reason: KeptReason,
        count: Schema.Int,
        lead_ids: Schema.Array(Schema.String).annotate({ description: `The first ${shownKept} of them` })
      })
    )
  }),
  riskNotes: ["Removed leads do not come back; only a new import brings them, with new ids."],
  outputNotes: [
    "removed + kept are the leads that the import created and that were still there; kept is the sum of the counts by reason.",
    "Each removed lead is told as lead.erased with the id of the import."
  ],
  relatedCommands: ["import.cancel", "import.get", "import.leads.list", "lead.mission.remove"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "The wrong file", input: { import_id: "imp_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ import_id }) {
    return yield* undoImport(import_id)
  })
})
