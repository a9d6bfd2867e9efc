import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { LeadStatus } from "../../leads/index.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../Page.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { RowOutcome } from "../ImportRun.ts"
import { ImportsRepo } from "../ImportsRepo.ts"
import { getImport } from "../readImport.ts"

const textOrNull = Schema.NullOr(Schema.String)

/** `import.leads.list`: reads how each row of an import ended. */
export const ListImportedLeads = Command.make({
  id: "import.leads.list",
  title: "List the rows of an import",
  summary: "Read row by row how an import ended, with the leads that it created or found.",
  description:
    "Answers a page of rows in the order of their source: created, updated, skipped or invalid, with the reason code of a " +
    "row that was not imported, and the leads of the page. outcome refused means invalid, or skipped for another reason than " +
    "that nothing was new. Pass next_cursor as cursor for the next page; it is null on the last.",
  whenToUse: "To see who came with an import, or which rows to correct.",
  category: "imports",
  risk: "read",
  scope: "imports:read",
  input: Schema.Struct({
    import_id: nonEmptyLine(64, "Id of the import"),
    outcome: Schema.optionalKey(
      Schema.Literals([...RowOutcome.literals, "refused"]).annotate({ description: "Only rows that ended so" })
    ),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({
    import_id: Schema.String,
    rows: Schema.Array(
      Schema.Struct({
        row: Schema.Int.annotate({ description: "Number of the row in its source, from 1" }),
        outcome: RowOutcome,
        reason: textOrNull.annotate({
          description: "UNCHANGED or a failure code (svc://errors) of a row not imported"
        }),
        lead_id: textOrNull.annotate({ description: "The lead that was created or found; null without one" }),
        cells: Schema.NullOr(Schema.Record(Schema.String, Schema.String)).annotate({
          description: "Cells of a refused row by column; null for others, and for people who must not be contacted"
        })
      })
    ),
    leads: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        name: Schema.String,
        job_title: Schema.String,
        company: Schema.String,
        status: LeadStatus
      })
    ),
    next_cursor: NextCursor
  }),
  relatedCommands: ["import.get", "import.list", "lead.get", "lead.search"],
  relatedResources: ["svc://imports/{id}"],
  examples: [
    { title: "All rows", input: { import_id: "imp_SAMPLE00000000000000000001" } },
    { title: "What was refused", input: { import_id: "imp_SAMPLE00000000000000000001", outcome: "refused" } }
  ],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* ImportsRepo
    const { items, nextCursor } = yield* readPage(organizationId, "import.leads.list", input, (page) =>
      repo.rows(organizationId, input.import_id, input.outcome, page)
    )
    // An import without such rows and one that is not there look alike.
    if (items.length === 0) yield* getImport(input.import_id)
    const leads = new Map(items.flatMap(({ lead }) => (lead === null ? [] : [[lead.id, lead] as const])))
    return {
      import_id: input.import_id,
      rows: items.map(({ leadId, outcome, position, reason, source }) => ({
        row: position + 1,
        outcome,
        reason,
        lead_id: leadId,
        cells: source
      })),
      leads: [...leads.values()].map(({ company, id, jobTitle, name, status }) => ({
        id,
        name,
        job_title: jobTitle,
        company,
        status
      })),
      next_cursor: nextCursor
    }
  })
})
