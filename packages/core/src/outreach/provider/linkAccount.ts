/** Giving an agent a LinkedIn account, and taking it away. */

import * as Effect from "effect/Effect"
import { Actor, Execution, PublicUrl, warn } from "../../kernel/command/Execution.ts"
import { InvalidInput, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { type AgentId, type InstantText, isoFromMillis, now } from "../../kernel/schema/IdsAndTime.ts"
import { announceAccount, newAccount } from "../conversations/receiveAccount.ts"
import { GatewayUnconfigured, NoLinkedinAccount } from "../failures.ts"
import { type AccountFacts, type AccountHolder, AccountsRepo, type AgentAccount } from "./AccountsRepo.ts"
import * as Account from "./LinkedInAccount.ts"
import { accountHeld, automaticAccount, holderOf, LinkedInGateway, withTimeout } from "./LinkedInGateway.ts"

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

/** The provider does not have the account, or it is not visible to this organization. */
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

/** The account that an agent has now, or the page on which somebody connects one. */
type Linked =
  | { readonly _tag: "Account"; readonly agent: AccountHolder; readonly account: Account.LinkedInAccount }
  | { readonly _tag: "Page"; readonly url: string; readonly expiresAt: InstantText }

const accountOf = (agent: AccountHolder, account: Account.LinkedInAccount): Linked => ({
  _tag: "Account",
  agent,
  account
})

const linkSeconds = 3_600

const providerSeconds = 15

/** The address at which the provider may tell the organization, if the service has one; its token is remembered. */
const notifyUrl = Effect.gen(function* () {
  const { organizationId } = yield* Actor
  const { name } = yield* LinkedInGateway
  const address = (yield* PublicUrl)()
  if (address === undefined) return undefined
  const token = Account.webhookToken(yield* Account.inboundSecret, name, organizationId)
  yield* (yield* AccountsRepo).saveToken(organizationId, name, Account.hashOfToken(token))
  return `${address}${Account.webhookPath(name, token)}`
})

/** Stores the account, as the command's last step. */
const store = Effect.fnUntraced(function* (agent: AccountHolder, account: Account.LinkedInAccount) {
  const stored = yield* (yield* AccountsRepo).link(account, "id")
  yield* announceAccount(stored, null, stored.status)
  return accountOf(agent, stored)
})

/** Links an account by its id at the gateway. The provider says what it is; it may be asked to tell what happens to it. */
const linkById = Effect.fnUntraced(function* (
  { account: known, agent }: AgentAccount,
  gatewayAccountId: string,
  notify: string | undefined
) {
  const execution = yield* Execution
  if (known?.gatewayAccountId === gatewayAccountId) {
    return yield* execution.finish(Effect.succeed(accountOf(agent, known)))
  }
  const { accounts: provider, automaticAccount, name } = yield* LinkedInGateway
  const { organizationId } = yield* Actor
  // Before the provider is asked for anything in the name of this organization.
  if (yield* (yield* AccountsRepo).isForeign(organizationId, name, gatewayAccountId)) return yield* notAtProvider()
  const brought = automaticAccount(agent)
  const assumed = { status: "OK", tier: brought?.tier ?? "FREE", features: brought?.features ?? [] } as const
  const isAsked = provider.find !== undefined && !execution.dryRun
  const facts = isAsked ? yield* withTimeout(provider.find(gatewayAccountId), providerSeconds) : assumed
  if (provider.subscribe !== undefined && notify !== undefined && !execution.dryRun) {
    const told = yield* Effect.result(withTimeout(provider.subscribe(gatewayAccountId, notify), providerSeconds))
    if (told._tag === "Failure") {
      yield* warn(
        "not_subscribed: the provider did not accept a subscription, so replies are found by polling. Link the account " +
          "again to retry."
      )
    }
  }
  const account = yield* newAccount(organizationId, agent.id, name, gatewayAccountId, facts)
  return yield* execution.finish(store(agent, account))
})

/** Makes a page for connecting, or links the account that the gateway brings along. */
const linkWithoutId = Effect.fnUntraced(function* (holder: AgentAccount, notify: string | undefined) {
  const execution = yield* Execution
  const { organizationId } = yield* Actor
  const gateway = yield* LinkedInGateway
  const { account, agent } = holder
  const brought = automaticAccount(gateway, organizationId, agent)
  if (brought !== undefined) {
    const has = accountHeld(gateway, organizationId, holder)
    return yield* execution.finish(has === undefined ? store(agent, brought) : Effect.succeed(accountOf(agent, has)))
  }
  const { connectLink } = gateway.accounts
  if (connectLink === undefined) {
    return yield* new InvalidInput({
      message:
        "gateway_account_id is required, as this gateway has no page for connecting an account. Send the account's id at " +
        "the gateway."
    })
  }
  if (notify === undefined) {
    return yield* new GatewayUnconfigured({ message: "The provider can't reach this service. Set SVC_PUBLIC_URL." })
  }
  const expiresAt = isoFromMillis(Date.parse(yield* now) + linkSeconds * 1_000)
  const state = Account.writeLinkState(yield* Account.inboundSecret, { organizationId, agentId: agent.id, expiresAt })
  const request = { state, expiresAt, notifyUrl: notify, reconnect: account?.gatewayAccountId ?? null }
  const url = execution.dryRun ? "dry_run" : yield* withTimeout(connectLink(request), providerSeconds)
  return yield* execution.finish(Effect.succeed<Linked>({ _tag: "Page", url, expiresAt }))
})

/**
 * Links an account to an agent, or makes the page for it. Outward: fails with NOT_FOUND (agent, or no such account at the
 * provider), INVALID_INPUT, WRONG_STATE, GATEWAY_UNCONFIGURED, and as a read of the provider does.
 */
export const linkAccount = Effect.fnUntraced(function* (agentId: AgentId, gatewayAccountId: string | undefined) {
  const execution = yield* Execution
  const [holder, notify] = yield* execution.commit(Effect.all([holderOf(agentId), notifyUrl]))
  return gatewayAccountId === undefined
    ? yield* linkWithoutId(holder, notify)
    : yield* linkById(holder, gatewayAccountId, notify)
})

/** Takes the account from an agent. Fails with NOT_FOUND or NO_LINKEDIN_ACCOUNT. */
export const unlinkAccount = Effect.fnUntraced(function* (agentId: AgentId) {
  const { organizationId } = yield* Actor
  const holder = yield* holderOf(agentId)
  const has = accountHeld(yield* LinkedInGateway, organizationId, holder)
  // Somebody else may have taken it meanwhile.
  if (has === undefined || !(yield* (yield* AccountsRepo).unlink(has, yield* now))) {
    return yield* new NoLinkedinAccount({
      message: `Agent ${holder.agent.handle} has no LinkedIn account to unlink.`
    })
  }
  yield* announceAccount(has, has.status, "STOPPED")
  return { agent: holder.agent, account: { ...has, status: "STOPPED" as const } }
})
