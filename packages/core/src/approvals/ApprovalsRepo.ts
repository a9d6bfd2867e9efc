/** Requests for approval that Dispatch keeps through the journal: reading and settling them. The port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { ApprovalRow } from "./ApprovalRow.ts"

/** Which requests a list shows: `expired` are those still pending after their time. */
export const approvalStates = ["pending", "approved", "rejected", "expired"] as const

/** See {@link approvalStates}. */
export type ShownState = (typeof approvalStates)[number]

/** The state of a request at an instant. */
export const stateAt = ({ expiresAt, state }: ApprovalRow, now: string): ShownState =>
  state === "pending" && expiresAt <= now ? "expired" : state

/** Stores requests. Fails with UNAVAILABLE when the store cannot be reached. */
export class ApprovalsRepo extends Context.Service<
  ApprovalsRepo,
  {
    readonly find: (organizationId: string, id: string) => Effect.Effect<ApprovalRow | undefined, Failure>
    /** As find, locked until the transaction ends. */
    readonly hold: (organizationId: string, id: string) => Effect.Effect<ApprovalRow | undefined, Failure>
    /** Newest first. */
    readonly list: (
      organizationId: string,
      filter: { readonly state: ShownState | undefined; readonly now: string },
      page: PageRequest
    ) => Effect.Effect<Page<ApprovalRow>, Failure>
    /** Replaces what can change of a request: everything about how it ended, and the input, which may go. */
    readonly replace: (row: ApprovalRow) => Effect.Effect<void, Failure>
  }
>()("@svc/core/approvals/ApprovalsRepo") {}
