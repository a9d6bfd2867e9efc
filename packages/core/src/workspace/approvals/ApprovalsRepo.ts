/** Reading and settling the requests for approval that Dispatch stores through the journal: the port. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Requester } from "../../kernel/command/ApprovalRequest.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { Page, PageRequest } from "../../kernel/schema/Page.ts"
import type { InstantText, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { ApprovalRow } from "./ApprovalRow.ts"

/** The states of requests; `expired` are also those still pending after their expiry. */
export const approvalStates = ["pending", "approved", "rejected", "expired"] as const

/** See {@link approvalStates}. */
type ShownState = (typeof approvalStates)[number]

/** The state of a request at an instant. */
export const stateAt = ({ expiresAt, state }: ApprovalRow, now: string): ShownState =>
  state === "pending" && expiresAt <= now ? "expired" : state

/** A request that should have expired. */
type Overdue = Pick<ApprovalRow, "organizationId" | "id">

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
        /** Whose requests; undefined for everybody's. */
        readonly requester: Pick<Requester, "userId" | "keyId"> | undefined
      },
      page: PageRequest
    ) => Effect.Effect<Page<ApprovalRow>, StoreFailure>
    /** Replaces the resolution of a request, its question, its addresses, and its input, which may be removed. */
    readonly replace: (row: ApprovalRow) => Effect.Effect<void, StoreFailure>
    /** Requests of any organization that are still pending after their expiry, the oldest first. */
    readonly overdue: (now: InstantText, limit: number) => Effect.Effect<ReadonlyArray<Overdue>, StoreFailure>
    /**
     * Takes requests of any organization with addresses to write to now, whose state is not older than `since`, until another
     * instant: other processes do not take them before.
     */
    readonly takeMail: (take: {
      readonly now: InstantText
      readonly since: InstantText
      readonly until: InstantText
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ApprovalRow>, StoreFailure>
    /** Stores what is left to write to of a request as it was taken; unless its state changed since. */
    readonly putMail: (taken: ApprovalRow, left: ReadonlyArray<string>) => Effect.Effect<void, StoreFailure>
  }
>()("@svc/core/approvals/ApprovalsRepo") {}
