/** Rows of LinkedIn accounts as statements answer them. */
import type { AccountStatus, LinkedInAccount, LinkedInTier } from "@svc/core/linkedin/LinkedInAccount"

/** The columns of an account. */
export interface AccountColumns {
  readonly organization_id: string
  readonly id: string
  readonly agent_id: string
  readonly gateway: string
  readonly gateway_account_id: string
  readonly status: AccountStatus
  readonly tier: LinkedInTier
  readonly features: ReadonlyArray<string>
  readonly created_at: Date
  readonly updated_at: Date
}

/** The account of a row. */
export const accountOf = (row: AccountColumns): LinkedInAccount => ({
  id: row.id,
  organizationId: row.organization_id,
  agentId: row.agent_id,
  gateway: row.gateway,
  gatewayAccountId: row.gateway_account_id,
  status: row.status,
  tier: row.tier,
  features: row.features,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString()
})
