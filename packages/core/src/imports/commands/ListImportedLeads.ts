import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor, NotFound } from "../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { LeadStatus } from "../../leads/LeadStatus.ts"
import { RowOutcome } from "../ImportRun.ts"
import { ImportsRepo } from "../ImportsRepo.ts"
import { getImport } from "../readImport.ts"

const textOrNull = Schema.NullOr(Schema.String)

/** `import.leads.list`: lists the rows of an import with their outcome. */
export const ListImportedLeads = Command.make({
  id: "import.leads.list",
  title: "List the rows of an import",
  summary: "List an import's rows with their outcome and lead",
  description:
    "Returns a page of rows in source order: created, updated, skipped or invalid, with the reason code of each row " +
    "that was not imported, and the leads of the page. outcome refused means invalid, or skipped for any reason " +
    "other than UNCHANGED and ENROLLED. Pass next_cursor as cursor for the next page; it is null on the last page. Rows " +
    "of an import that has not changed for long are deleted, by default after 180 days; its counts stay.",
  whenToUse: "To see which leads an import brought in, or which rows to correct.",
  category: "imports",
  risk: "read",
  scope: "imports:read",
  input: Schema.Struct({
    import_id: nonEmptyLine(64, "Id of the import"),
    outcome: Schema.optionalKey(
      Schema.Literals([...RowOutcome.literals, "refused"]).annotate({ description: "Only rows with this outcome" })
    ),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({
    import_id: Schema.String,
    rows: Schema.Array(
      Schema.Struct({
        row: Schema.Int.annotate({ description: "Row number in the source, starting at 1" }),
        outcome: RowOutcome,
        reason: textOrNull.annotate({
          description:
            "ENROLLED for a known lead that was added to the mission; UNCHANGED or a failure code (svc://errors) for a " +
            "row that was not imported"
        }),
        lead_id: textOrNull.annotate({ description: "The lead that was created or matched; otherwise null" }),
        cells: Schema.NullOr(Schema.Record(Schema.String, Schema.String)).annotate({
          description: "Cells of a rejected row by column; null for other rows and for suppressed people"
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
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["import.get", "import.list", "lead.get", "lead.search"],
  relatedResources: ["svc://imports/{id}"],
  examples: [
    { title: "All rows", input: { import_id: "imp_SAMPLE00000000000000000001" } },
    { title: "Rejected rows", input: { import_id: "imp_SAMPLE00000000000000000001", outcome: "refused" } }
  ],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* ImportsRepo
    const { items, nextCursor } = yield* readPage(organizationId, "import.leads.list", input, (page) =>
      repo.rows(organizationId, input.import_id, input.outcome, page)
    )
    // No rows: tells an unknown import from one without such rows.
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
