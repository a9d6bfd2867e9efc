/** Deleting leads that nobody uses: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import { emit } from "../../kernel/command/Execution.ts"
import { type StoreFailure, WrongState } from "../../kernel/failure/failures.ts"
import type { LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { holdLead } from "../findLead.ts"

/**
 * Why a lead is kept; the first that applies. MERGED: merged with another lead. CONTACTED: messages were exchanged or queued.
 * DRAFTED: has a draft or an email in review. NOTED: has a note. SUPPRESSED: must not be contacted, which must be remembered.
 * IN_OTHER_MISSION, IN_OTHER_IMPORT: belongs to another one. AWAITING_APPROVAL: a pending approval request names its id.
 * CHANGED: changed by anything but its import.
 */
export const KeptReason = Schema.Literals([
  "MERGED",
  "CONTACTED",
  "DRAFTED",
  "NOTED",
  "SUPPRESSED",
  "IN_OTHER_MISSION",
  "IN_OTHER_IMPORT",
  "AWAITING_APPROVAL",
  "CHANGED"
])

export type KeptReason = typeof KeptReason.Type

/** Deletes leads. Fails with UNAVAILABLE when the store is unreachable. */
export class UnusedLeads extends Context.Service<
  UnusedLeads,
  {
    /**
     * Inside a transaction: deletes a lead with its cancelled drafts, unless it belongs to any mission or import, or is in use
     * otherwise; returns the reason then. One that does not exist is not in use.
     */
    readonly remove: (
      organizationId: OrganizationId,
      leadId: LeadId
    ) => Effect.Effect<KeptReason | undefined, StoreFailure>
  }
>()("@svc/core/leads/undo/UnusedLeads") {}

/** Deletes a lead that nobody uses. Fails with NOT_FOUND, and with WRONG_STATE when it is in use. */
export const removeLead = Effect.fnUntraced(function* (leadId: LeadId) {
  const { organizationId } = yield* Actor
  const { row } = yield* holdLead(leadId)
  const kept = yield* (yield* UnusedLeads).remove(organizationId, row.id)
  if (kept !== undefined) return yield* new WrongState({ message: `The lead is in use: ${kept}.` })
  yield* emit({ type: "lead.erased", subject: { type: "lead", id: row.id }, data: { tombstones: 0 } })
})
