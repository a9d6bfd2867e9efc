/** Deleting leads that nobody uses: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"

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
