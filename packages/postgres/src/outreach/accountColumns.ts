/** LinkedIn accounts as rows of the database. */
import type { AgentId, OrganizationId } from "@svc/core"
import type { AccountStatus, LinkedInAccount, LinkedInTier } from "@svc/core/outreach"

/** The columns of an account; inside JSON, instants are texts. */
export interface AccountColumns<Instant = Date> {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly agent_id: AgentId
  readonly gateway: string
  readonly gateway_account_id: string
  readonly status: AccountStatus
  readonly tier: LinkedInTier
  readonly features: ReadonlyArray<string>
  readonly created_at: Instant
  readonly updated_at: Instant
}

/** The account of a row. */
export const accountOf = (row: AccountColumns<Date | string>): LinkedInAccount => ({
  id: row.id,
  organizationId: row.organization_id,
  agentId: row.agent_id,
  gateway: row.gateway,
  gatewayAccountId: row.gateway_account_id,
  status: row.status,
  tier: row.tier,
  features: row.features,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString()
})
