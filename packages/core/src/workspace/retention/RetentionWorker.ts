/** Deletes what is older than it is kept, a bounded number of rows at a time. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { repeatRound } from "../../kernel/background/Worker.ts"
import type { JournalFailure } from "../../kernel/journal/Journal.ts"
import { isoFromMillis } from "../../kernel/schema/Time.ts"
import { type DeleteAuditNeeds, deleteOldAudit } from "../audit/deleteOldAudit.ts"
import { Workspaces } from "../Workspaces.ts"
import { type DeletedKind, endedSessionDays, Retention, retentionKinds } from "./Retention.ts"

/** Maximum rows of a statement, and statements of a round for each kind. */
export const maxDeleted = { rows: 1_000, statements: 20 } as const

const interval = "1 minute"
const day = 86_400_000

/** What the worker needs. */
export type RetentionNeeds = Workspaces | DeleteAuditNeeds

/** Runs one round; returns how many rows of each kind were deleted. */
export const deleteOldRows: Effect.Effect<
  Readonly<Partial<Record<DeletedKind | "audit", number>>>,
  JournalFailure,
  RetentionNeeds
> = Effect.gen(function* () {
  const repo = yield* Workspaces
  const days = yield* Retention
  const now = yield* Clock.currentTimeMillis
  const deleted: Partial<Record<DeletedKind | "audit", number>> = {}
  const ages = { ...days, sessions: endedSessionDays }
  for (const kind of [...retentionKinds, "sessions"] as const) {
    if (ages[kind] === 0) continue
    const before = isoFromMillis(now - ages[kind] * day)
    let isMore = true
    for (let statement = 0; isMore && statement < maxDeleted.statements; statement++) {
      const done = yield* repo.deleteBefore(kind, before, maxDeleted.rows)
      isMore = done.isMore
      if (done.count > 0) deleted[kind] = (deleted[kind] ?? 0) + done.count
    }
  }
  if (days.audit > 0) {
    // Whole days, so that an organization gets events about it once a day.
    const before = isoFromMillis((Math.floor(now / day) - days.audit) * day)
    const count = yield* deleteOldAudit(before, maxDeleted)
    if (count > 0) deleted.audit = count
  }
  return deleted
})

const round = Effect.flatMap(deleteOldRows, (deleted) =>
  Object.keys(deleted).length === 0 ? Effect.void : Effect.logInfo("Deleted old rows", deleted)
)

/** Runs as long as the layer. */
export const layer: Layer.Layer<never, never, RetentionNeeds> = Layer.effectDiscard(
  repeatRound("deleting old rows", round, interval)
)
