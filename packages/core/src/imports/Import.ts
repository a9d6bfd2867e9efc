/** Imports as callers see them: the result of an import, the records of import.get and import.list, and events. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor, type Execution, emit, orNotFound, warn } from "../kernel/command/Execution.ts"
import type { EventType } from "../kernel/journal/Event.ts"
import { compacted, compactField } from "../kernel/schema/compact.ts"
import { type ImportId, Instant } from "../kernel/schema/IdsAndTime.ts"
import { snakeFields } from "../kernel/schema/snakeCase.ts"
import { ImportType } from "../missions/MissionInput.ts"
import { ImportMission, type ImportRun, ImportState, isStale, RefusedRow, rowsSeen } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"

const text = Schema.String
const textOrNull = Schema.NullOr(Schema.String)
const count = Schema.Int

/** Maximum number of changed lead ids in a result; import.leads.list returns all. */
export const shownUpdatedIds = 2_500

/** The result of an import, the spec's closed shape. */
export const ImportResult = Schema.Struct({
  import_id: text,
  import_type: text,
  import_name: text,
  created_count: count,
  skipped_count: count,
  invalid_count: count,
  updated_count: count,
  updated_ids: Schema.Array(text),
  already_exists: Schema.Boolean,
  message: textOrNull,
  mission: Schema.Struct({ id: text, name: text })
})
export type ImportResult = typeof ImportResult.Type

const fields = {
  import_id: text,
  type: ImportType,
  name: text,
  state: ImportState,
  reason: textOrNull.annotate({ description: "Why it failed or was interrupted; otherwise null" }),
  mission: ImportMission,
  source_url: textOrNull,
  content_sha256: textOrNull.annotate({
    description: "SHA-256 of the imported file, hexadecimal; null if the source is not a file or the hash is unknown"
  }),
  context: textOrNull,
  progress: Schema.Struct({
    seen: count.annotate({ description: "Rows read: the sum of the four counts" }),
    limit: Schema.NullOr(count).annotate({ description: "Maximum number of rows; null if the source is finite" }),
    has_more: Schema.Boolean.annotate({ description: "Whether the source had more rows when last read" })
  }),
  created_count: count,
  updated_count: count,
  skipped_count: count,
  invalid_count: count,
  enrolled_count: count.annotate({
    description: "Known leads that were added to the mission, among the updated and the skipped"
  }),
  created_at: Instant,
  updated_at: Instant.annotate({ description: "When a row or the state last changed" }),
  finished_at: Schema.NullOr(Instant)
}

/** An import as lists show it. */
export const ImportSummary = Schema.Struct(fields)
export type ImportSummary = typeof ImportSummary.Type

/** Maximum number of refused rows shown with an import. */
const shownRefusedRows = 50

/** An import with its first refused rows. */
export const ImportDetail = Schema.Struct({
  ...fields,
  columns: Schema.Array(text).annotate({ description: "Columns of the imported file; empty without one" }),
  refused_rows: Schema.Array(RefusedRow)
})
export type ImportDetail = typeof ImportDetail.Type

/** The counts as they are shown and stored. */
export const countsOf = ({ counts }: Pick<ImportRun, "counts">) => ({
  created_count: counts.created,
  updated_count: counts.updated,
  skipped_count: counts.skipped,
  invalid_count: counts.invalid
})

/** A run as callers see it now: without progress for too long, it is shown as interrupted. */
export const summaryOf = (run: ImportRun, mission: ImportMission, nowMillis: number): ImportSummary => {
  const stale = isStale(run, nowMillis)
  return {
    import_id: run.id,
    type: run.type,
    name: run.name,
    state: stale ? "interrupted" : run.state,
    reason: stale ? "The process that ran it stopped." : run.reason,
    mission,
    source_url: run.sourceUrl,
    content_sha256: run.file?.digest ?? null,
    context: run.context,
    progress: { seen: rowsSeen(run.counts), limit: run.rowLimit, has_more: run.cursor !== null },
    ...countsOf(run),
    enrolled_count: run.enrolled,
    ...snakeFields(run, ["createdAt", "updatedAt", "finishedAt"])
  }
}

/** Warns of known leads that were added to the mission, since the closed result cannot show them. */
export const warnOfEnrolled = ({ enrolled }: ImportRun): Effect.Effect<void, never, Execution> =>
  enrolled === 0
    ? Effect.void
    : warn(`enrolled: ${enrolled} known ${enrolled === 1 ? "lead was" : "leads were"} added to the mission.`)

/** The run as it is stored now and the result of its import, with a warning of the leads that it added to the mission. */
export const readResult = Effect.fnUntraced(function* (
  known: ImportRun,
  mission: { readonly id: string; readonly name: string },
  alreadyExists: boolean,
  message: string | null
) {
  const stored = yield* (yield* ImportsRepo).outcome(known.organizationId, known.id, shownUpdatedIds)
  const { run, updatedIds } = stored ?? { run: known, updatedIds: [] }
  yield* warnOfEnrolled(run)
  const result: ImportResult = {
    import_id: run.id,
    import_type: run.type,
    import_name: run.name,
    ...countsOf(run),
    updated_ids: updatedIds,
    already_exists: alreadyExists,
    message,
    mission: { id: mission.id, name: mission.name }
  }
  return { run, result }
})

/** When a run ended or last changed, for people. */
export const lastRowAt = (run: ImportRun): string =>
  `${(run.finishedAt ?? run.updatedAt).slice(0, 16).replace("T", " ")} UTC`

/** The message for an existing import of the same search: when it ran, how it ended and how to continue. */
export const earlierMessage = (run: ImportRun): string => {
  if (run.state === "running") return "running"
  const when = lastRowAt(run)
  const how =
    run.state === "completed"
      ? `This search was imported into the mission on ${when}.`
      : `This search was imported into the mission until ${when}, then stopped: ${run.reason ?? "unknown reason."}`
  const more = run.cursor === null ? "find new people" : "continue where it stopped"
  return `${how} Send refresh: true to ${more}.`
}

const compactRefusedRows = 5

/** The compact response: at most five refused rows. */
export const compactImport = compactField("import", (detail: ImportDetail) => {
  const kept = detail.refused_rows.slice(0, compactRefusedRows)
  const cut = detail.refused_rows.length - kept.length
  const warning = `${cut} rejected rows are omitted; use response_profile full for all`
  return compacted<ImportDetail>({ ...detail, refused_rows: kept }, cut > 0, warning)
})

/** One import of the actor's organization. Fails with NOT_FOUND. */
export const getImport = Effect.fnUntraced(function* (importId: ImportId) {
  const { organizationId } = yield* Actor
  const find = (yield* ImportsRepo).find(organizationId, importId, shownRefusedRows)
  const { mission, refused, run } = yield* orNotFound("import", importId, find)
  const columns = (run.file?.columns ?? []).map(({ name }) => name).filter((name) => name !== "")
  return {
    ...summaryOf(run, mission, yield* Clock.currentTimeMillis),
    columns: [...new Set(columns)],
    refused_rows: refused
  }
})

const importEvent = (type: EventType, run: ImportRun, more = {}) =>
  emit({
    type,
    subject: { type: "import", id: run.id },
    data: { mission_id: run.missionId, type: run.type, ...countsOf(run), ...more }
  })

/** An import started or resumed. */
export const importStarted = (run: ImportRun) => importEvent("import.started", run)

/** An import ended. Every state but completed emits import.failed, with the state. */
export const importEnded = (run: ImportRun) => {
  const { reason, state } = run
  return importEvent(state === "completed" ? "import.completed" : "import.failed", run, { state, reason })
}

/** Rows between two progress events: a tenth of the limit, at least one page; ten thousand for files. */
const step = (run: ImportRun): number => (run.rowLimit === null ? 10_000 : Math.max(25, Math.ceil(run.rowLimit / 10)))

const quietMillis = 30_000

/** A run as last stored, with rows and time of its last progress event. */
export interface RunProgress {
  readonly run: ImportRun
  readonly emitted: { readonly rows: number; readonly millis: number }
}

/** The progress of a run as if it was announced now. */
export const progressOf = (run: ImportRun): Effect.Effect<RunProgress> =>
  Effect.map(Clock.currentTimeMillis, (millis) => ({ run, emitted: { rows: rowsSeen(run.counts), millis } }))

/** Emits the end of an import, or its progress after {@link step} rows or 30 s. */
export const importAdvanced = Effect.fnUntraced(function* (run: ImportRun, { emitted }: RunProgress) {
  const now = yield* progressOf(run)
  const { millis, rows } = now.emitted
  if (run.state !== "running") yield* importEnded(run)
  else if (rows - emitted.rows >= step(run) || millis - emitted.millis >= quietMillis) {
    yield* importEvent("import.progress", run)
    return now
  }
  return { run, emitted }
})
