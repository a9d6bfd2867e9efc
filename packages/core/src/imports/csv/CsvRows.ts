/**
 * The rows of a file in batches, read on demand and decoded, with their identifiers parsed.
 *
 * Only one batch is in memory. Reading yields to other fibers, so that it continues while the database writes.
 */

import { createHash } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { InvalidInput, type PayloadTooLarge, type Unavailable } from "../../kernel/failure/failures.ts"
import type { OwnField } from "../../leads/ownFields.ts"
import { type LeadItemReader, leadItemReader } from "../../leads/upsertLeads.ts"
import type { SourceRow } from "../importRows.ts"
import { CsvReader } from "./CsvReader.ts"
import * as Columns from "./columnNames.ts"
import type { CsvRecord, Delimiter } from "./csvDialect.ts"

/** Why an upload ends early: the file is too large, or the sender disconnected. */
type UploadFailure = PayloadTooLarge | Unavailable

/** A file. `content` can be read only once. */
export interface UploadedFile {
  readonly content: Stream.Stream<Uint8Array, UploadFailure>
  /** In bytes. */
  readonly size: number | undefined
  /** SHA-256 of the content as stated by the sender, in lower-case hexadecimal. */
  readonly digest: string | undefined
}

/** The uploaded file of the running command; undefined without one. */
export const Upload: Context.Reference<UploadedFile | undefined> = Context.Reference<UploadedFile | undefined>(
  "@svc/core/imports/Upload",
  { defaultValue: () => undefined }
)

/** Why a file cannot be read further. */
export type FileRefusal = InvalidInput | UploadFailure

/** A batch of rows. */
export interface RowBatch {
  readonly sources: ReadonlyArray<SourceRow>
  /** The cells of a row by column name. */
  readonly cellsOf: (index: number) => Readonly<Record<string, string>>
  readonly isLast: boolean
}

/** An open file whose header is read. */
export interface CsvRows {
  readonly columns: ReadonlyArray<Columns.Column>
  /** The first {@link previewedRows} rows by lead field; an invalid one is empty. */
  readonly preview: ReadonlyArray<Columns.CsvItem>
  readonly delimiter: Delimiter
  /** SHA-256 of up to {@link startLength} first bytes. */
  readonly startHash: string
  /** Skips rows that were imported before. */
  readonly skip: (rows: number) => Effect.Effect<void, FileRefusal>
  /** Reads up to `rows` rows. Fails when the file is invalid or its source ends early. */
  readonly next: (rows: number) => Effect.Effect<RowBatch, FileRefusal>
}

/** Rows of a preview. */
export const previewedRows = 10

/** Bytes at the start that identify a file. */
const startLength = 64 * 1024

/** Rows decoded before yielding to other fibers. */
const yieldEvery = 200

const cellsOf = (
  columns: ReadonlyArray<Columns.Column>,
  record: CsvRecord | undefined
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    columns.flatMap(({ name }, index) => {
      const cell = record?.[index]?.slice(0, 2_000).toWellFormed().replaceAll("\0", "") ?? ""
      return name === "" || cell === "" ? [] : [[name, cell]]
    })
  )

/**
 * Opens a file and reads its header. Fails with INVALID_INPUT when it is not CSV or has no column that identifies people,
 * and with the failure of its source.
 */
export const openCsv = Effect.fnUntraced(function* (
  content: Stream.Stream<Uint8Array, UploadFailure>,
  options: {
    readonly mapping: Columns.ColumnMapping
    readonly delimiter?: Delimiter
    readonly own: ReadonlyArray<OwnField>
  }
): Effect.fn.Return<CsvRows, FileRefusal, Scope.Scope> {
  const pull = yield* Stream.toPull(content)
  const reader = new CsvReader(options.delimiter)
  const startHash = createHash("sha256")
  let unhashed = startLength
  const read: LeadItemReader = yield* leadItemReader(options.own)
  const waiting: Array<CsvRecord> = []
  let isOver = false

  /** Reads one more chunk. */
  const more: Effect.Effect<void, FileRefusal> = Effect.suspend(() => pull).pipe(
    Effect.flatMap((pieces) =>
      Effect.sync(() => {
        for (const piece of pieces) {
          if (unhashed > 0) startHash.update(piece.subarray(0, unhashed))
          unhashed = Math.max(0, unhashed - piece.length)
          for (const record of reader.push(piece)) waiting.push(record)
        }
      })
    ),
    Pull.catchDone(() =>
      Effect.sync(() => {
        isOver = true
        for (const record of reader.end()) waiting.push(record)
      })
    )
  )

  /** Reads until `rows` rows are buffered or the file ends. Fails only once the valid rows before a fault are taken. */
  const fill = Effect.fnUntraced(function* (rows: number): Effect.fn.Return<void, FileRefusal> {
    while (!isOver && reader.failure === undefined && waiting.length < rows) yield* more
    if (reader.failure !== undefined && waiting.length === 0) return yield* reader.failure
  })

  yield* fill(1)
  const header = waiting.shift()
  if (header === undefined)
    return yield* new InvalidInput({ message: "The file is empty. Send a CSV file with a header row." })
  // A file has the same hash, and the same first rows, in whatever pieces it arrives.
  while (!isOver && unhashed > 0) yield* more
  const first = waiting.slice(0, Columns.sampledRows)
  const fields = Columns.columnFieldsWith(options.own)
  const columns = yield* Effect.fromResult(Columns.readColumns(header, options.mapping, fields, first))
  const itemOf = Columns.csvItemReader(columns, fields)
  const preview = first.slice(0, previewedRows).map((record) => Result.getOrElse(itemOf(record), () => ({})))

  const skip = Effect.fnUntraced(function* (rows: number) {
    for (let left = rows; left > 0; ) {
      yield* fill(1)
      if (waiting.length === 0) return
      left -= waiting.splice(0, left).length
      yield* Effect.yieldNow
    }
  })

  const next = Effect.fnUntraced(function* (rows: number) {
    yield* fill(rows)
    const records = waiting.splice(0, rows)
    const sources: Array<SourceRow> = []
    for (const record of records) {
      sources.push(Result.flatMap(itemOf(record), (item) => read(Columns.leadItemOf(item))))
      if (sources.length % yieldEvery === 0) yield* Effect.yieldNow
    }
    const isLast = isOver && waiting.length === 0 && reader.failure === undefined
    return { sources, isLast, cellsOf: (index: number) => cellsOf(columns, records[index]) }
  })

  return { columns, preview, delimiter: reader.delimiter ?? ",", startHash: startHash.digest("hex"), skip, next }
})
