/** What may be wrong with linking an account, for every store. Source: catalogue 4.1 linkedin.account.link. */
import { type Failure, fail } from "../Failure.ts"
import type { AccountFacts } from "./AccountsRepo.ts"

/** The agent has an account. */
export const alreadyLinked = (): Failure =>
  fail(
    "WRONG_STATE",
    "agent_handle: the agent has another LinkedIn account. Take it away with linkedin.account.unlink first."
  )

/** Another agent of the organization has the account. */
export const linkedElsewhere = (): Failure =>
  fail(
    "WRONG_STATE",
    "gateway_account_id: another agent has this account. Take it away with linkedin.account.unlink first."
  )

/** The provider does not have the account, or it is none of the organization's business. */
export const notAtProvider = (): Failure =>
  fail("NOT_FOUND", "The provider has no LinkedIn account with this id. List its accounts first.")

/** Whether a gateway makes account ids of agents' ids, which are unique within their organization only. */
export const isMadeOfAgents = (gateway: string): boolean => gateway === "simulator" || gateway === "manual"

/** Whether an account is already as the provider says. */
export const isAsSaid = (account: AccountFacts, said: AccountFacts): boolean =>
  account.status === said.status &&
  account.tier === said.tier &&
  account.features.join("\n") === said.features.join("\n")
