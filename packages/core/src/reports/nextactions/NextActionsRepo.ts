/** The work list, leads with a pending action: a port. It sees only one organization. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { DraftId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { LeadStatus } from "../../leads/LeadStatus.ts"
import type { ActionKind } from "../../leads/NextAction.ts"

/** A lead of the work list. Unknown texts are empty. */
export interface WaitingLead {
  readonly id: string
  readonly name: string
  readonly jobTitle: string
  readonly company: string
  readonly status: LeadStatus
  readonly score: number
  readonly action: ActionKind
  /** The newest draft that is neither sent nor cancelled. */
  readonly draftId: DraftId | null
  /** The requested mission, or the mission, neither archived nor completed, that the lead was added to last. */
  readonly mission: { readonly id: string; readonly handle: string; readonly name: string } | null
}

/** Reads the work list. Fails with UNAVAILABLE when the store cannot be reached. */
export class NextActionsRepo extends Context.Service<
  NextActionsRepo,
  {
    /**
     * The first leads at an instant by urgency of {@link ActionKind}, then by score, then by id, in the order of
     * `LeadsRepo.search` sorted by `action`. `mission` is an id or a handle; without it all leads are included.
     */
    readonly list: (
      organizationId: OrganizationId,
      mission: string | undefined,
      limit: number,
      at: string
    ) => Effect.Effect<ReadonlyArray<WaitingLead>, StoreFailure>
  }
>()("@svc/core/leads/NextActionsRepo") {}
