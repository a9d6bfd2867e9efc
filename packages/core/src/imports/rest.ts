/**
 * Leads posted to a mission, as REST has it: an import of type API, written in chunks.
 *
 * A row that is refused spoils no other row; when every row is invalid nothing is stored and the request is refused. Sent
 * again, the same leads are found by their identifiers and skipped. Source: spec "Missions" under Endpoints; G21.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import * as Command from "../Command.ts"
import { Execution } from "../Execution.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import { rowsImported } from "../instruments.ts"
import { meantLeadReader } from "../leads/index.ts"
import { MissionsRepo, RestMission, refuseArchived, restMissionOf } from "../missions/index.ts"
import { nonEmptyLine } from "../TextFields.ts"
import { now } from "../Time.ts"
import { fileFields } from "./commands/ImportCsv.ts"
import { answerFile, FileImportResult } from "./fileResult.ts"
import { type ImportCounts, type ImportRun, noCounts } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { importEnded, importStarted } from "./importEvents.ts"
import { importFile } from "./importFile.ts"
import { importRows, type RowVerdict, recordRows } from "./importRows.ts"
import { missionToFill } from "./missionToFill.ts"
import { readingCommands } from "./restReads.ts"
import { Upload } from "./Upload.ts"

/** Most leads in one request. */
export const mostPostedLeads = 1_000

/** Rows written in one transaction: short enough to hold nobody up, long enough to be quick. */
const chunkSize = 500
const shownReasons = 5
const longestReasons = 450

/** Where the posting stands between two chunks. Verdicts wait until there is an import to store them with. */
interface Posting {
  readonly run: ImportRun
  readonly isStored: boolean
  readonly waiting: ReadonlyArray<RowVerdict>
}

const allInvalid = (verdicts: ReadonlyArray<RowVerdict>): Failure => {
  const reasons: Array<string> = []
  for (const { failure, row } of verdicts.slice(0, shownReasons)) {
    const reason = `leads[${row.position}]: ${failure?.message ?? row.reason}`
    if (reasons.length > 0 && reasons.join(" ").length + reason.length > longestReasons) break
    reasons.push(reason)
  }
  const more = verdicts.length > reasons.length ? ` And ${verdicts.length - reasons.length} more.` : ""
  return fail("INVALID_INPUT", `None of the leads can be used. ${reasons.join(" ")}${more}`)
}

const startRun = Effect.fnUntraced(function* (organizationId: string, missionId: string) {
  const at = yield* now
  const run: ImportRun = {
    id: yield* (yield* Ids).next("imp"),
    organizationId,
    missionId,
    type: "API",
    name: `Posted leads, ${at.slice(0, 10)}`,
    fingerprint: null,
    sourceUrl: null,
    context: null,
    state: "running",
    reason: null,
    counts: noCounts,
    cursor: null,
    accountId: null,
    file: null,
    rowLimit: null,
    attempt: 1,
    createdAt: at,
    updatedAt: at,
    finishedAt: null
  }
  return run
})

/** Imports one chunk; the last one completes the import. Fails when every row of the request was invalid. */
const importChunk = Effect.fnUntraced(function* (
  posting: Posting,
  position: number,
  items: ReadonlyArray<unknown>,
  isLast: boolean
) {
  const read = yield* meantLeadReader
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

/** POST /api/v1/missions/{missionHandle}/leads. The HTTP layer moves `import_id` to the header `Svc-Import-Id`. */
export const RestAddLeads = Command.make({
  id: "rest.missions.leads.add",
  title: "Add leads to a mission",
  summary: "Post up to 1,000 leads into a mission; known people are updated, new ones created.",
  description:
    "Each item takes the fields of lead.upsert, in snake_case or camelCase, with at least one identifier. Items that cannot " +
    "be used are left out and listed by import.get; only when all of them are invalid the request is refused.",
  whenToUse: "From programs that hold leads of their own.",
  category: "missions",
  risk: "mutate",
  visibility: "internal",
  scope: "leads:write",
  // Reaches nothing outside; it is written in several transactions, which is what outward commands may do.
  outward: true,
  input: Schema.Struct({
    missionHandle: nonEmptyLine(64, "Handle of the mission"),
    leads: Schema.Array(Schema.Record(Schema.String, Schema.Unknown))
      .check(Schema.isBetweenLength(1, mostPostedLeads))
      .annotate({ description: "The leads, 1 to 1,000, each with the fields of lead.upsert" })
  }),
  output: Schema.Struct({ mission: RestMission, import_id: Schema.String }),
  relatedCommands: ["lead.upsert", "import.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [
    { title: "One lead", input: { missionHandle: "spring-outreach", leads: [{ email: "linus@example.com" }] } }
  ],
  run: Effect.fnUntraced(function* ({ leads, missionHandle }) {
    const { organizationId } = yield* Actor
    const execution = yield* Execution
    const missions = yield* MissionsRepo
    const mission = yield* missions.findByIdOrHandle(organizationId, missionHandle)
    if (mission === undefined) return yield* notFound("mission", missionHandle)
    yield* Effect.fromResult(refuseArchived(mission.status, "import"))
    let posting: Posting = { run: yield* startRun(organizationId, mission.id), isStored: false, waiting: [] }
    let position = 0
    for (; leads.length - position > chunkSize; position += chunkSize) {
      const chunk = leads.slice(position, position + chunkSize)
      posting = yield* execution.commit(importChunk(posting, position, chunk, false))
    }
    let counts: ImportCounts = noCounts
    const answered = yield* execution.finish(
      Effect.gen(function* () {
        const { run } = yield* importChunk(posting, position, leads.slice(position), true)
        counts = run.counts
        yield* missions.touch(organizationId, mission.id, run.updatedAt)
        const view = yield* missions.view(organizationId, mission.id)
        if (view === undefined) return yield* notFound("mission", missionHandle)
        return { mission: restMissionOf(view), import_id: run.id }
      })
    )
    if (!execution.dryRun) yield* rowsImported(counts, noCounts)
    return answered
  })
})

/** POST /api/v1/missions/{missionHandle}/imports with a text/csv body, which comes as an {@link Upload}. */
export const RestImportFile = Command.make({
  id: "rest.missions.imports.create",
  title: "Import a CSV file into a mission",
  summary: "Send a CSV file of any size as the body; its people are added to the mission as leads.",
  description:
    "The file is read while it comes in, and not kept. If the connection breaks, send the same file again: it goes on after " +
    "the last row that was stored. With Content-Digest (sha-256) a file that was imported before is recognised.",
  whenToUse: "For files that are too large for import.csv.",
  category: "imports",
  risk: "mutate",
  visibility: "internal",
  scope: "imports:run",
  outward: true,
  input: Schema.Struct({ missionHandle: nonEmptyLine(64, "Handle of the mission"), ...fileFields }),
  output: Schema.Struct({ import: FileImportResult }),
  relatedCommands: ["import.csv", "import.get"],
  relatedResources: ["svc://imports/{id}"],
  examples: [{ title: "A file", input: { missionHandle: "spring-outreach" } }],
  run: Effect.fnUntraced(function* ({ missionHandle, ...input }) {
    const upload = yield* Upload
    if (upload === undefined) return yield* fail("INVALID_INPUT", "The file is missing. Send it as a text/csv body.")
    const mission = yield* missionToFill({ mission_handle: missionHandle })
    const execution = yield* Execution
    const end = yield* Effect.scoped(
      importFile({
        ...upload,
        mission,
        name: input.name,
        context: input.context,
        mapping: input.mapping,
        delimiter: input.delimiter,
        again: input.again
      })
    )
    return yield* execution.finish(Effect.map(answerFile(end, mission), (result) => ({ import: result })))
  })
})

/** The REST operations of this domain. */
export const restCommands = [RestAddLeads, RestImportFile, ...readingCommands] as const
