/** The LinkedIn accounts through which agents write. */

import * as Schema from "effect/Schema"
import type { AccountId, AgentId, InstantText, OrganizationId } from "../../kernel/schema/RecordIds.ts"

/** Health of an account, as the provider reports it. Only `OK` may send. */
export const AccountStatus = Schema.Literals(["OK", "CONNECTING", "CREDENTIALS", "STOPPED", "ERROR", "RESTRICTED"])
export type AccountStatus = typeof AccountStatus.Type

/** The LinkedIn subscription of an account, which decides its usage limits. */
export const LinkedInTier = Schema.Literals(["FREE", "PREMIUM", "SALES_NAVIGATOR"])
export type LinkedInTier = typeof LinkedInTier.Type

/** An account of an agent; an agent has at most one. */
export interface LinkedInAccount {
  readonly id: AccountId
  readonly organizationId: OrganizationId
  readonly agentId: AgentId
  /** Name of the gateway that carries it, and the account's id there. */
  readonly gateway: string
  readonly gatewayAccountId: string
  readonly status: AccountStatus
  readonly tier: LinkedInTier
  readonly features: ReadonlyArray<string>
  readonly createdAt: InstantText
  readonly updatedAt: InstantText
}
