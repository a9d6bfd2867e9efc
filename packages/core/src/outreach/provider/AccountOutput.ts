/** A LinkedIn account as commands that change one show it. */
import * as Schema from "effect/Schema"
import type { AccountHolder } from "./AccountsRepo.ts"
import { AccountStatus, type LinkedInAccount, LinkedInTier } from "./LinkedInAccount.ts"

/** An account with its agent. */
export const AccountOutput = Schema.Struct({
  account_id: Schema.String,
  agent_handle: Schema.String,
  name: Schema.String,
  public_url: Schema.NullOr(Schema.String),
  status: AccountStatus,
  tier: LinkedInTier,
  features: Schema.Array(Schema.String)
})
export type AccountOutput = typeof AccountOutput.Type

/** The account of an agent as it is shown. */
export const accountOutputOf = (agent: AccountHolder, account: LinkedInAccount): AccountOutput => ({
  account_id: account.id,
  agent_handle: agent.handle,
  name: agent.name,
  public_url: agent.linkedinUrl === "" ? null : agent.linkedinUrl,
  status: account.status,
  tier: account.tier,
  features: account.features
})
