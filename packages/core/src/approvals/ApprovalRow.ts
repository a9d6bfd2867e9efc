/** A request for approval as it is stored. */
import type { ApprovalAsked, Asker } from "../ApprovalAsked.ts"

/** How far a request is. One that is pending after its `expiresAt` is expired. */
export type ApprovalState = "pending" | "approved" | "rejected"

/**
 * A request with how it ended. `input` is null once it is settled, so that nothing of it is kept for longer than needed.
 * `outcome` is that of the approved run: `ok` or a failure code, null while it is not known.
 */
export interface ApprovalRow extends Omit<ApprovalAsked, "input"> {
  readonly input: ApprovalAsked["input"] | null
  readonly state: ApprovalState
  readonly resolvedBy: Asker | null
  readonly resolvedAt: string | null
  readonly reason: string
  readonly outcome: string | null
}
