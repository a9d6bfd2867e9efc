/** Reading and settling the requests for approval that Dispatch stores through the journal: the port. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { Page, PageRequest } from "../../kernel/schema/Page.ts"
import type { OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { ApprovalRow } from "./ApprovalRow.ts"

/** The states of requests; `expired` are those still pending after their expiry. */
export const approvalStates = ["pending", "approved", "rejected", "expired"] as const

/** See {@link approvalStates}. */
type ShownState = (typeof approvalStates)[number]

/** The state of a request at an instant. */
export const stateAt = ({ expiresAt, state }: ApprovalRow, now: string): ShownState =>
  state === "pending" && expiresAt <= now ? "expired" : state

/** Stores requests. Fails with UNAVAILABLE when the store cannot be reached. */
export class ApprovalsRepo extends Context.Service<
  ApprovalsRepo,
  {
    readonly find: (organizationId: OrganizationId, id: string) => Effect.Effect<ApprovalRow | undefined, StoreFailure>
    /** As find, locked until the transaction ends. */
    readonly hold: (organizationId: OrganizationId, id: string) => Effect.Effect<ApprovalRow | undefined, StoreFailure>
    /** Newest first, without requests for the commands `hidden`. */
    readonly list: (
      organizationId: OrganizationId,
      filter: {
        readonly state: ShownState | undefined
        readonly now: string
        readonly hidden: ReadonlyArray<string>
      },
      page: PageRequest
    ) => Effect.Effect<Page<ApprovalRow>, StoreFailure>
    /** Replaces the resolution of a request, and its input, which may be removed. */
    readonly replace: (row: ApprovalRow) => Effect.Effect<void, StoreFailure>
  }
>()("@svc/core/approvals/ApprovalsRepo") {}
