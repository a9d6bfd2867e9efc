/**
 * Imports as callers see them: the spec's result of an import, and the record that import.get and import.list read.
 *
 * Source: spec "Import result"; catalogue 4.1 (import.get, import.list).
 */
import * as Schema from "effect/Schema"
import { Instant } from "../Time.ts"
import { type ImportRun, ImportState, ImportType, isStale, RowOutcome, rowsSeen } from "./ImportRun.ts"

const text = Schema.String
const textOrNull = Schema.NullOr(Schema.String)
const count = Schema.Int

/** How many ids of changed leads a result holds; import.leads.list has all. */
export const shownUpdatedIds = 2_500

/** What an import did, the spec's closed shape. */
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
  reason: textOrNull.annotate({ description: "Why it failed or was interrupted; null otherwise" }),
  mission: ImportMission,
  source_url: textOrNull,
  content_sha256: textOrNull.annotate({
    description: "SHA-256 of the imported file, in hexadecimal; null when the source is no file or it was not known"
  }),
  context: textOrNull,
  progress: Schema.Struct({
    seen: count.annotate({ description: "Rows seen: the sum of the four counts" }),
    limit: Schema.NullOr(count).annotate({ description: "Rows after which it stops; null when the source is finite" }),
    has_more: Schema.Boolean.annotate({ description: "Whether the source had more when it was last read" })
  }),
  created_count: count,
  updated_count: count,
  skipped_count: count,
  invalid_count: count,
  created_at: Instant,
  updated_at: Instant.annotate({ description: "When a row or the state last changed" }),
  finished_at: Schema.NullOr(Instant)
}

/** An import as lists show it. */
export const ImportSummary = Schema.Struct(fields)
export type ImportSummary = typeof ImportSummary.Type

/** A row that was not imported. */
export const RefusedRow = Schema.Struct({
  position: count.annotate({ description: "Place of the row in its source, from 0" }),
  outcome: RowOutcome,
  reason: text.annotate({ description: "Failure code, see svc://errors" })
})
export type RefusedRow = typeof RefusedRow.Type

/** How many refused rows an import shows. */
export const shownRefusedRows = 50

/** An import with the first rows that were refused. */
export const ImportDetail = Schema.Struct({ ...fields, refused_rows: Schema.Array(RefusedRow) })
export type ImportDetail = typeof ImportDetail.Type

/** A stored run as callers see it at an instant: one that stopped reporting is shown as interrupted. */
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
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    finished_at: run.finishedAt
  }
}

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

/** What an import that was there before says of itself: when it was, how it ended, and how to go on. */
export const earlierMessage = (run: ImportRun): string => {
  if (run.state === "running") return "running"
  const when = (run.finishedAt ?? run.updatedAt).slice(0, 16).replace("T", " ")
  const how =
    run.state === "completed"
      ? `This search was imported into the mission on ${when} UTC.`
      : `This search was imported into the mission until ${when} UTC, then it stopped: ${run.reason ?? "unknown reason."}`
  const more = run.cursor === null ? "look for people who are new in it" : "go on where it ended"
  return `${how} Send refresh: true to ${more}.`
}

const compactRefusedRows = 5

/** The compact profile of an import: five refused rows at most. Source: G23. */
export const compactImport = (
  detail: ImportDetail
): { readonly detail: ImportDetail; readonly warnings: ReadonlyArray<string> } => {
  const kept = detail.refused_rows.slice(0, compactRefusedRows)
  const cut = detail.refused_rows.length - kept.length
  return {
    detail: { ...detail, refused_rows: kept },
    warnings: cut > 0 ? [`compact: ${cut} refused rows are left out; ask for response_profile full`] : []
  }
}
