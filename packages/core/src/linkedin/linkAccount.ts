/** Giving an agent a LinkedIn account, and taking it away. Source: catalogue 4.1 linkedin.account.link; contract 7 "Sending". */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { Execution, warn } from "../Execution.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import type { CursorSecret } from "../Page.ts"
import { isoFromMillis, now } from "../Time.ts"
import { type AccountFacts, type AccountHolder, AccountsRepo, type AgentAccount } from "./AccountsRepo.ts"
import { InboxRepo } from "./inbound/InboxRepo.ts"
import { writeLinkState } from "./inbound/LinkState.ts"
import { announceAccount } from "./inbound/receiveAccount.ts"
import { hashOfToken, inboundSecret, webhookPath, webhookToken } from "./inbound/WebhookToken.ts"
import type { LinkedInAccount } from "./LinkedInAccount.ts"
import { LinkedInGateway } from "./LinkedInGateway.ts"
import { ProviderAccounts, PublicAddress, within } from "./ProviderAccounts.ts"
import { automaticAccount } from "./resolveAccount.ts"

/** What it takes. */
export type LinkNeeds = AccountsRepo | Actor | CursorSecret | Execution | Ids | InboxRepo | LinkedInGateway

/** The account that an agent has now, or the page on which somebody connects one. */
export type Linked =
  | { readonly _tag: "Account"; readonly agent: AccountHolder; readonly account: LinkedInAccount }
  | { readonly _tag: "Page"; readonly url: string; readonly expiresAt: string }

const linkSeconds = 3_600
const providerSeconds = 15

const late = (): Failure =>
  fail("GATEWAY_ERROR", `The provider did not answer within ${providerSeconds} s. Try again later.`)

/** The agent with its account, by its id. Fails with NOT_FOUND. */
const holderOf = Effect.fnUntraced(function* (
  agentId: string
): Effect.fn.Return<AgentAccount, Failure, Actor | AccountsRepo | LinkedInGateway> {
  const { organizationId } = yield* Actor
  const { name } = yield* LinkedInGateway
  const found = yield* (yield* AccountsRepo).ofAgent(organizationId, agentId, name)
  return found ?? (yield* notFound("agent", agentId))
})

/** The address at which the provider may tell the organization, if the service has one; its token is remembered. */
const notifyUrl = Effect.fnUntraced(function* (): Effect.fn.Return<string | undefined, Failure, LinkNeeds> {
  const { organizationId } = yield* Actor
  const { name } = yield* LinkedInGateway
  const address = (yield* PublicAddress)()
  if (address === undefined) return undefined
  const token = webhookToken(yield* inboundSecret, name, organizationId)
  yield* (yield* InboxRepo).keepToken(organizationId, name, hashOfToken(token), yield* now)
  return `${address}${webhookPath(name, token)}`
})

const newAccount = Effect.fnUntraced(function* (agentId: string, gatewayAccountId: string, facts: AccountFacts) {
  const { organizationId } = yield* Actor
  const { name: gateway } = yield* LinkedInGateway
  const id = yield* (yield* Ids).next("acc")
  const at = yield* now
  return { id, organizationId, agentId, gateway, gatewayAccountId, ...facts, createdAt: at, updatedAt: at }
})

/** Stores the account, as the command's last step. */
const store = Effect.fnUntraced(function* (
  agent: AccountHolder,
  account: LinkedInAccount
): Effect.fn.Return<Linked, Failure, LinkNeeds> {
  const stored = yield* (yield* AccountsRepo).link(account)
  yield* announceAccount(stored, null, stored.status)
  return { _tag: "Account", agent, account: stored }
})

/** Links an account by its id at the gateway. The provider says what it is; it may be asked to tell what happens to it. */
const linkById = Effect.fnUntraced(function* (
  { account: known, agent }: AgentAccount,
  gatewayAccountId: string,
  notify: string | undefined
): Effect.fn.Return<Linked, Failure, LinkNeeds> {
  const execution = yield* Execution
  if (known?.gatewayAccountId === gatewayAccountId) {
    return yield* execution.finish(Effect.succeed<Linked>({ _tag: "Account", agent, account: known }))
  }
  const provider = yield* ProviderAccounts
  const brought = (yield* LinkedInGateway).automaticAccount(agent)
  const assumed = { status: "OK", tier: brought?.tier ?? "FREE", features: brought?.features ?? [] } as const
  const isAsked = provider.find !== undefined && !execution.dryRun
  const facts = isAsked ? yield* within(provider.find(gatewayAccountId), providerSeconds, late) : assumed
  if (provider.subscribe !== undefined && notify !== undefined && !execution.dryRun) {
    const told = yield* Effect.result(within(provider.subscribe(gatewayAccountId, notify), providerSeconds, late))
    if (told._tag === "Failure") {
      yield* warn(
        "not_subscribed: the provider could not be asked to tell what happens, so answers are found by reading now and then. Link the account again to repeat it."
      )
    }
  }
  return yield* execution.finish(
    Effect.flatMap(newAccount(agent.id, gatewayAccountId, facts), (account) => store(agent, account))
  )
})

/** Makes a page for connecting, or links the account that the gateway brings along. */
const linkWithoutId = Effect.fnUntraced(function* (
  holder: AgentAccount,
  notify: string | undefined
): Effect.fn.Return<Linked, Failure, LinkNeeds> {
  const execution = yield* Execution
  const { organizationId } = yield* Actor
  const { account, agent, isUnlinked } = holder
  const brought = automaticAccount(yield* LinkedInGateway, organizationId, agent)
  if (brought !== undefined) {
    const has = account ?? (isUnlinked ? undefined : brought)
    return yield* execution.finish(
      has === undefined ? store(agent, brought) : Effect.succeed<Linked>({ _tag: "Account", agent, account: has })
    )
  }
  const { connectLink } = yield* ProviderAccounts
  if (connectLink === undefined) {
    return yield* fail(
      "INVALID_INPUT",
      "gateway_account_id: is required, as this gateway has no page for connecting an account. Send its id there."
    )
  }
  if (notify === undefined) {
    return yield* fail("GATEWAY_UNCONFIGURED", "The provider cannot reach this service. Set SVC_PUBLIC_URL.")
  }
  const expiresAt = isoFromMillis(Date.parse(yield* now) + linkSeconds * 1_000)
  const state = writeLinkState(yield* inboundSecret, { organizationId, agentId: agent.id, expiresAt })
  const request = { state, expiresAt, notifyUrl: notify, reconnect: account?.gatewayAccountId ?? null }
  const url = execution.dryRun ? "dry_run" : yield* within(connectLink(request), providerSeconds, late)
  return yield* execution.finish(Effect.succeed<Linked>({ _tag: "Page", url, expiresAt }))
})

/**
 * Links an account to an agent, or makes the page for it. Outward: fails with NOT_FOUND (agent, or no such account at the
 * provider), INVALID_INPUT, WRONG_STATE, GATEWAY_UNCONFIGURED, and as a read of the provider does.
 */
export const linkAccount = Effect.fnUntraced(function* (
  agentId: string,
  gatewayAccountId: string | undefined
): Effect.fn.Return<Linked, Failure, LinkNeeds> {
  const execution = yield* Execution
  const [holder, notify] = yield* execution.commit(Effect.all([holderOf(agentId), notifyUrl()]))
  return gatewayAccountId === undefined
    ? yield* linkWithoutId(holder, notify)
    : yield* linkById(holder, gatewayAccountId, notify)
})

/** Takes the account from an agent. Fails with NOT_FOUND or NO_LINKEDIN_ACCOUNT. */
export const unlinkAccount = Effect.fnUntraced(function* (
  agentId: string
): Effect.fn.Return<
  Extract<Linked, { readonly _tag: "Account" }>,
  Failure,
  Actor | AccountsRepo | Execution | LinkedInGateway
> {
  const { organizationId } = yield* Actor
  const { account, agent, isUnlinked } = yield* holderOf(agentId)
  const has = account ?? (isUnlinked ? undefined : automaticAccount(yield* LinkedInGateway, organizationId, agent))
  if (has === undefined) {
    return yield* fail(
      "NO_LINKEDIN_ACCOUNT",
      `Agent ${agent.handle} has no LinkedIn account. There is nothing to take.`
    )
  }
  if (yield* (yield* AccountsRepo).unlink(has, yield* now)) yield* announceAccount(has, has.status, "STOPPED")
  return { _tag: "Account", agent, account: { ...has, status: "STOPPED" } }
})
