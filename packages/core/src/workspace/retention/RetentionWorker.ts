/** Deletes what is older than it is kept, a bounded number of rows at a time. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { repeatRound, runAsService, type SystemNeeds } from "../../kernel/background/Worker.ts"
import { emit } from "../../kernel/command/Execution.ts"
import { type InstantText, isoFromMillis, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { headText } from "../audit/AuditRecord.ts"
import { Workspaces } from "../Workspaces.ts"
import { type DeletedKind, endedSessionDays, Retention, retentionKinds } from "./Retention.ts"

/** What deleting audit rows needs. */
/** Deletes old rows of an organization, and emits an event with the last of them in the same transaction. */
const deleteSome = (organizationId: OrganizationId, before: InstantText, limit: number) =>
  runAsService(
    organizationId,
    Effect.gen(function* () {
      const { count, problem, start } = yield* (yield* Workspaces).audit.deleteBefore(organizationId, before, limit)
      if (problem !== undefined) {
        const data = { organizationId, after: start.sequence, problem, next: "Run svc audit verify." }
        yield* Effect.logError("Old audit rows are kept, since the chain is broken", data)
      }
      if (count === 0) return 0
      yield* emit({
        type: "audit.deleted",
        subject: { type: "organization", id: organizationId },
        data: { head: headText(organizationId, start), sequence: start.sequence, count }
      })
      return count
    })
  )

/**
 * Deletes rows from before an instant, the oldest of each organization first, at most `limit.rows` in each of
 * `limit.statements` transactions; returns how many.
 */
export const deleteOldAudit = Effect.fnUntraced(function* (
  before: InstantText,
  limit: { readonly rows: number; readonly statements: number }
) {
  const log = (yield* Workspaces).audit
  /** Those of which nothing is deleted: other processes are at it, or their chains are broken. They hold up nobody else. */
  const stuck = new Set<string>()
  let count = 0
  for (let left = limit.statements; left > 0; ) {
    const found = yield* log.withRowsBefore(before, left + stuck.size)
    const organizations = found.filter((id) => !stuck.has(id))
    if (organizations.length === 0) break
    for (const id of organizations) {
      const deleted = yield* deleteSome(id, before, limit.rows)
      if (deleted === 0) stuck.add(id)
      else left--
      count += deleted
    }
  }
  return count
})

/** Maximum rows of a statement, and statements of a round for each kind. */
export const maxDeleted = { rows: 1_000, statements: 20 } as const

const interval = "1 minute"
const day = 86_400_000

/** What the worker needs. */
export type RetentionNeeds = Workspaces | SystemNeeds<never>

/** Runs one round; returns how many rows of each kind were deleted. */
export const deleteOldRows = Effect.gen(function* () {
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
