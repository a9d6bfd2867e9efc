/**
 * Storing a file's rows: one transaction per batch, three batches at a time.
 *
 * A batch starts once the batch before it has locked the leads it found, and records its rows only after that one is
 * committed, so rows and counts are stored in file order. When an earlier batch is rolled back, so are those after it. They
 * never deadlock: earlier batches lock no more leads, and a later one with people of theirs starts only after they are
 * committed, as it must see those leads. When an earlier transaction is retried, the later ones start again after it.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Result from "effect/Result"
import { Execution } from "../kernel/command/Execution.ts"
import type { WrongState } from "../kernel/failure/failures.ts"
import type { JournalFailure } from "../kernel/journal/Journal.ts"
import { countImportRows } from "../kernel/telemetry/instruments.ts"
import { identityKey } from "../leads/identity/Identity.ts"
import type { MissionArchived } from "../missions/failures.ts"
import type { CsvRows, FileRefusal, RowBatch } from "./csv/CsvRows.ts"
import { importAdvanced, type RunProgress } from "./Import.ts"
import { type ImportRun, rowsSeen } from "./ImportRun.ts"
import { importRows, type RowVerdict, recordRows } from "./importRows.ts"

/** Rows per transaction: enough to keep its overhead small, few enough for statement timeouts and memory. */
export const batchSize = 1_000

/** Batches at a time: one is recorded while another one is written and a third one decided. Each has a connection. */
const concurrentBatches = 3

const keptRefusals = 50

/** Why a batch is not stored. */
type BatchFailure = JournalFailure | MissionArchived | WrongState

/** Why an import of a file stops. */
export type FileFailure = BatchFailure | FileRefusal

/** Progress of a file. */
export interface FileProgress extends RunProgress {
  /** The first refused rows. */
  readonly refused: ReadonlyArray<RowVerdict>
}

/** A batch with its position in the file and the people in it. */
interface PlacedBatch extends RowBatch {
  readonly position: number
  readonly people: ReadonlySet<string>
}

const place = (batch: RowBatch, position: number): PlacedBatch => {
  const people = new Set<string>()
  for (const source of batch.sources) {
    if (Result.isFailure(source)) continue
    const { identities, leadId } = source.success.reference
    for (const identity of identities) people.add(identityKey(identity))
    if (leadId !== undefined) people.add(leadId)
  }
  return { ...batch, position, people }
}

const sharePeople = (one: PlacedBatch, other: PlacedBatch): boolean => {
  for (const person of other.people) if (one.people.has(person)) return true
  return false
}

/** A batch that is being stored. */
interface Storing {
  readonly batch: PlacedBatch
  readonly end: Fiber.Fiber<FileProgress, BatchFailure>
  /** Opened when the leads it found are locked for the first time. */
  readonly locked: Latch.Latch
  /** Completed when it was rolled back after that; it is then retried or fails. */
  readonly undone: Deferred.Deferred<undefined>
}

/** Stores one batch after `before`, which completes once the earlier batch is committed. */
const storeBatch = Effect.fnUntraced(function* (
  started: ImportRun,
  batch: PlacedBatch,
  locked: Latch.Latch,
  before: Effect.Effect<FileProgress, BatchFailure>
) {
  const verdicts = yield* importRows(started, batch.position, batch.sources, batch.cellsOf, Latch.open(locked))
  const last = yield* before
  const state = batch.isLast ? "completed" : "running"
  const run = yield* recordRows(last.run, verdicts, { cursor: null, state, reason: null })
  const refused = [...last.refused, ...verdicts.filter(({ failure }) => failure !== undefined)]
  const next: FileProgress = { ...(yield* importAdvanced(run, last)), refused: refused.slice(0, keptRefusals) }
  return next
})

/**
 * Stores batches until the file ends and returns the progress; `at` receives it after each batch. Rows before an invalid
 * part are stored first. When this ends, for whatever reason, no batch is still running.
 */
export const storeBatches = Effect.fnUntraced(function* (
  rows: CsvRows,
  first: FileProgress,
  at: (progress: FileProgress) => void
) {
  const { commit, dryRun } = yield* Execution
  /** Those that may still be running, the earliest first. */
  let running: ReadonlyArray<Storing> = []

  const start = Effect.fnUntraced(function* (batch: PlacedBatch, before: Storing | undefined) {
    const locked = Latch.makeUnsafe()
    const undone = Deferred.makeUnsafe<undefined>()
    const progress = before === undefined ? Effect.succeed(first) : Fiber.join(before.end)
    // Signals a failed attempt before its transaction releases its locks, and a later failure when it is retried.
    const signalUndone = Effect.suspend(() => (locked.isOpen() ? Deferred.succeed(undone, undefined) : Effect.void))
    const step = commit(
      signalUndone.pipe(
        Effect.andThen(storeBatch(first.run, batch, locked, progress)),
        Effect.onError(() => signalUndone)
      )
    )
    const storing =
      before === undefined
        ? step
        : Effect.raceFirst(step, Deferred.await(before.undone)).pipe(
            Effect.flatMap((done) => (done === undefined ? Effect.andThen(progress, step) : Effect.succeed(done)))
          )
    const end = yield* Effect.forkChild(
      Effect.tap(storing, (stored) => {
        at(stored)
        return dryRun
          ? Effect.void
          : Effect.flatMap(progress, ({ run }) => countImportRows(stored.run.counts, run.counts))
      })
    )
    const started: Storing = { batch, end, locked, undone }
    return started
  })

  /** Waits until a batch may start: the batch before it has locked its leads, and none with people in common is running. */
  const turnOf = Effect.fnUntraced(function* (batch: PlacedBatch) {
    for (const { batch: before, end } of running) {
      if (dryRun || sharePeople(before, batch)) yield* Fiber.await(end)
    }
    const last = running.at(-1)
    if (last !== undefined) yield* Effect.raceFirst(Latch.await(last.locked), Fiber.await(last.end))
  })

  const store = Effect.gen(function* () {
    const read = Effect.forkChild(rows.next(batchSize))
    let position = rowsSeen(first.run.counts)
    yield* rows.skip(position)
    let last = yield* start(place(yield* rows.next(batchSize), position), undefined)
    running = [last]
    while (!last.batch.isLast) {
      const reading: Fiber.Fiber<RowBatch, FileRefusal> = yield* read
      const before: Storing = last
      position += before.batch.sources.length
      const batch = place(yield* Fiber.join(reading).pipe(Effect.tapError(() => Fiber.await(before.end))), position)
      yield* turnOf(batch)
      last = yield* start(batch, before)
      running = [...running, last]
      while (running.length > concurrentBatches - 1) {
        const [oldest, ...others] = running
        if (oldest !== undefined) yield* Fiber.join(oldest.end)
        running = others
      }
    }
    return yield* Fiber.join(last.end)
  })

  return yield* Effect.ensuring(
    store,
    Effect.suspend(() => Fiber.interruptAll(running.map(({ end }) => end)))
  )
})
