import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Execution, orNotFound } from "../../kernel/command/Execution.ts"
import { InvalidCursor, InvalidInput, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { NextCursor, pageFields, readPage } from "../../kernel/schema/Page.ts"
import { snakeFields } from "../../kernel/schema/snakeCase.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { countImportRows } from "../../kernel/telemetry/instruments.ts"
import { LeadStatus } from "../../leads/LeadStatus.ts"
import { ownFieldsFor } from "../../leads/ownValues.ts"
import { leadItemReader } from "../../leads/upsertLeads.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { type MissionView, RestMission, restMissionOf } from "../../missions/Mission.ts"
import { MissionsRepo } from "../../missions/MissionsRepo.ts"
import { getImport, ImportSummary, importEnded, importStarted, summaryOf, warnOfEnrolled } from "../Import.ts"
import { type ImportRun, noCounts, RowOutcome } from "../ImportRun.ts"
import { ImportsRepo } from "../ImportsRepo.ts"
import { holdMissionOf, importRows, newRun, type RowVerdict, recordRows, targetMission } from "../importRows.ts"
import { defaultFields, defaultsOf } from "../leadDefaults.ts"

/** Maximum number of leads per request. */
const maxPostedLeads = 1_000

const shownReasons = 5

const maxReasonsLength = 450

const allInvalid = (verdicts: ReadonlyArray<RowVerdict>): InvalidInput => {
  const reasons: Array<string> = []
  for (const { failure, row } of verdicts.slice(0, shownReasons)) {
    const reason = `leads[${row.position}]: ${failure?.message ?? row.reason}`
    if (reasons.length > 0 && reasons.join(" ").length + reason.length > maxReasonsLength) break
    reasons.push(reason)
  }
  const more = verdicts.length > reasons.length ? ` And ${verdicts.length - reasons.length} more.` : ""
  return new InvalidInput({ message: `None of the leads can be used. ${reasons.join(" ")}${more}` })
}

/**
 * Stores posted leads as an import. A refused row does not affect the others; when all are invalid, this fails with
 * INVALID_INPUT. Posted again, the same leads match and are skipped.
 */
const storePosted = Effect.fnUntraced(function* (fresh: ImportRun, leads: ReadonlyArray<unknown>) {
  const read = yield* leadItemReader(yield* ownFieldsFor(leads))
  yield* holdMissionOf(fresh)
  const verdicts = yield* importRows(fresh, 0, leads.map(read))
  if (verdicts.every(({ row }) => row.outcome === "invalid")) return yield* allInvalid(verdicts)
  yield* (yield* ImportsRepo).insert(fresh)
  yield* importStarted(fresh)
  const run = yield* recordRows(fresh, verdicts, { cursor: null, state: "completed", reason: null })
  yield* importEnded(run)
  return run
})

/** The result. */
interface Added {
  readonly run: ImportRun
  readonly view: MissionView
  readonly at: number
}

/** `import.leads.add`: imports posted leads into a mission. */
export const AddImportedLeads = Command.make({
  id: "import.leads.add",
  title: "Import leads into a mission",
  summary: "Import up to 1,000 leads into a mission",
  description:
    "Creates new leads and updates known ones. Each item takes the fields of lead.upsert, in snake_case or camelCase, with " +
    "at least one identifier. Invalid items are left out and listed by import.get; the request fails only if all are invalid.",
  whenToUse: "From programs that hold leads of their own.",
  risk: "mutate",
  scope: "leads:write",
  // Reaches nothing outside; its rows are counted after they are committed, which is what outward commands may do.
  outward: true,
  input: Schema.Struct({
    mission_id: nonEmptyLine(64, "Id or handle of the mission"),
    leads: Schema.Array(Schema.Record(Schema.String, Schema.Unknown).check(Schema.isMaxProperties(100)))
      .check(Schema.isBetweenLength(1, maxPostedLeads))
      .annotate({ description: "The leads, 1 to 1,000, each with the fields of lead.upsert" }),
    ...defaultFields
  }),
  output: Schema.Struct({ import: ImportSummary }),
  failures: [MissionArchived, NotFound, WrongState],
  riskNotes: ["Creates and updates leads; contacts nobody."],
  relatedCommands: ["lead.upsert", "import.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "One lead", input: { mission_id: "spring-outreach", leads: [{ email: "linus@example.com" }] } }],
  annotations: { bodyLimit: 5 * 1024 * 1024 },
  show: ({ at, run, view }: Added) => {
    const { handle, id, name } = view.mission
    return { import: summaryOf(run, { handle, id, name }, at) }
  },
  record: {
    schema: Schema.Struct({ mission: RestMission, import_id: Schema.String }),
    show: ({ run, view }: Added) => ({ mission: restMissionOf(view), import_id: run.id })
  },
  run: Effect.fnUntraced(function* ({ leads, mission_id, ...given }) {
    const execution = yield* Execution
    const missions = yield* MissionsRepo
    const mission = yield* targetMission({ mission_id })
    const defaults = defaultsOf(given)
    const fresh = yield* newRun(mission, (at) => ({ type: "API", name: `Posted leads, ${at.slice(0, 10)}`, defaults }))
    const added = yield* execution.finish(
      Effect.gen(function* () {
        const run = yield* storePosted(fresh, leads)
        yield* warnOfEnrolled(run)
        yield* missions.touch(run.organizationId, mission.id, run.updatedAt)
        const view = yield* orNotFound("mission", mission.id, missions.view(run.organizationId, mission.id))
        return { run, view, at: yield* Clock.currentTimeMillis }
      })
    )
    if (!execution.dryRun) yield* countImportRows(added.run.counts, noCounts)
    return added
  })
})

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
  risk: "read",
  scope: "imports:read",
  input: Schema.Struct({
    import_id: nonEmptyLine(64, "Id of the import"),
    outcome: Schema.optionalKey(
      Schema.Literals([...RowOutcome.literals, "refused"]).annotate({ description: "Only rows with this outcome" })
    ),
    ...pageFields
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
  examples: [{ title: "Rejected rows", input: { import_id: "imp_SAMPLE00000000000000000001", outcome: "refused" } }],
  run: Effect.fnUntraced(function* (input) {
    const repo = yield* ImportsRepo
    const { items, next_cursor } = yield* readPage(
      "import.leads.list",
      input,
      repo.rows,
      input.import_id,
      input.outcome
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
      leads: [...leads.values()].map((lead) => snakeFields(lead, ["id", "name", "jobTitle", "company", "status"])),
      next_cursor
    }
  })
})
