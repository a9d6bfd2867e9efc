/** Requests that nobody decided in time expire. */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { repeatRound, runAsService, type SystemNeeds } from "../../kernel/background/Worker.ts"
import { addressesOf, approvalEvent } from "../../kernel/command/ApprovalRequest.ts"
import { emit } from "../../kernel/command/Execution.ts"
import { now } from "../../kernel/schema/IdsAndTime.ts"
import { Workspaces } from "../Workspaces.ts"
import { type ApprovalRow, expiredRow, stateAt } from "./ApprovalRow.ts"

/** What expiring needs. */
export type ExpiryNeeds = Workspaces | SystemNeeds<never>

/**
 * Inside a transaction that holds the row: stores that it expired, and emits the event. A decision holds the same row, so a
 * request is never both decided and expired.
 */
export const expireHeld = Effect.fnUntraced(function* (row: ApprovalRow, at: string) {
  const rules = yield* (yield* Workspaces).organizationPolicy(row.organizationId)
  yield* (yield* Workspaces).approvals.replace(expiredRow(row, at, addressesOf(rules)))
  yield* emit(approvalEvent("approval.expired", row))
})

const expire = ({ id, organizationId }: Pick<ApprovalRow, "id" | "organizationId">) =>
  runAsService(
    organizationId,
    Effect.gen(function* () {
      const row = yield* (yield* Workspaces).approvals.hold(organizationId, id)
      const at = yield* now
      if (row?.state !== "pending" || stateAt(row, at) !== "expired") return 0
      yield* expireHeld(row, at)
      return 1
    })
  )

/** One round; returns how many requests expired. Fails with UNAVAILABLE when the store is unreachable. */
export const expireRequests = Effect.fnUntraced(function* (limit = 1_000) {
  const rows = yield* (yield* Workspaces).approvals.overdue(yield* now, limit)
  const counts = yield* Effect.forEach(rows, (row) =>
    Effect.catchCause(expire(row), (cause) =>
      Effect.as(Effect.logError("Expiring an approval request failed", { request: row.id }, cause), 0)
    )
  )
  return counts.reduce((sum, count) => sum + count, 0)
})

/** Runs as long as the layer. */
export const layer: Layer.Layer<never, never, ExpiryNeeds> = Layer.effectDiscard(
  repeatRound("expiring approval requests", expireRequests(), "15 seconds")
)
