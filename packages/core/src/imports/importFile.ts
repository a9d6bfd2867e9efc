/**
 * Importing a file into a mission, a batch of rows in each transaction, while the next batch is read.
 *
 * Rows, counts and thereby the place in the file are stored together, so an import that stops anywhere goes on with the
 * next row when the same file is sent again. The file itself is not kept. A run is fenced by its attempt number, so two
 * uploads of one file never count a row twice. Source: G22; issue 3 "Imports at scale".
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import { Actor } from "../Actor.ts"
import { commit } from "../Execution.ts"
import { type Failure, fail } from "../Failure.ts"
import { canonicalJson, sha256Hex } from "../Hash.ts"
import { Ids } from "../Ids.ts"
import type { MissionRow, MissionsRepo } from "../missions/index.ts"
import { changedAt, isoFromMillis } from "../Time.ts"
import { type CsvRows, openCsv } from "./csv/CsvRows.ts"
import type { ColumnMapping } from "./csv/csvColumns.ts"
import type { Delimiter } from "./csv/sniffDelimiter.ts"
import { decideFile, type ImportRun, noCounts, rowsSeen } from "./ImportRun.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { importEnded, importStarted, type Told } from "./importEvents.ts"
import { type RowVerdict, recordRows } from "./importRows.ts"
import { type FileProgress, storeBatches } from "./storeBatches.ts"

/** A file to import. */
export interface FileToImport {
  readonly mission: MissionRow
  readonly content: Stream.Stream<Uint8Array, Failure>
  /** Name of the import; made of the date if undefined. */
  readonly name: string | undefined
  readonly context: string | undefined
  readonly mapping: ColumnMapping
  readonly delimiter: Delimiter | undefined
  /** Hash of the whole content; undefined when it is not known before the end. Then size and beginning must do. */
  readonly digest: string | undefined
  /** In bytes, if known. */
  readonly size: number | undefined
  /** Import a file anew that was imported to its end before. */
  readonly again: boolean
}

/** What became of a file. */
export interface FileEnd {
  readonly run: ImportRun
  readonly columns: CsvRows["columns"]
  /** Why it stopped before the end. */
  readonly failure: Failure | undefined
  /** Whether the mission had an import of this file before; it went on if rows were seen since. */
  readonly alreadyExists: boolean
  /** Rows that were seen before this call. */
  readonly seenBefore: number
  /** The first rows that were refused now. */
  readonly refused: ReadonlyArray<RowVerdict>
}

const fingerprintOf = ({ digest, mapping, size }: FileToImport, rows: CsvRows): string =>
  sha256Hex(canonicalJson(["file", digest ?? [rows.startHash, size ?? null], mapping, rows.delimiter]))

const freshRun = Effect.fnUntraced(function* (file: FileToImport, rows: CsvRows) {
  const at = isoFromMillis(yield* Clock.currentTimeMillis)
  const run: ImportRun = {
    id: yield* (yield* Ids).next("imp"),
    organizationId: file.mission.organizationId,
    missionId: file.mission.id,
    type: "CSV",
    name: file.name ?? `CSV, ${at.slice(0, 10)}`,
    fingerprint: fingerprintOf(file, rows),
    sourceUrl: null,
    context: file.context ?? null,
    state: "running",
    reason: null,
    counts: noCounts,
    cursor: null,
    accountId: null,
    file: {
      columns: rows.columns,
      delimiter: rows.delimiter,
      ...(file.digest === undefined ? {} : { digest: file.digest })
    },
    rowLimit: null,
    attempt: 1,
    createdAt: at,
    updatedAt: at,
    finishedAt: null
  }
  return run
})

/** Makes the run to go on with; undefined when another upload of the file was faster. */
const begin = Effect.fnUntraced(function* (fresh: ImportRun, earlier: ImportRun | undefined) {
  const imports = yield* ImportsRepo
  const at = earlier === undefined ? fresh.createdAt : changedAt(earlier.updatedAt, fresh.createdAt)
  const run =
    earlier === undefined
      ? (yield* imports.insert(fresh)) === undefined
        ? fresh
        : undefined
      : yield* imports.resume(earlier, { rowLimit: null, accountId: null, at })
  if (run !== undefined) yield* importStarted(run)
  return run
})

const settle = (run: ImportRun, state: "failed" | "interrupted", failure: Failure) =>
  commit(
    Effect.gen(function* () {
      const settled = yield* recordRows(run, [], { cursor: null, state, reason: failure.message })
      yield* importEnded(settled)
      return settled
    })
    // Stopped by somebody else, or no store to write to: then the run is as they left it.
  ).pipe(Effect.catch(() => Effect.succeed(run)))

/** The upload or the process that feeds an import stopped. */
export const brokeOff = (): Failure =>
  fail("UNAVAILABLE", "The upload broke off before its end. Send the same file again to go on where it stopped.")

type Needs = Effect.Services<ReturnType<typeof storeBatches>>

/** Stores all rows, and how it ended, whatever happens. */
const runFile = (
  rows: CsvRows,
  first: FileProgress
): Effect.Effect<{ readonly last: FileProgress; readonly failure: Failure | undefined }, never, Needs> => {
  let latest = first
  const stop = (state: "failed" | "interrupted", failure: Failure) =>
    Effect.map(settle(latest.run, state, failure), (run) => ({ last: { ...latest, run }, failure }))
  return storeBatches(rows, first, (progress) => {
    latest = progress
  }).pipe(
    Effect.map((last) => ({ last, failure: undefined })),
    Effect.catch((failure) => stop(failure.code === "UNAVAILABLE" ? "interrupted" : "failed", failure)),
    Effect.onInterrupt(() => stop("interrupted", fail("UNAVAILABLE", "The service was stopped during the import."))),
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const told = fail("INTERNAL", "Something failed that should not have.")
      return Effect.andThen(Effect.logError("an import died", { importId: latest.run.id }, cause), stop("failed", told))
    })
  )
}

/**
 * Imports a file, or goes on with it. Fails when it cannot be opened, and with the reason when it stopped before any row
 * was stored; a later stop is told in the result.
 */
export const importFile = Effect.fnUntraced(function* (
  file: FileToImport
): Effect.fn.Return<FileEnd, Failure, Needs | Ids | Actor | MissionsRepo | Scope.Scope> {
  const rows = yield* openCsv(file.content, file)
  const fresh = yield* freshRun(file, rows)
  const { organizationId } = yield* Actor
  const latestRun = (yield* ImportsRepo).latest(organizationId, file.mission.id, fresh.fingerprint ?? "")
  const latest = yield* latestRun
  const decision = decideFile(
    latest,
    { again: file.again, isSure: file.digest !== undefined },
    yield* Clock.currentTimeMillis
  )
  const earlier = decision === "start" ? undefined : latest
  const known = (run: ImportRun): FileEnd => ({
    run,
    columns: rows.columns,
    failure: undefined,
    alreadyExists: true,
    seenBefore: rowsSeen(run.counts),
    refused: []
  })
  if (decision === "answer" && latest !== undefined) return known(latest)
  const run = yield* commit(begin(fresh, earlier))
  if (run === undefined) return known((yield* latestRun) ?? fresh)
  const seenBefore = rowsSeen(run.counts)
  const told: Told = { rows: seenBefore, millis: yield* Clock.currentTimeMillis }
  const { failure, last } = yield* runFile(rows, { run, told, refused: [] })
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
