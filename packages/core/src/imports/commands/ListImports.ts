import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { CursorText, Limit, NextCursor } from "../../Page.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { ImportSummary } from "../Import.ts"
import { ImportState, ImportType } from "../ImportRun.ts"
import { listImports } from "../readImport.ts"

/** `import.list`: reads imports, newest first. */
export const ListImports = Command.make({
  id: "import.list",
  title: "List imports",
  summary: "Read the imports of the organization or of one mission, newest first.",
  description:
    "Answers a page of imports with state and counts. Pass next_cursor as cursor for the next page; it is null on the last.",
  whenToUse: "To see where the leads of a mission came from, or which imports are still running.",
  category: "imports",
  risk: "read",
  scope: "imports:read",
  input: Schema.Struct({
    mission_id: Schema.optionalKey(nonEmptyLine(64, "Only imports into this mission: its id or its handle")),
    type: Schema.optionalKey(ImportType.annotate({ description: "Only imports of this kind of source" })),
    state: Schema.optionalKey(ImportState.annotate({ description: "Only imports in this state" })),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ imports: Schema.Array(ImportSummary), next_cursor: NextCursor }),
  relatedCommands: ["import.get", "import.sales-nav.search", "mission.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [
    { title: "The imports of one mission", input: { mission_id: "spring-outreach" } },
    { title: "What is running now", input: { state: "running" } }
  ],
  run: (input) =>
    Effect.map(listImports("imports", input), ({ items, nextCursor }) => ({ imports: items, next_cursor: nextCursor }))
})
