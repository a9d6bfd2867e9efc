/** Deletes what is older than it is kept, a bounded number of rows at a time. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DueWork } from "../../kernel/background/DueWork.ts"
import { eachDue, repeatRound, runAsService, type SystemNeeds } from "../../kernel/background/Worker.ts"
import { emit } from "../../kernel/command/Execution.ts"
import { type InstantText, isoFromMillis, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { headText } from "../audit/AuditRecord.ts"
import { Workspaces } from "../Workspaces.ts"
import { type Deleted, type DeletedKind, fixedDays, Retention, retentionKinds } from "./Retention.ts"

/** Deletes old rows of an organization, and emits an event with the last of them in the same transaction. */
const deleteOldAudit = (organizationId: OrganizationId, before: InstantText, limit: number) =>
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

/** Maximum rows of a statement, and statements of each kind in the turn of an organization. */
export const maxDeleted = 1_000
const maxStatements = 20

/** Interval of rounds, and seconds until an organization of which nothing is left to delete has its turn again. */
const interval = "1 minute"
const turnSeconds = 6 * 3_600

const day = 86_400_000

/** What the worker needs. */
export type RetentionNeeds = DueWork | Workspaces | SystemNeeds<never>

/** Deletes leads of an organization, which belong to a later domain. */
type DeleteLeads<E, R> = (organizationId: OrganizationId) => Effect.Effect<Deleted, E, R>

/** Runs one round, of one organization or all; returns how many rows of each kind were deleted. */
export const deleteOldRows = Effect.fnUntraced(function* <E = never, R = never>(
  organizationId?: OrganizationId,
  deleteLeads: DeleteLeads<E, R> = () => Effect.succeed({ count: 0, isMore: false })
) {
  const repo = yield* Workspaces
  const ages = { ...(yield* Retention), ...fixedDays }
  const now = yield* Clock.currentTimeMillis
  const deleted: Partial<Record<DeletedKind | "audit" | "leads", number>> = {}
  const count = (kind: keyof typeof deleted, rows: number) => {
    if (rows > 0) deleted[kind] = (deleted[kind] ?? 0) + rows
  }
  yield* eachDue(
    "retention",
    { organizationId, recheckSeconds: turnSeconds },
    Effect.fnUntraced(function* (id) {
      let isMore = false
      for (const kind of [...retentionKinds, "mails", "sessions"] as const) {
        if (ages[kind] === 0) continue
        let isLeft = true
        for (let statement = 0; isLeft && statement < maxStatements; statement++) {
          const done = yield* repo.deleteBefore(id, kind, isoFromMillis(now - ages[kind] * day), maxDeleted)
          count(kind, done.count)
          isLeft = done.isMore
        }
        isMore ||= isLeft
      }
      if (ages.audit > 0) {
        // Whole days, so that an organization gets events about it once a day.
        const rows = yield* deleteOldAudit(id, isoFromMillis((Math.floor(now / day) - ages.audit) * day), maxDeleted)
        count("audit", rows)
        isMore ||= rows === maxDeleted
      }
      const leads = yield* deleteLeads(id)
      count("leads", leads.count)
      return isMore || leads.isMore ? 1 : 0
    })
  )
  return deleted
})

/** Runs as long as the layer. */
export const layer = <E, R>(deleteLeads: DeleteLeads<E, R>): Layer.Layer<never, never, RetentionNeeds | R> => {
  const round = Effect.flatMap(deleteOldRows(undefined, deleteLeads), (deleted) =>
    Object.keys(deleted).length === 0 ? Effect.void : Effect.logInfo("Deleted old rows", deleted)
  )
  return Layer.effectDiscard(repeatRound("deleting old rows", round, interval))
}
