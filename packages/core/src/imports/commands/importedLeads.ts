import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor, Execution } from "../../kernel/command/Execution.ts"
import { InvalidCursor, InvalidInput, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { Ids, type MissionId, now, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { countImportRows } from "../../kernel/telemetry/instruments.ts"
import { LeadStatus } from "../../leads/LeadStatus.ts"
import { leadItemReader } from "../../leads/upsertLeads.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { type MissionView, RestMission, restMissionOf } from "../../missions/Mission.ts"
import { refuseArchived } from "../../missions/MissionStatus.ts"
import { MissionsRepo } from "../../missions/MissionsRepo.ts"
import { ImportSummary, summaryOf, warnOfEnrolled } from "../Import.ts"
import { freshRun, type ImportCounts, type ImportRun, noCounts, RowOutcome } from "../ImportRun.ts"
import { ImportsRepo } from "../ImportsRepo.ts"
import { holdMissionOf, importRows, type RowVerdict, recordRows } from "../importRows.ts"
import { getImport, importEnded, importStarted } from "../readImport.ts"

// Leads posted to a mission: an import of type API, written in chunks.
//
// A refused row does not affect the others; only when every row is invalid is the request refused and nothing stored.
// Posted again, the same leads match and are skipped.

/** Maximum number of leads per request. */
const maxPostedLeads = 1_000

/** Rows per transaction. */
const chunkSize = 500

const shownReasons = 5

const maxReasonsLength = 450

/** Progress between two chunks. Verdicts wait until the import is stored. */
interface Posting {
  readonly run: ImportRun
  readonly isStored: boolean
  readonly waiting: ReadonlyArray<RowVerdict>
}

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

const startRun = Effect.fnUntraced(function* (organizationId: OrganizationId, missionId: MissionId) {
  const at = yield* now
  const id = yield* (yield* Ids).next("imp")
  return freshRun({ id, organizationId, missionId, type: "API", name: `Posted leads, ${at.slice(0, 10)}` }, at)
})

/** Imports one chunk; the last one completes the import. Fails when every row of the request was invalid. */
const importChunk = Effect.fnUntraced(function* (
  posting: Posting,
  position: number,
  items: ReadonlyArray<unknown>,
  isLast: boolean
) {
  const read = yield* leadItemReader
  if (!posting.isStored) yield* holdMissionOf(posting.run)
  const verdicts = [...posting.waiting, ...(yield* importRows(posting.run, position, items.map(read)))]
  const isStored = posting.isStored || verdicts.some(({ row }) => row.outcome !== "invalid")
  if (!isStored) return isLast ? yield* allInvalid(verdicts) : { ...posting, waiting: verdicts }
  if (!posting.isStored) {
    yield* (yield* ImportsRepo).insert(posting.run)
    yield* importStarted(posting.run)
  }
  const state = isLast ? "completed" : "running"
  const run = yield* recordRows(posting.run, verdicts, { cursor: null, state, reason: null })
  if (isLast) yield* importEnded(run)
  return { run, isStored, waiting: [] } satisfies Posting
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
  category: "imports",
  risk: "mutate",
  scope: "leads:write",
  // Reaches nothing outside; it is written in several transactions, which is what outward commands may do.
  outward: true,
  input: Schema.Struct({
    mission_id: nonEmptyLine(64, "Id or handle of the mission"),
    leads: Schema.Array(Schema.Record(Schema.String, Schema.Unknown).check(Schema.isMaxProperties(100)))
      .check(Schema.isBetweenLength(1, maxPostedLeads))
      .annotate({ description: "The leads, 1 to 1,000, each with the fields of lead.upsert" })
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
  run: Effect.fnUntraced(function* ({ leads, mission_id }) {
    const { organizationId } = yield* Actor
    const execution = yield* Execution
    const missions = yield* MissionsRepo
    const mission = yield* missions.findByIdOrHandle(organizationId, mission_id)
    if (mission === undefined) return yield* new NotFound({ kind: "mission", id: mission_id })
    yield* Effect.fromResult(refuseArchived(mission.status, "import"))
    let posting: Posting = { run: yield* startRun(organizationId, mission.id), isStored: false, waiting: [] }
    let position = 0
    for (; leads.length - position > chunkSize; position += chunkSize) {
      const chunk = leads.slice(position, position + chunkSize)
      posting = yield* execution.commit(importChunk(posting, position, chunk, false))
    }
    let counts: ImportCounts = noCounts
    const added = yield* execution.finish(
      Effect.gen(function* () {
        const { run } = yield* importChunk(posting, position, leads.slice(position), true)
        counts = run.counts
        yield* warnOfEnrolled(run)
        yield* missions.touch(organizationId, mission.id, run.updatedAt)
        const view = yield* missions.view(organizationId, mission.id)
        if (view === undefined) return yield* new NotFound({ kind: "mission", id: mission_id })
        return { run, view, at: yield* Clock.currentTimeMillis }
      })
    )
    if (!execution.dryRun) yield* countImportRows(counts, noCounts)
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
