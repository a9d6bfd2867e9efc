/**
 * How an account and a lead stood when they were last looked at.
 *
 * Source: contract section 7 "Simulated gateway" and "Sending"; mission research 5.1.
 */

/** One account and one lead. Instants are ISO texts. */
export interface LeadRelation {
  readonly organizationId: string
  readonly accountId: string
  readonly leadId: string
  readonly connected: boolean
  /** The provider's id of a conversation that exists; null when none is known. */
  readonly chatId: string | null
  /** When the provider confirmed an invitation from this account to this lead; null when it never did. */
  readonly invitedAt: string | null
  readonly checkedAt: string
}
