import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { KeptReason } from "../../leads/undo/UnusedLeads.ts"
import { ImportDetail } from "../Import.ts"
import { shownKept, undoImport } from "../undo/undoImport.ts"

/** `import.undo`: deletes the unused leads that an import created. */
export const UndoImport = Command.make({
  id: "import.undo",
  title: "Undo an import",
  summary: "Delete leads that an import created and nobody has used",
  description:
    "Deletes the leads that this import created. A lead stays if it was contacted, drafted or emailed to, noted, " +
    "suppressed, merged or changed, also while the import ran, if it belongs to another mission or import, or if a " +
    "pending approval request names it; kept leads are counted by reason. Leads that the import only matched or " +
    "updated stay as they are. A running import is cancelled first. The import ends as undone and its rows keep their " +
    "outcome, so the same people can be imported again.",
  whenToUse: "When the wrong search or file was imported and its leads should be deleted.",
  category: "imports",
  risk: "approval",
  scope: "imports:run",
  // Reaches nothing outside; it is written in several transactions, which is what outward commands may do.
  outward: true,
  input: Schema.Struct({ import_id: nonEmptyLine(64, "Id of the import") }),
  output: Schema.Struct({
    import: ImportDetail,
    removed: Schema.Int.annotate({ description: "Number of deleted leads" }),
    kept: Schema.Int.annotate({ description: "Number of leads created by the import that stay" }),
    kept_because: Schema.Array(
      Schema.Struct({
        reason: KeptReason,
        count: Schema.Int,
        lead_ids: Schema.Array(Schema.String).annotate({ description: `The first ${shownKept} of them` })
      })
    )
  }),
  failures: [NotFound, WrongState],
  riskNotes: ["Deleted leads cannot be restored; a new import creates them with new ids."],
  outputNotes: [
    "removed + kept are the leads that the import created and that still existed; kept is the sum of the counts by " +
      "reason.",
    "Each deleted lead emits lead.erased with the id of the import."
  ],
  relatedCommands: ["import.cancel", "import.get", "import.leads.list", "lead.mission.remove"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "The wrong file", input: { import_id: "imp_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ import_id }) {
    return yield* undoImport(import_id)
  })
})
