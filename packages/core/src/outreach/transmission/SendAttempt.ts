/** One use of a LinkedIn account, as it is stored. */

import type { AccountId, InstantText, OrganizationId, TurnId } from "../../kernel/schema/IdsAndTime.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"

/**
 * Stored before its first byte leaves; `outcome` is null until it is known to us. `queueItemId` is the message or the
 * invitation that was transmitted; other uses have an id of their own.
 */
export interface SendAttempt {
  readonly organizationId: OrganizationId
  readonly queueItemId: TurnId
  readonly number: number
  readonly accountId: AccountId
  readonly action: "message" | "invitation" | "invitation_with_note" | "withdrawal" | "profile_view" | "search"
  readonly outcome: "confirmed" | "refused" | "unavailable" | "unknown" | null
  /** The provider's code or words, at most 500 characters. */
  readonly detail: string | null
  readonly startedAt: InstantText
  readonly endedAt: InstantText | null
}

/** An attempt that begins. */
export const newAttempt = (
  { id: accountId, organizationId }: LinkedInAccount,
  action: SendAttempt["action"],
  queueItemId: TurnId,
  number: number,
  startedAt: InstantText
): SendAttempt => ({
  ...{ organizationId, queueItemId, number, accountId, action, startedAt },
  ...{ outcome: null, detail: null, endedAt: null }
})
