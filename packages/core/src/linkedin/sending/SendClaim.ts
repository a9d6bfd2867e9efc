/**
 * A message that is about to leave: everything that was decided and stored before the provider is asked.
 *
 * Source: contract 7 "Sending"; reliability research, threat 1.
 */
import type { DraftRow, QueueItem, SendAttempt } from "../DraftRow.ts"
import type { DraftView } from "../DraftView.ts"
import type { LinkedInAccount } from "../LinkedInAccount.ts"
import type { Recipient } from "../LinkedInGateway.ts"
import type { FailedOutcome, Heard } from "./FailedOutcome.ts"

/** The claim: its queue item is in state `sending`, and `attempt` is stored without an outcome. */
export interface SendClaim {
  /** Draft and queue item as they were before; `item` is null when no live item carried the draft. */
  readonly before: { readonly row: DraftRow; readonly item: QueueItem | null }
  /** The draft as stored with the claim. */
  readonly view: DraftView
  readonly item: QueueItem
  readonly attempt: SendAttempt
  readonly account: LinkedInAccount
  readonly recipient: Recipient
  /** True for send_now, whose caller hears of a refusal; a refusal of the dispatcher's puts the draft under review. */
  readonly isCallers: boolean
}

/** What of a claim is to be renewed while the provider is asked. */
export const leaseOf = ({ item }: SendClaim): { organizationId: string; itemId: string; fence: number } => ({
  organizationId: item.organizationId,
  itemId: item.id,
  fence: item.fence
})

/** What became of a claim. */
export type SendOutcome = Heard<
  | { readonly _tag: "Sent"; readonly messageId: string | null; readonly externalId: string | null }
  /** Not connected. `invitation`: whether one is open already, or one is to be made. */
  | { readonly _tag: "Waiting"; readonly invitation: "none" | "pending" | "wanted" }
  | FailedOutcome
>
