/**
 * The rows of a file in batches, read as they are asked for and decoded down to whom each one means.
 *
 * Little of the file is ever in memory: what was read ahead of one batch. Between batches and within them the program gets
 * its turn, so that reading goes on while a database writes. Source: G22; issue 3 "Imports at scale".
 */
import { createHash, type Hash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type Failure, fail } from "../../Failure.ts"
import { type MeantLeadReader, meantLeadReader } from "../../leads/index.ts"
import type { SourceRow } from "../importRows.ts"
import { CsvReader, type CsvRecord } from "./CsvReader.ts"
import { type Column, type ColumnMapping, readColumns } from "./csvColumns.ts"
import { csvItemReader } from "./csvItem.ts"
import type { Delimiter } from "./sniffDelimiter.ts"

/** Some rows. After the last batch of a file there is none. */
export interface RowBatch {
  readonly sources: ReadonlyArray<SourceRow>
  /** The cells of a row by column name. */
  readonly cellsOf: (index: number) => Readonly<Record<string, string>>
  readonly isLast: boolean
}

/** A file that was opened: its header is read, its rows are not. */
export interface CsvRows {
  readonly columns: ReadonlyArray<Column>
  readonly delimiter: Delimiter
  /** SHA-256 of the first bytes, at most {@link startLength}; known before any row is read. */
  readonly startHash: string
  /** Passes over rows that were imported before. */
  readonly skip: (rows: number) => Effect.Effect<void, Failure>
  /** At most so many rows. Fails where the file cannot be read on, or its source breaks off. */
  readonly next: (rows: number) => Effect.Effect<RowBatch, Failure>
}

/** How much of the beginning tells one file from another, in bytes. */
export const startLength = 64 * 1024

/** Rows decoded before other work gets its turn. */
const turn = 200

const cellsOf = (columns: ReadonlyArray<Column>, record: CsvRecord | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    columns.flatMap(({ name }, index) => {
      const cell = record?.[index]?.slice(0, 2_000).toWellFormed().replaceAll("\0", "") ?? ""
      return name === "" || cell === "" ? [] : [[name, cell]]
    })
  )

/** Hashes the first bytes of what passes by. */
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
 * Opens a file: reads its header. Fails with INVALID_INPUT when it is no table, has no usable header or no column that says
 * who a row is about, and with the failure of its source.
 */
export const openCsv = Effect.fnUntraced(function* (
  content: Stream.Stream<Uint8Array, Failure>,
  options: { readonly mapping: ColumnMapping; readonly delimiter: Delimiter | undefined }
): Effect.fn.Return<CsvRows, Failure, Scope.Scope> {
  const pull = yield* Stream.toPull(content)
  const reader = new CsvReader(options.delimiter)
  const start = startHasher()
  const read: MeantLeadReader = yield* meantLeadReader
  let waiting: Array<CsvRecord> = []
  let isOver = false

  /** Reads one more piece. */
  const more: Effect.Effect<void, Failure> = Effect.suspend(() => pull).pipe(
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

  /** Reads until so many rows wait, or there are no more. A fault of the file counts once the rows before it are taken. */
  const fill = (rows: number): Effect.Effect<void, Failure> =>
    Effect.gen(function* () {
      while (!isOver && reader.failure === undefined && waiting.length < rows) yield* more
      if (reader.failure !== undefined && waiting.length === 0) return yield* reader.failure
    })

  yield* fill(1)
  const [header, ...others] = waiting
  waiting = others
  if (header === undefined)
    return yield* fail("INVALID_INPUT", "The file is empty. Send a CSV file with a header line.")
  const columns = yield* Effect.fromResult(readColumns(header, options.mapping))
  const itemOf = csvItemReader(columns)
  const startHash = start.digest()

  const take = (rows: number): ReadonlyArray<CsvRecord> => {
    const taken = waiting.length > rows ? waiting.slice(0, rows) : waiting
    waiting = waiting.length > rows ? waiting.slice(rows) : []
    return taken
  }

  const skip = Effect.fnUntraced(function* (rows: number): Effect.fn.Return<void, Failure> {
    for (let left = rows; left > 0; ) {
      yield* fill(1)
      if (waiting.length === 0) return
      left -= take(left).length
      yield* Effect.yieldNow
    }
  })

  const next = Effect.fnUntraced(function* (rows: number): Effect.fn.Return<RowBatch, Failure> {
    yield* fill(rows)
    const records = take(rows)
    const sources: Array<SourceRow> = []
    for (const record of records) {
      sources.push(Result.flatMap(itemOf(record), read))
      if (sources.length % turn === 0) yield* Effect.yieldNow
    }
    const isLast = isOver && waiting.length === 0 && reader.failure === undefined
    return { sources, isLast, cellsOf: (index) => cellsOf(columns, records[index]) }
  })

  return { columns, delimiter: reader.delimiter ?? ",", startHash, skip, next }
})
