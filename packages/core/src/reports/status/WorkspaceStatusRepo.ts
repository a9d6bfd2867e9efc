/** What `workspace.status` counts: the port. It looks at the records of every domain, of one organization only. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { InstantText, OrganizationId } from "../../kernel/schema/RecordIds.ts"

/**
 * What is counted: `queue` are the messages on their way, `agents` those not deleted, and `accounts` the LinkedIn accounts
 * of these agents at one gateway that are stored.
 */
export type CountKind = "offers" | "leads" | "missions" | "agents" | "drafts" | "queue" | "imports" | "accounts"

/** How many of a kind are in a state. Offers are `ready` or `draft`, agents `live`. */
export interface StatusCount {
  readonly kind: CountKind
  readonly state: string
  readonly count: number
}

/** What a look at the store found; states without records are left out. */
export interface WorkspaceCounts {
  /** Undefined for an organization that a host program made up. */
  readonly organizationName: string | undefined
  readonly counts: ReadonlyArray<StatusCount>
}

/** Counts. Fails with UNAVAILABLE when the store cannot be reached. */
export class WorkspaceStatusRepo extends Context.Service<
  WorkspaceStatusRepo,
  {
    /** In one statement. A running import that reported nothing since `staleBefore` counts as interrupted. */
    readonly count: (
      organizationId: OrganizationId,
      question: { readonly staleBefore: InstantText; readonly gateway: string }
    ) => Effect.Effect<WorkspaceCounts, StoreFailure>
  }
>()("@svc/core/status/WorkspaceStatusRepo") {}
