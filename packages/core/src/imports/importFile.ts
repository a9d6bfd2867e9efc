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
import type * as Stream from "effect/Stream"
import { Actor, commit, warn } from "../kernel/command/Execution.ts"
import { type Internal, type NotFound, Unavailable, type WrongState } from "../kernel/failure/failures.ts"
import type { JournalFailure } from "../kernel/journal/Journal.ts"
import { canonicalJson, sha256Hex } from "../kernel/schema/Hash.ts"
import { Ids, isoFromMillis } from "../kernel/schema/IdsAndTime.ts"
import type { MissionArchived } from "../missions/failures.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { type CsvRows, type FileRefusal, openCsv } from "./csv/CsvRows.ts"
import type { ColumnMapping } from "./csv/columnNames.ts"
import type { Delimiter } from "./csv/csvDialect.ts"
import { ImportResult, resultOf, shownUpdatedIds, warnOfEnrolled } from "./Import.ts"
import { decideFile, freshRun, type ImportRun, RowOutcome, rowsSeen } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { beginRun, type RowVerdict, settleImport, stopUnexpected } from "./importRows.ts"
import type { EmittedProgress } from "./readImport.ts"
import { type FileProgress, storeBatches } from "./storeBatches.ts"
import type { UploadFailure } from "./Upload.ts"

/** Why an import of a file stops. */
type FileFailure = FileRefusal | Internal | JournalFailure | MissionArchived | NotFound | WrongState

/** A file to import. */
interface FileToImport {
  readonly mission: MissionRow
  readonly content: Stream.Stream<Uint8Array, UploadFailure>
  /** Name of the import; default includes the date. */
  readonly name: string | undefined
  readonly context: string | undefined
  readonly mapping: ColumnMapping
  readonly delimiter: Delimiter | undefined
  /** Hash of the content; without it, size and first bytes identify the file. */
  readonly digest: string | undefined
  /** In bytes, if known. */
  readonly size: number | undefined
  /** Imports a file again that was imported completely. */
  readonly again: boolean
}

/** The outcome of a file. */
interface FileOutcome {
  readonly run: ImportRun
  readonly columns: CsvRows["columns"]
  /** Why it stopped early. */
  readonly failure: FileFailure | undefined
  /** Whether the mission already had an import of this file. */
  readonly alreadyExists: boolean
  /** Rows seen before this call. */
  readonly seenBefore: number
  /** The first rows refused by this call. */
  readonly refused: ReadonlyArray<RowVerdict>
}

const fingerprintOf = ({ digest, mapping, size }: FileToImport, rows: CsvRows): string =>
  sha256Hex(canonicalJson(["file", digest ?? [rows.startHash, size ?? null], mapping, rows.delimiter]))

const runOf = Effect.fnUntraced(function* (file: FileToImport, rows: CsvRows) {
  const at = isoFromMillis(yield* Clock.currentTimeMillis)
  return freshRun(
    {
      id: yield* (yield* Ids).next("imp"),
      organizationId: file.mission.organizationId,
      missionId: file.mission.id,
      type: "CSV",
      name: file.name ?? `CSV, ${at.slice(0, 10)}`,
      fingerprint: fingerprintOf(file, rows),
      context: file.context ?? null,
      file: {
        columns: rows.columns,
        delimiter: rows.delimiter,
        ...(file.digest === undefined ? {} : { digest: file.digest })
      }
    },
    at
  )
})

/** The failure of an upload that ends early. */
export const uploadInterrupted = (): Unavailable =>
  new Unavailable({
    message: "The upload ended early. Send the same file again to resume."
  })

type Needs = Effect.Services<ReturnType<typeof storeBatches>>

/** Stores all rows and how it ended, whatever happens. */
const runFile = (
  rows: CsvRows,
  first: FileProgress
): Effect.Effect<{ readonly last: FileProgress; readonly failure: FileFailure | undefined }, never, Needs> => {
  let latest = first
  const stop = (state: "failed" | "interrupted", failure: FileFailure) =>
    Effect.map(settleImport(latest.run, { cursor: null, state, reason: failure.message }), (run) => ({
      last: { ...latest, run },
      failure
    }))
  return storeBatches(rows, first, (progress) => {
    latest = progress
  }).pipe(
    Effect.map((last) => ({ last, failure: undefined })),
    Effect.catch((failure) => stop(failure.code === "UNAVAILABLE" ? "interrupted" : "failed", failure)),
    stopUnexpected(() => latest.run, stop)
  )
}

/**
 * Imports a file, or resumes it. Fails when the file cannot be opened or the import stops before any row is stored; a later
 * stop is part of the result.
 */
export const importFile = Effect.fnUntraced(function* (file: FileToImport) {
  const rows = yield* openCsv(file.content, file)
  const fresh = yield* runOf(file, rows)
  const { organizationId } = yield* Actor
  const latestRun = (yield* ImportsRepo).latest(organizationId, file.mission.id, fresh.fingerprint ?? "")
  const latest = yield* latestRun
  const decision = decideFile(
    latest,
    { again: file.again, hasDigest: file.digest !== undefined },
    yield* Clock.currentTimeMillis
  )
  const earlier = decision === "start" ? undefined : latest
  const known = (run: ImportRun): FileOutcome => ({
    run,
    columns: rows.columns,
    failure: undefined,
    alreadyExists: true,
    seenBefore: rowsSeen(run.counts),
    refused: []
  })
  if (decision === "return" && latest !== undefined) return known(latest)
  const run = yield* commit(beginRun(fresh, earlier))
  if (run === undefined) return known((yield* latestRun) ?? fresh)
  const seenBefore = rowsSeen(run.counts)
  const emitted: EmittedProgress = { rows: seenBefore, millis: yield* Clock.currentTimeMillis }
  const { failure, last } = yield* runFile(rows, { run, emitted, refused: [] })
  if (failure !== undefined && rowsSeen(last.run.counts) === 0) return yield* failure
  return {
    run: last.run,
    columns: rows.columns,
    failure,
    alreadyExists: earlier !== undefined,
    seenBefore,
    refused: last.refused
  }
})

/** Maximum number of refused rows in a result. */
const shownRefusals = 50

export const FileImportResult = Schema.Struct({
  ...ImportResult.fields,
  state: Schema.String.annotate({ description: "State of the import, as in import.get" }),
  mapping: Schema.Array(
    Schema.Struct({
      column: Schema.String,
      field: Schema.NullOr(Schema.String).annotate({ description: "Lead field the column is mapped to; null: ignored" })
    })
  ),
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
  const when = (run.finishedAt ?? run.updatedAt).slice(0, 16).replace("T", " ")
  return `This file was imported into the mission on ${when} UTC. Send again: true to import it again.`
}

/** The result for a file. The list of changed leads is cut, with a warning. */
export const fileImportResult = Effect.fnUntraced(function* (end: FileOutcome, mission: MissionRow) {
  const { organizationId } = yield* Actor
  const found = yield* (yield* ImportsRepo).outcome(organizationId, end.run.id, shownUpdatedIds)
  const run = found?.run ?? end.run
  yield* warnOfEnrolled(run)
  const updatedIds = found?.updatedIds ?? []
  if (updatedIds.length === shownUpdatedIds) {
    yield* warn(`updated_ids holds the first ${shownUpdatedIds}; import.leads.list has all.`)
  }
  return {
    ...resultOf(run, { mission, updatedIds, alreadyExists: end.alreadyExists, message: messageOf(run, end) }),
    state: run.state,
    mapping: end.columns.map(({ field, name }) => ({ column: name, field })),
    refused_rows: end.refused.slice(0, shownRefusals).map(({ failure, row }) => ({
      row: row.position + 1,
      outcome: row.outcome,
      reason: row.reason ?? "",
      message: failure?.message ?? ""
    }))
  }
})
