import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { AccountDisconnected, NotAPeopleSearch } from "../../outreach/failures.ts"
import { ImportDetail } from "../Import.ts"
import { resumeImport } from "../resumeImport.ts"

/** `import.resume`: resumes an unfinished import. */
export const ResumeImport = Command.make({
  id: "import.resume",
  title: "Resume an import",
  summary: "Resume a paused, failed or interrupted search import",
  description:
    "Continues the search in the background at the page where it stopped, with the same account and limit; follow it " +
    "with import.get. The service does not keep files: send the same file again to continue after the last stored " +
    "row. A running or completed import is returned unchanged, with a warning.",
  whenToUse: "After import.pause, or when import.get shows an import as failed or interrupted.",
  category: "imports",
  risk: "mutate",
  scope: "imports:run",
  effects: { does: ["reads", "writes"], channels: ["linkedin"] },
  outward: true,
  input: Schema.Struct({ import_id: nonEmptyLine(64, "Id of the import") }),
  output: Schema.Struct({ import: ImportDetail }),
  failures: [AccountDisconnected, MissionArchived, NotAPeopleSearch, NotFound, WrongState],
  riskNotes: ["Reads LinkedIn with a linked account, which counts against the limits of that account."],
  relatedCommands: ["import.pause", "import.get", "import.sales-nav.search", "import.csv"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "A stopped import", input: { import_id: "imp_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ import_id }) {
    return { import: yield* resumeImport(import_id) }
  })
})
