import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { ImportDetail } from "../Import.ts"
import { resumeImport } from "../resumeImport.ts"

/** `import.resume`: goes on with an import that stopped in the middle. */
export const ResumeImport = Command.make({
  id: "import.resume",
  title: "Resume an import",
  summary: "Go on with a search that was paused, failed or was interrupted, from where it stopped.",
  description:
    "The search goes on in the background from the page it was at, with the same account and limit; follow it with " +
    "import.get. A file is not kept by the service: send the same file again, and it goes on after the last row that was " +
    "stored. An import that runs or is complete is answered as it is, with a warning.",
  whenToUse: "After import.pause, or when import.get shows an import as failed or interrupted.",
  category: "imports",
  risk: "mutate",
  scope: "imports:run",
  outward: true,
  input: Schema.Struct({ import_id: nonEmptyLine(64, "Id of the import") }),
  output: Schema.Struct({ import: ImportDetail }),
  riskNotes: ["Reads LinkedIn with a connected account, which counts against the limits of that account."],
  relatedCommands: ["import.pause", "import.get", "import.sales-nav.search", "import.csv"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "An import that may have stopped", input: { import_id: "imp_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ import_id }) {
    return { import: yield* resumeImport(import_id) }
  })
})
