/** How an account and a lead stood when they were last looked at. */
import type { AccountId, InstantText, LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"

/** One account and one lead. Instants are ISO texts. */
export interface LeadRelation {
  readonly organizationId: OrganizationId
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly connected: boolean
  /** The provider's id of a conversation that exists; null when none is known. */
  readonly chatId: string | null
  /** When the provider confirmed an invitation from this account to this lead; null when it never did. */
  readonly invitedAt: InstantText | null
  readonly checkedAt: InstantText
}
