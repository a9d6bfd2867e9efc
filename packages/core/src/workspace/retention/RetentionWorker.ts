/** Deletes what is older than it is kept, a bounded number of rows at a time. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { repeatRound } from "../../kernel/background/Worker.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import { isoFromMillis } from "../../kernel/schema/Time.ts"
import { Retention, type RetentionKind, RetentionRepo, retentionKinds } from "./RetentionRepo.ts"

/** Maximum rows of a statement, and statements of a round for each kind. */
export const maxDeleted = { rows: 1_000, statements: 20 } as const

const interval = "1 minute"

/** Runs one round; returns how many rows of each kind were deleted. */
export const deleteOldRows: Effect.Effect<
  Readonly<Partial<Record<RetentionKind, number>>>,
  StoreFailure,
  RetentionRepo
> = Effect.gen(function* () {
  const repo = yield* RetentionRepo
  const days = yield* Retention
  const now = yield* Clock.currentTimeMillis
  const deleted: Partial<Record<RetentionKind, number>> = {}
  for (const kind of retentionKinds) {
    if (days[kind] === 0) continue
    const before = isoFromMillis(now - days[kind] * 86_400_000)
    let isMore = true
    for (let statement = 0; isMore && statement < maxDeleted.statements; statement++) {
      const done = yield* repo.deleteBefore(kind, before, maxDeleted.rows)
      isMore = done.isMore
      if (done.count > 0) deleted[kind] = (deleted[kind] ?? 0) + done.count
    }
  }
  return deleted
})

const round = Effect.flatMap(deleteOldRows, (deleted) =>
  Object.keys(deleted).length === 0 ? Effect.void : Effect.logInfo("Deleted old rows", deleted)
)

/** Runs as long as the layer. */
export const layer: Layer.Layer<never, never, RetentionRepo> = Layer.effectDiscard(
  repeatRound("deleting old rows", round, interval)
)
