/**
 * Storing a file's rows: a batch in each transaction, two of them at a time.
 *
 * A batch begins when the one before has locked the leads it found, and waits before it records its rows until that one
 * is committed, so rows, counts and thereby the place in the file are stored in the order of the file. When the one before
 * is undone, so is this one. Neither waits for leads of the other: that one takes no more of them, and if the two have
 * anybody in common, this one begins only when that is committed, since it must find what was written there. Should that
 * one be written again, because another transaction was faster, this one starts again after it.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Result from "effect/Result"
import { Execution } from "../Execution.ts"
import type { Failure } from "../Failure.ts"
import { rowsImported } from "../instruments.ts"
import { identityKey } from "../leads/identity/Identity.ts"
import type { CsvRows, RowBatch } from "./csv/CsvRows.ts"
import { type ImportRun, rowsSeen } from "./ImportRun.ts"
import { importAdvanced, type Told } from "./importEvents.ts"
import { importRows, type RowVerdict, recordRows } from "./importRows.ts"

/**
 * Rows written in one transaction: as many as keep the cost of a transaction small, and few enough that one is over well
 * before the time limits of statements and that three of them fit into little memory.
 */
export const batchSize = 1_000

const keptRefusals = 50

/** How far a file is stored. */
export interface FileProgress {
  readonly run: ImportRun
  readonly told: Told
  /** The first rows that were refused. */
  readonly refused: ReadonlyArray<RowVerdict>
}

/** A batch with its place in the file and whom it is about. */
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
  readonly end: Fiber.Fiber<FileProgress, Failure>
  /** Open from when the leads it found are locked for the first time. */
  readonly locked: Latch.Latch
  /** Done when it was undone after that; then it is stored again, or it ends with a failure. */
  readonly undone: Deferred.Deferred<undefined>
}

/** Stores one batch after `before`, whose result is there once that is committed. */
const storeBatch = Effect.fnUntraced(function* (
  run: ImportRun,
  batch: PlacedBatch,
  locked: Latch.Latch,
  before: Effect.Effect<FileProgress, Failure>
) {
  const verdicts = yield* importRows(run, batch.position, batch.sources, batch.cellsOf, Latch.open(locked))
  const { refused, run: last, told } = yield* before
  const state = batch.isLast ? "completed" : "running"
  const stored = yield* recordRows(last, verdicts, { cursor: null, state, reason: null })
  const more = refused.length < keptRefusals ? verdicts.filter(({ failure }) => failure !== undefined) : []
  const next: FileProgress = {
    run: stored,
    told: yield* importAdvanced(stored, told),
    refused: [...refused, ...more].slice(0, keptRefusals)
  }
  return next
})

/**
 * Stores batches until the file ends, and answers how far it got; `at` sees that after each of them. Where rows cannot be
 * read, those before are stored first. Whatever ends this, no batch is under way any more when it ended.
 */
export const storeBatches = Effect.fnUntraced(function* (
  rows: CsvRows,
  first: FileProgress,
  at: (progress: FileProgress) => void
) {
  const { commit, dryRun } = yield* Execution
  let current: Storing | undefined
  let next: Storing | undefined

  const start = Effect.fnUntraced(function* (batch: PlacedBatch, before: Storing | undefined) {
    const locked = Latch.makeUnsafe()
    const undone = Deferred.makeUnsafe<undefined>()
    const progress = before === undefined ? Effect.succeed(first) : Fiber.join(before.end)
    // An attempt that fails says so before the transaction lets go; what failed after it is told when it is repeated.
    const tellUndone = Effect.suspend(() => (locked.isOpen() ? Deferred.succeed(undone, undefined) : Effect.void))
    const step = commit(
      tellUndone.pipe(
        Effect.andThen(storeBatch(first.run, batch, locked, progress)),
        Effect.onError(() => tellUndone)
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
        return dryRun ? Effect.void : Effect.flatMap(progress, ({ run }) => rowsImported(stored.run.counts, run.counts))
      })
    )
    const started: Storing = { batch, end, locked, undone }
    return started
  })

  /** Waits until the batch after `storing` may begin. */
  const turnOf = (batch: PlacedBatch, { batch: before, end, locked }: Storing) =>
    dryRun || sharePeople(before, batch) ? Fiber.await(end) : Effect.raceFirst(Latch.await(locked), Fiber.await(end))

  const store = Effect.gen(function* () {
    const read = Effect.forkChild(rows.next(batchSize))
    let position = rowsSeen(first.run.counts)
    yield* rows.skip(position)
    current = yield* start(place(yield* rows.next(batchSize), position), undefined)
    while (!current.batch.isLast) {
      const reading: Fiber.Fiber<RowBatch, Failure> = yield* read
      const before: Storing = current
      position += before.batch.sources.length
      const batch = place(yield* Fiber.join(reading).pipe(Effect.tapError(() => Fiber.await(before.end))), position)
      yield* turnOf(batch, before)
      next = yield* start(batch, before)
      yield* Fiber.join(before.end)
      current = next
    }
    return yield* Fiber.join(current.end)
  })

  return yield* Effect.ensuring(
    store,
    Effect.suspend(() => Fiber.interruptAll([current, next].flatMap((storing) => storing?.end ?? [])))
  )
})
