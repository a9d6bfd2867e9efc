/**
 * Importing a file into a mission, one batch per transaction, while the next batch is read.
 *
 * Rows and counts, and thereby the position in the file, are stored together, so an import resumes at the next row when the
 * same file is sent again. The file itself is not stored. A run is fenced by its attempt number, so two uploads of one file
 * never count a row twice.
 */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { commit, Execution, warn } from "../kernel/command/Execution.ts"
import { isStoreDown } from "../kernel/failure/Failure.ts"
import { Unavailable } from "../kernel/failure/failures.ts"
import { canonicalJson, sha256Hex } from "../kernel/schema/Hash.ts"
import { ownFields } from "../leads/ownValues.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { type CsvRows, openCsv, previewedRows, type UploadedFile } from "./csv/CsvRows.ts"
import { type ColumnMapping, columnMatches, columnWarnings } from "./csv/columnNames.ts"
import type { Delimiter } from "./csv/csvDialect.ts"
import { ImportResult, lastRowAt, progressOf, readResult, shownUpdatedIds } from "./Import.ts"
import { decideFile, type ImportRun, type LeadDefaults, RowOutcome, rowsSeen } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { beginRun, newRun, type RunEnd, runImport } from "./importRows.ts"
import { defaultsOf, warnOfDefaults } from "./leadDefaults.ts"
import { type FileFailure, type FileProgress, storeBatches } from "./storeBatches.ts"

/** A file to import. Without a digest, size and first bytes identify it. */
interface FileToImport extends UploadedFile, LeadDefaults {
  readonly mission: MissionRow
  /** Name of the import; default includes the date. */
  readonly name?: string
  readonly context?: string
  readonly mapping: ColumnMapping
  readonly delimiter?: Delimiter
  /** Imports a file again that was imported completely. */
  readonly again: boolean
}

/** The outcome of a file. */
interface FileOutcome extends RunEnd<Pick<FileProgress, "run" | "refused">, FileFailure> {
  readonly columns: CsvRows["columns"]
  readonly preview: CsvRows["preview"]
  /** Whether the mission already had an import of this file. */
  readonly alreadyExists: boolean
  /** Rows seen before this call. */
  readonly seenBefore: number
}

const fingerprintOf = ({ digest, mapping, size }: FileToImport, rows: CsvRows): string =>
  sha256Hex(canonicalJson(["file", digest ?? [rows.startHash, size ?? null], mapping, rows.delimiter]))

/** The failure of an upload that ends early. */
export const uploadInterrupted = (): Unavailable =>
  new Unavailable({ message: "The upload ended early. Send the same file again to resume." })

/**
 * Imports a file, or resumes it. Fails when the file cannot be opened or the import stops before any row is stored; a later
 * stop is part of the result.
 */
export const importFile = Effect.fnUntraced(function* (file: FileToImport) {
  const { digest, mission } = file
  const rows = yield* openCsv(file.content, { ...file, own: yield* ownFields })
  const { columns, delimiter, preview } = rows
  const fingerprint = fingerprintOf(file, rows)
  const fresh = yield* newRun(mission, (at) => ({
    type: "CSV",
    name: file.name ?? `CSV, ${at.slice(0, 10)}`,
    fingerprint,
    context: file.context ?? null,
    defaults: defaultsOf(file),
    file: {
      columns: columns.map(({ field, name }) => ({ name, field })),
      delimiter,
      ...(digest === undefined ? {} : { digest })
    }
  }))
  const latestRun = (yield* ImportsRepo).latest(mission.organizationId, mission.id, fingerprint)
  const latest = yield* latestRun
  const { again } = file
  const decision = decideFile(latest, { again, hasDigest: digest !== undefined }, yield* Clock.currentTimeMillis)
  const earlier = decision === "start" ? undefined : latest
  if (earlier !== undefined) yield* warnOfDefaults(earlier, file)
  const known = (run: ImportRun): FileOutcome => {
    const seenBefore = rowsSeen(run.counts)
    return { run, columns, preview, failure: undefined, alreadyExists: true, seenBefore, refused: [] }
  }
  if (decision === "return" && latest !== undefined) return known(latest)
  const run = yield* commit(beginRun(fresh, earlier))
  if (run === undefined) return known((yield* latestRun) ?? fresh)
  const first: FileProgress = { ...(yield* progressOf(run)), refused: [] }
  const end = yield* runImport(
    first,
    (at) => storeBatches(rows, first, at),
    (failure) => (isStoreDown(failure) ? "interrupted" : "failed")
  )
  if (end.failure !== undefined && rowsSeen(end.run.counts) === 0) return yield* end.failure
  return { ...end, columns, preview, alreadyExists: earlier !== undefined, seenBefore: rowsSeen(run.counts) }
})

/** Maximum number of refused rows in a result. */
const shownRefusals = 50

export const FileImportResult = Schema.Struct({
  ...ImportResult.fields,
  state: Schema.String.annotate({ description: "State of the import, as in import.get" }),
  mapping: Schema.Array(
    Schema.Struct({
      column: Schema.String,
      field: Schema.NullOr(Schema.String).annotate({
        description: "Lead field the column is mapped to; null: ignored"
      }),
      match: Schema.Literals(columnMatches).annotate({
        description: "matched by mapping or by the field's name, guessed by a usual heading, or ignored"
      }),
      header: Schema.NullOr(Schema.String).annotate({
        description: "For an ignored column: the heading that would match, if it is similar"
      })
    })
  ),
  preview: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)).annotate({
    description: `In a dry run, the first ${previewedRows} rows by lead field, an invalid one empty; otherwise none`
  }),
  refused_rows: Schema.Array(
    Schema.Struct({
      row: Schema.Int.annotate({ description: "Row number in the file, starting at 1, without the header" }),
      outcome: RowOutcome,
      reason: Schema.String.annotate({ description: "Failure code, see svc://errors" }),
      message: Schema.String
    })
  ).annotate({ description: `The first ${shownRefusals} rows rejected by this call; import.leads.list has all` })
})

export type FileImportResult = typeof FileImportResult.Type

const messageOf = (run: ImportRun, { alreadyExists, failure, seenBefore }: FileOutcome): string | null => {
  if (failure !== undefined) return failure.message
  if (run.state === "running") return "running"
  if (!alreadyExists) return null
  if (rowsSeen(run.counts) > seenBefore) return `Continued after row ${seenBefore}.`
  return `This file was imported into the mission on ${lastRowAt(run)}. Send again: true to import it again.`
}

/** The result for a file. The list of changed leads is cut, with a warning. */
export const fileImportResult = Effect.fnUntraced(function* (end: FileOutcome, mission: MissionRow) {
  const { dryRun } = yield* Execution
  const { result, run } = yield* readResult(end.run, mission, end.alreadyExists, null)
  if (result.updated_ids.length === shownUpdatedIds) {
    yield* warn(`updated_ids holds the first ${shownUpdatedIds}; import.leads.list has all.`)
  }
  for (const warning of columnWarnings(end.columns)) yield* warn(warning)
  return {
    ...result,
    message: messageOf(run, end),
    state: run.state,
    mapping: end.columns.map(({ name, ...use }) => ({ column: name, ...use })),
    preview: dryRun ? end.preview : [],
    refused_rows: end.refused.slice(0, shownRefusals).map(({ failure, row }) => ({
      row: row.position + 1,
      outcome: row.outcome,
      reason: row.reason ?? "",
      message: failure?.message ?? ""
    }))
  }
})
