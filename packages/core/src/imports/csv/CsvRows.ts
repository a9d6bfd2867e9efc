/**
 * The rows of a file in batches, read on demand and decoded, with their identifiers parsed.
 *
 * Only one batch is in memory. Reading yields to other fibers, so that it continues while the database writes.
 */
import { createHash, type Hash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { type LeadItemReader, leadItemReader } from "../../leads/upsertLeads.ts"
import type { SourceRow } from "../importRows.ts"
import type { UploadFailure } from "../Upload.ts"
import { CsvReader, type CsvRecord } from "./CsvReader.ts"
import { type Column, type ColumnMapping, readColumns } from "./columnNames.ts"
import type { Delimiter } from "./csvDialect.ts"
import { csvItemReader } from "./csvItem.ts"

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
  readonly columns: ReadonlyArray<Column>
  readonly delimiter: Delimiter
  /** SHA-256 of up to {@link startLength} first bytes. */
  readonly startHash: string
  /** Skips rows that were imported before. */
  readonly skip: (rows: number) => Effect.Effect<void, FileRefusal>
  /** Reads up to `rows` rows. Fails when the file is invalid or its source ends early. */
  readonly next: (rows: number) => Effect.Effect<RowBatch, FileRefusal>
}

/** Bytes at the start that identify a file. */
const startLength = 64 * 1024

/** Rows decoded before yielding to other fibers. */
const yieldEvery = 200

const cellsOf = (columns: ReadonlyArray<Column>, record: CsvRecord | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    columns.flatMap(({ name }, index) => {
      const cell = record?.[index]?.slice(0, 2_000).toWellFormed().replaceAll("\0", "") ?? ""
      return name === "" || cell === "" ? [] : [[name, cell]]
    })
  )

/** Hashes the first {@link startLength} bytes. */
const startHasher = () => {
  const hash: Hash = createHash("sha256")
  let length = 0
  return {
    push: (bytes: Uint8Array) => {
      const rest = startLength - length
      if (rest <= 0) return
      hash.update(bytes.subarray(0, rest))
      length += Math.min(rest, bytes.length)
    },
    digest: () => hash.digest("hex")
  }
}

/**
 * Opens a file and reads its header. Fails with INVALID_INPUT when it is not CSV or has no column that identifies people,
 * and with the failure of its source.
 */
export const openCsv = Effect.fnUntraced(function* (
  content: Stream.Stream<Uint8Array, UploadFailure>,
  options: { readonly mapping: ColumnMapping; readonly delimiter: Delimiter | undefined }
): Effect.fn.Return<CsvRows, FileRefusal, Scope.Scope> {
  const pull = yield* Stream.toPull(content)
  const reader = new CsvReader(options.delimiter)
  const start = startHasher()
  const read: LeadItemReader = yield* leadItemReader
  let waiting: Array<CsvRecord> = []
  let isOver = false

  /** Reads one more chunk. */
  const more: Effect.Effect<void, FileRefusal> = Effect.suspend(() => pull).pipe(
    Effect.flatMap((pieces) =>
      Effect.sync(() => {
        for (const piece of pieces) {
          start.push(piece)
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
  const [header, ...others] = waiting
  waiting = others
  if (header === undefined)
    return yield* new InvalidInput({ message: "The file is empty. Send a CSV file with a header row." })
  const columns = yield* Effect.fromResult(readColumns(header, options.mapping))
  const itemOf = csvItemReader(columns)
  const startHash = start.digest()

  const take = (rows: number): ReadonlyArray<CsvRecord> => {
    const taken = waiting.length > rows ? waiting.slice(0, rows) : waiting
    waiting = waiting.length > rows ? waiting.slice(rows) : []
    return taken
  }

  const skip = Effect.fnUntraced(function* (rows: number): Effect.fn.Return<void, FileRefusal> {
    for (let left = rows; left > 0; ) {
      yield* fill(1)
      if (waiting.length === 0) return
      left -= take(left).length
      yield* Effect.yieldNow
    }
  })

  const next = Effect.fnUntraced(function* (rows: number): Effect.fn.Return<RowBatch, FileRefusal> {
    yield* fill(rows)
    const records = take(rows)
    const sources: Array<SourceRow> = []
    for (const record of records) {
      sources.push(Result.flatMap(itemOf(record), read))
      if (sources.length % yieldEvery === 0) yield* Effect.yieldNow
    }
    const isLast = isOver && waiting.length === 0 && reader.failure === undefined
    return { sources, isLast, cellsOf: (index) => cellsOf(columns, records[index]) }
  })

  return { columns, delimiter: reader.delimiter ?? ",", startHash, skip, next }
})
