import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor, NotFound } from "../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor } from "../../kernel/schema/Page.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { ImportType } from "../../missions/ImportType.ts"
import { ImportSummary } from "../Import.ts"
import { ImportState } from "../ImportRun.ts"
import { listImports } from "../readImport.ts"

/** `import.list`: reads imports, newest first. */
export const ListImports = Command.make({
  id: "import.list",
  title: "List imports",
  summary: "List imports, newest first",
  description:
    "Returns a page of imports with state and counts. Pass next_cursor as cursor for the next page; it is null on " +
    "the last page.",
  whenToUse: "To see where a mission's leads came from, or which imports are still running.",
  category: "imports",
  risk: "read",
  scope: "imports:read",
  input: Schema.Struct({
    mission_id: Schema.optionalKey(nonEmptyLine(64, "Only imports into this mission, by id or handle")),
    type: Schema.optionalKey(ImportType.annotate({ description: "Only imports from this type of source" })),
    state: Schema.optionalKey(ImportState.annotate({ description: "Only imports in this state" })),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ imports: Schema.Array(ImportSummary), next_cursor: NextCursor }),
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["import.get", "import.sales-nav.search", "mission.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [
    { title: "Imports of one mission", input: { mission_id: "spring-outreach" } },
    { title: "Running imports", input: { state: "running" } }
  ],
  run: (input) =>
    Effect.map(listImports(input), ({ items, nextCursor }) => ({ imports: items, next_cursor: nextCursor }))
})
