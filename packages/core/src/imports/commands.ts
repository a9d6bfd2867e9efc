/** Imports: what other parts of core may use. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { InvalidCursor, NotFound, WrongState } from "../kernel/failure/failures.ts"
import { isoFromMillis } from "../kernel/schema/IdsAndTime.ts"
import { NextCursor, pageFields, readPage } from "../kernel/schema/Page.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { KeptReason } from "../leads/Lead.ts"
import { MissionArchived } from "../missions/failures.ts"
import { ImportType } from "../missions/MissionInput.ts"
import { refuseUnknownMission } from "../missions/MissionsRepo.ts"
import { AccountDisconnected, NotAPeopleSearch } from "../outreach/failures.ts"
import { ImportCsv } from "./commands/ImportCsv.ts"
import { AddImportedLeads, ListImportedLeads } from "./commands/importedLeads.ts"
import { ParseSalesNavSearch, SearchLinkedIn, SearchSalesNav, SearchSalesNavFilters } from "./commands/search.ts"
import { compactImport, getImport, ImportDetail, ImportSummary, summaryOf } from "./Import.ts"
import { ImportState, staleAfterMillis } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { stopImport } from "./importRows.ts"
import { resumeImport, shownKept, undoImport } from "./undo/undoImport.ts"

/** What commands that work on one import have in common. */
const ofOneImport = {
  scope: "imports:run",
  input: Schema.Struct({ import_id: nonEmptyLine(64, "Id of the import") }),
  output: Schema.Struct({ import: ImportDetail }),
  failures: [NotFound],
  relatedResources: ["svc://imports/{id}"]
} as const

const sampleImport = { import_id: "imp_SAMPLE00000000000000000001" }

/** `import.get`: reads an import with its progress and refused rows. */
export const GetImport = Command.make({
  id: "import.get",
  title: "Get an import",
  summary: "Get an import's state, counts and rejected rows",
  description:
    "Returns the import's state (running, completed, failed or interrupted), the number of rows by outcome, and the " +
    "first 50 rows that were not imported, each with the reason. created + updated + skipped + invalid are the rows " +
    "read so far.",
  whenToUse: "To follow an import that returned message running, or to see why rows were rejected.",
  ...ofOneImport,
  risk: "read",
  scope: "imports:read",
  input: Schema.Struct({ import_id: nonEmptyLine(64, "Id of the import, from its result") }),
  relatedCommands: ["import.list", "import.sales-nav.search", "lead.search"],
  examples: [{ title: "The sample import", input: sampleImport }],
  compact: compactImport,
  run: ({ import_id }) => Effect.map(getImport(import_id), (detail) => ({ import: detail }))
})

/** `import.list`: reads imports, newest first. */
const ListImports = Command.make({
  id: "import.list",
  title: "List imports",
  summary: "List imports, newest first",
  description:
    "Returns a page of imports with state and counts. Pass next_cursor as cursor for the next page; it is null on " +
    "the last page.",
  whenToUse: "To see where a mission's leads came from, or which imports are still running.",
  risk: "read",
  scope: "imports:read",
  input: Schema.Struct({
    mission_id: Schema.optionalKey(nonEmptyLine(64, "Only imports into this mission, by id or handle")),
    type: Schema.optionalKey(ImportType.annotate({ description: "Only imports from this type of source" })),
    state: Schema.optionalKey(ImportState.annotate({ description: "Only imports in this state" })),
    ...pageFields
  }),
  output: Schema.Struct({ imports: Schema.Array(ImportSummary), next_cursor: NextCursor }),
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["import.get", "import.sales-nav.search", "mission.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "Imports of one mission", input: { mission_id: "spring-outreach" } }],
  run: Effect.fnUntraced(function* (input) {
    const repo = yield* ImportsRepo
    const { mission_id, state, type } = input
    const millis = yield* Clock.currentTimeMillis
    const filter = { mission: mission_id, type, state, staleBefore: isoFromMillis(millis - staleAfterMillis) }
    const { items, next_cursor } = yield* readPage("imports", input, repo.list, filter)
    yield* refuseUnknownMission(mission_id, items)
    return { imports: items.map(({ mission, run }) => summaryOf(run, mission, millis)), next_cursor }
  })
})

/** `import.cancel`: cancels an import. */
const CancelImport = Command.make({
  id: "import.cancel",
  title: "Cancel an import",
  summary: "Cancel an import; imported leads stay",
  description:
    "Ends the import as cancelled. It cannot be resumed: the same search or file starts a new import. A completed " +
    "import is returned unchanged, with a warning.",
  whenToUse: "When the wrong search or file is being imported.",
  ...ofOneImport,
  risk: "mutate",
  riskNotes: ["The import cannot be resumed; nothing that was imported is undone."],
  relatedCommands: ["import.undo", "import.pause", "import.get"],
  examples: [{ title: "The wrong import", input: sampleImport }],
  run: ({ import_id }) => stopImport(import_id, ["running", "paused", "interrupted", "failed"], "cancelled")
})

/** `import.pause`: pauses a running import. */
const PauseImport = Command.make({
  id: "import.pause",
  title: "Pause an import",
  summary: "Pause a running import",
  description:
    "Stops after the current rows and ends as paused; imported leads stay. Resume a search with import.resume, a " +
    "file by sending it again. An import that is not running is returned unchanged, with a warning.",
  whenToUse: "To rest a LinkedIn account, or to review the first leads before importing more.",
  ...ofOneImport,
  risk: "mutate",
  riskNotes: ["Nothing that was imported is undone."],
  relatedCommands: ["import.resume", "import.cancel", "import.get"],
  examples: [{ title: "A running import", input: sampleImport }],
  run: ({ import_id }) => stopImport(import_id, ["running"], "paused")
})

/** `import.resume`: resumes an unfinished import. */
const ResumeImport = Command.make({
  id: "import.resume",
  title: "Resume an import",
  summary: "Resume a paused, failed or interrupted search import",
  description:
    "Continues the search in the background at the page where it stopped, with the same account and limit; follow it " +
    "with import.get. The service does not keep files: send the same file again to continue after the last stored " +
    "row. A running or completed import is returned unchanged, with a warning.",
  whenToUse: "After import.pause, or when import.get shows an import as failed or interrupted.",
  ...ofOneImport,
  risk: "mutate",
  effects: { does: ["reads", "writes"], channels: ["linkedin"] },
  outward: true,
  failures: [AccountDisconnected, MissionArchived, NotAPeopleSearch, NotFound, WrongState],
  riskNotes: ["Reads LinkedIn with a linked account, which counts against the limits of that account."],
  relatedCommands: ["import.pause", "import.get", "import.sales-nav.search", "import.csv"],
  examples: [{ title: "A stopped import", input: sampleImport }],
  run: ({ import_id }) => Effect.map(resumeImport(import_id), (detail) => ({ import: detail }))
})

/** `import.undo`: deletes the unused leads that an import created. */
const UndoImport = Command.make({
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
  ...ofOneImport,
  risk: "approval",
  // Reaches nothing outside; it is written in several transactions, which is what outward commands may do.
  outward: true,
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
  examples: [{ title: "The wrong file", input: sampleImport }],
  run: ({ import_id }) => undoImport(import_id)
})

/** The commands of this domain. */
export const commands = [
  ImportCsv,
  AddImportedLeads,
  SearchSalesNav,
  SearchSalesNavFilters,
  SearchLinkedIn,
  ParseSalesNavSearch,
  GetImport,
  ListImports,
  ListImportedLeads,
  PauseImport,
  ResumeImport,
  CancelImport,
  UndoImport
] as const
