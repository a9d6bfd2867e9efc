/** Deletes sealed audit rows that are older than they are kept. */

import * as Effect from "effect/Effect"
import { runAsService, type SystemNeeds } from "../../kernel/background/ServiceRun.ts"
import { emit } from "../../kernel/command/Execution.ts"
import type { JournalFailure } from "../../kernel/journal/Journal.ts"
import type { InstantText, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { Workspaces } from "../Workspaces.ts"
import { headText } from "./AuditRecord.ts"

/** What deleting audit rows needs. */
export type DeleteAuditNeeds = Workspaces | SystemNeeds<never>

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
): Effect.fn.Return<number, JournalFailure, DeleteAuditNeeds> {
  const log = (yield* Workspaces).audit
  let count = 0
  for (let left = limit.statements; left > 0; ) {
    const organizations = yield* log.withRowsBefore(before, left)
    const counts = yield* Effect.forEach(organizations, (id) => deleteSome(id, before, limit.rows))
    const deleted = counts.reduce((sum, one) => sum + one, 0)
    // None: no row is left, or other processes delete them, or their chains are broken.
    if (deleted === 0) break
    count += deleted
    left -= organizations.length
  }
  return count
})
