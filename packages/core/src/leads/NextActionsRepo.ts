/** The work list: leads for whom something waits to be done. The port; it sees one organization only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { LeadStatus } from "./LeadStatus.ts"
import type { ActionKind } from "./NextAction.ts"

/** A lead of the work list. Texts that are not known are empty. */
export interface WaitingLead {
  readonly id: string
  readonly name: string
  readonly jobTitle: string
  readonly company: string
  readonly status: LeadStatus
  readonly score: number
  readonly action: ActionKind
  /** The newest draft that is neither sent nor cancelled. */
  readonly draftId: string | null
  /** The mission asked for, else the one of those not archived that the lead was added to last. */
  readonly mission: { readonly id: string; readonly handle: string; readonly name: string } | null
}

/** Reads the work list. Fails with UNAVAILABLE when the store cannot be reached. Source: catalogue 4.1 (mission.next-actions). */
export class NextActionsRepo extends Context.Service<
  NextActionsRepo,
  {
    /**
     * The first leads at an instant by urgency of {@link ActionKind}, then by score, then by id: what `LeadsRepo.search` sorted by `action`
     * answers of leads that need one. `mission` is an id or a handle; undefined looks at every mission and at none.
     */
    readonly list: (
      organizationId: string,
      mission: string | undefined,
      limit: number,
      at: string
    ) => Effect.Effect<ReadonlyArray<WaitingLead>, Failure>
  }
>()("@svc/core/leads/NextActionsRepo") {}
