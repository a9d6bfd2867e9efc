/** What may be wrong with linking an account, for every store. */
import { NotFound, WrongState } from "../../kernel/failure/failures.ts"
import type { AccountFacts } from "./AccountsRepo.ts"

/** The agent has an account. */
export const alreadyLinked = (): WrongState =>
  new WrongState({
    message:
      "agent_handle: the agent already has a different LinkedIn account. Unlink it with linkedin.account.unlink first."
  })

/** Another agent of the organization has the account. */
export const linkedElsewhere = (): WrongState =>
  new WrongState({
    message: "gateway_account_id: another agent already has this account. Unlink it with linkedin.account.unlink first."
  })

/** The provider does not have the account, or it is none of the organization's business. */
export const notAtProvider = (): NotFound =>
  new NotFound({
    kind: "LinkedIn account",
    message: "The provider has no LinkedIn account with this id. List its accounts first."
  })

/** Whether a gateway makes account ids of agents' ids, which are unique within their organization only. */
export const usesAgentIds = (gateway: string): boolean => gateway === "simulator" || gateway === "manual"

/** Whether an account is already as the provider says. */
export const hasSameFacts = (account: AccountFacts, said: AccountFacts): boolean =>
  account.status === said.status &&
  account.tier === said.tier &&
  account.features.join("\n") === said.features.join("\n")
