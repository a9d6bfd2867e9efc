/** A request for approval as stored. */

import type { ApprovalRequest, Requester } from "../../kernel/command/ApprovalRequest.ts"
import type { InstantText } from "../../kernel/schema/RecordIds.ts"

/** The stored state of a request. A request that is pending after `expiresAt` has expired. */
export type ApprovalState = "pending" | "approved" | "rejected"

/**
 * A request with its resolution. `input` is null once it is settled, so that it is not stored longer than needed.
 * `outcome` is that of the approved run: `ok` or a failure code, or null while unknown.
 */
export interface ApprovalRow extends Omit<ApprovalRequest, "input"> {
  readonly input: ApprovalRequest["input"] | null
  readonly state: ApprovalState
  readonly resolvedBy: Requester | null
  readonly resolvedAt: InstantText | null
  readonly reason: string
  readonly outcome: string | null
}
