/** A LinkedIn account of a gateway over HTTP. */
import type { LinkedInAccount } from "#core/outreach/provider/LinkedInAccount.ts"

export const httpAccount: LinkedInAccount = {
  id: "acc_1",
  organizationId: "org_1",
  agentId: "agt_1",
  gateway: "http",
  gatewayAccountId: "7",
  status: "OK",
  tier: "FREE",
  features: [],
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z"
}
