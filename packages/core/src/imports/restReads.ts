/** Imports as REST reads them. Source: catalogue 4.3; issue 3 "Imports at scale" (every row downloadable). */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import * as Command from "../Command.ts"
import { notFound } from "../Failure.ts"
import { MissionsRepo } from "../missions/index.ts"
import { CursorText, Limit, NextCursor, readPage } from "../Page.ts"
import { nonEmptyLine } from "../TextFields.ts"
import { compactImport, ImportDetail, ImportSummary } from "./Import.ts"
import { ImportState, ImportType, RowOutcome } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { getImport, listImports } from "./readImport.ts"

const optional = Schema.optionalKey

const pageFields = {
  type: optional(ImportType.annotate({ description: "Only imports of this kind of source" })),
  state: optional(ImportState.annotate({ description: "Only imports in this state" })),
  cursor: CursorText,
  limit: Limit
}

const output = Schema.Struct({ imports: Schema.Array(ImportSummary), nextCursor: NextCursor })

const importId = nonEmptyLine(64, "Id of the import")

/** GET /api/v1/imports. */
export const RestListImports = Command.make({
  id: "rest.imports.list",
  title: "List imports",
  summary: "Read the imports of the organization, newest first.",
  description:
    "A page of imports with state and counts. Pass nextCursor as cursor for the next page; null on the last.",
  whenToUse: "From programs that speak REST; import.list is the command.",
  category: "imports",
  risk: "read",
  visibility: "internal",
  scope: "imports:read",
  input: Schema.Struct({
    mission: optional(nonEmptyLine(64, "Only imports into this mission: its id or its handle")),
    ...pageFields
  }),
  output,
  relatedCommands: ["import.list", "import.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "What is running now", input: { state: "running" } }],
  run: ({ mission, ...query }) =>
    Effect.map(
      listImports("rest.imports", mission === undefined ? query : { ...query, mission_id: mission }),
      ({ items, nextCursor }) => ({ imports: items, nextCursor })
    )
})

/** GET /api/v1/missions/{missionHandle}/imports. */
export const RestListMissionImports = Command.make({
  id: "rest.missions.imports.list",
  title: "List the imports of a mission",
  summary: "Read the imports into one campaign, newest first.",
  description:
    "A page of imports with state and counts. Pass nextCursor as cursor for the next page; null on the last.",
  whenToUse: "From programs that speak REST; import.list is the command.",
  category: "imports",
  risk: "read",
  visibility: "internal",
  scope: "imports:read",
  input: Schema.Struct({
    missionHandle: nonEmptyLine(64, "Handle of the mission, such as spring-outreach; its id works too"),
    ...pageFields
  }),
  output,
  relatedCommands: ["import.list", "mission.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "The sample mission", input: { missionHandle: "spring-outreach" } }],
  run: Effect.fnUntraced(function* ({ missionHandle, ...query }) {
    const { organizationId } = yield* Actor
    const mission = yield* (yield* MissionsRepo).findByIdOrHandle(organizationId, missionHandle)
    if (mission === undefined) return yield* notFound("mission", missionHandle)
    const page = yield* listImports("rest.missions.imports", { ...query, mission_id: mission.id })
    return { imports: page.items, nextCursor: page.nextCursor }
  })
})

/** GET /api/v1/imports/{importId}. */
export const RestGetImport = Command.make({
  id: "rest.imports.get",
  title: "Read an import",
  summary: "Read the state, counts and first refused rows of one import.",
  description: "The import as import.get answers it. GET /api/v1/imports/{importId}/rows.csv has every row.",
  whenToUse: "From programs that speak REST, to follow an import.",
  category: "imports",
  risk: "read",
  visibility: "internal",
  scope: "imports:read",
  input: Schema.Struct({ importId }),
  output: Schema.Struct({ import: ImportDetail }),
  relatedCommands: ["import.get", "import.leads.list"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "The sample import", input: { importId: "imp_SAMPLE00000000000000000001" } }],
  compact: (found) => {
    const { detail, warnings } = compactImport(found.import)
    return { output: { import: detail }, warnings }
  },
  run: ({ importId: id }) => Effect.map(getImport(id), (found) => ({ import: found }))
})

/** Rows that are read at once for a download. */
export const rowsAtOnce = 1_000

/** One page of GET /api/v1/imports/{importId}/rows.csv; the HTTP layer writes pages until there are no more. */
export const RestListImportRows = Command.make({
  id: "rest.imports.rows",
  title: "Download the rows of an import",
  summary: "Read how every row of an import ended, as a CSV file for spreadsheets.",
  description:
    "Each row with its number in the source, outcome, reason code, lead and, where it was refused, the cells of the file, " +
    "to be corrected and imported again. Cells that a spreadsheet would run as a formula begin with an apostrophe.",
  whenToUse: "To hand the refused rows of a file back to whoever made it.",
  category: "imports",
  risk: "read",
  visibility: "internal",
  scope: "imports:read",
  input: Schema.Struct({
    importId,
    outcome: optional(
      Schema.Literals([...RowOutcome.literals, "refused"]).annotate({ description: "Only rows that ended so" })
    ),
    cursor: CursorText
  }),
  output: Schema.Struct({
    columns: Schema.Array(Schema.String),
    rows: Schema.Array(
      Schema.Struct({
        row: Schema.Int,
        outcome: RowOutcome,
        reason: Schema.String,
        lead_id: Schema.String,
        lead_name: Schema.String,
        cells: Schema.Record(Schema.String, Schema.String)
      })
    ),
    nextCursor: NextCursor
  }),
  relatedCommands: ["import.leads.list", "import.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "What was refused", input: { importId: "imp_SAMPLE00000000000000000001", outcome: "refused" } }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* ImportsRepo
    const found = yield* repo.find(organizationId, input.importId, 0)
    if (found === undefined) return yield* notFound("import", input.importId)
    const { items, nextCursor } = yield* readPage(
      organizationId,
      "rest.imports.rows",
      { ...input, limit: rowsAtOnce },
      (page) => repo.rows(organizationId, input.importId, input.outcome, page)
    )
    const columns = (found.run.file?.columns ?? []).map(({ name }) => name).filter((name) => name !== "")
    return {
      columns: [...new Set(columns)],
      rows: items.map(({ lead, leadId, outcome, position, reason, source }) => ({
        row: position + 1,
        outcome,
        reason: reason ?? "",
        lead_id: leadId ?? "",
        lead_name: lead?.name ?? "",
        cells: source ?? {}
      })),
      nextCursor
    }
  })
})

/** The reading REST operations of this domain. */
export const readingCommands = [RestListImports, RestListMissionImports, RestGetImport, RestListImportRows] as const
