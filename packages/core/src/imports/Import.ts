/** Imports as callers see them: the spec's result of an import, and the record of import.get and import.list. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Execution, warn } from "../kernel/command/Execution.ts"
import { Instant } from "../kernel/schema/IdsAndTime.ts"
import { ImportType } from "../missions/MissionInput.ts"
import { type ImportRun, ImportState, isStale, RowOutcome, rowsSeen } from "./ImportRun.ts"

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

/** The mission of an import. */
export const ImportMission = Schema.Struct({ id: text, handle: text, name: text })
export type ImportMission = typeof ImportMission.Type

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

/** A row that was not imported. */
export const RefusedRow = Schema.Struct({
  position: count.annotate({ description: "Position of the row in its source, starting at 0" }),
  outcome: RowOutcome,
  reason: text.annotate({ description: "Failure code, see svc://errors" })
})
export type RefusedRow = typeof RefusedRow.Type

/** Maximum number of refused rows shown with an import. */
export const shownRefusedRows = 50

/** An import with its first refused rows. */
export const ImportDetail = Schema.Struct({
  ...fields,
  columns: Schema.Array(text).annotate({ description: "Columns of the imported file; empty without one" }),
  refused_rows: Schema.Array(RefusedRow)
})
export type ImportDetail = typeof ImportDetail.Type

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
    created_count: run.counts.created,
    updated_count: run.counts.updated,
    skipped_count: run.counts.skipped,
    invalid_count: run.counts.invalid,
    enrolled_count: run.enrolled,
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    finished_at: run.finishedAt
  }
}

/** Warns of known leads that were added to the mission, since the closed result cannot show them. */
export const warnOfEnrolled = ({ enrolled }: ImportRun): Effect.Effect<void, never, Execution> =>
  enrolled === 0
    ? Effect.void
    : warn(`enrolled: ${enrolled} known ${enrolled === 1 ? "lead was" : "leads were"} added to the mission.`)

/** The result of an import. `updatedIds` are the leads that it changed. */
export const resultOf = (
  run: ImportRun,
  outcome: {
    readonly mission: { readonly id: string; readonly name: string }
    readonly updatedIds: ReadonlyArray<string>
    readonly alreadyExists: boolean
    readonly message: string | null
  }
): ImportResult => ({
  import_id: run.id,
  import_type: run.type,
  import_name: run.name,
  created_count: run.counts.created,
  skipped_count: run.counts.skipped,
  invalid_count: run.counts.invalid,
  updated_count: run.counts.updated,
  updated_ids: outcome.updatedIds,
  already_exists: outcome.alreadyExists,
  message: outcome.message,
  mission: { id: outcome.mission.id, name: outcome.mission.name }
})

/** The message for an existing import of the same search: when it ran, how it ended and how to continue. */
export const earlierMessage = (run: ImportRun): string => {
  if (run.state === "running") return "running"
  const when = (run.finishedAt ?? run.updatedAt).slice(0, 16).replace("T", " ")
  const how =
    run.state === "completed"
      ? `This search was imported into the mission on ${when} UTC.`
      : `This search was imported into the mission until ${when} UTC, then stopped: ${run.reason ?? "unknown reason."}`
  const more = run.cursor === null ? "find new people" : "continue where it stopped"
  return `${how} Send refresh: true to ${more}.`
}

const compactRefusedRows = 5

/** The compact response: at most five refused rows. */
export const compactImport = (
  detail: ImportDetail
): { readonly detail: ImportDetail; readonly warnings: ReadonlyArray<string> } => {
  const kept = detail.refused_rows.slice(0, compactRefusedRows)
  const cut = detail.refused_rows.length - kept.length
  return {
    detail: { ...detail, refused_rows: kept },
    warnings: cut > 0 ? [`compact: ${cut} rejected rows are omitted; use response_profile full for all`] : []
  }
}
