/**
 * The port to LinkedIn.
 *
 * Each write returns one {@link SendResult}, of which only `Confirmed` means that the provider accepted it. A gateway is never
 * called while a transaction is open, and never repeats a write itself.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Actor, orNotFound } from "../../kernel/command/Execution.ts"
import type { InvalidInput } from "../../kernel/failure/failures.ts"
import {
  type AccountId,
  type AgentId,
  isoFromMillis,
  now,
  type OrganizationId
} from "../../kernel/schema/IdsAndTime.ts"
import * as Failures from "../failures.ts"
import { type AccountHolder, AccountsRepo, type AgentAccount } from "./AccountsRepo.ts"
import type { LinkedInAccount, LinkedInTier } from "./LinkedInAccount.ts"
import type * as Provider from "./ProviderReads.ts"

/**
 * A person found by a search. Absent tokens are unknown, of the first two there is at least one; `degree` is 1 to 3, or
 * null out of network.
 */
export interface FoundPerson {
  readonly profileToken?: string
  readonly salesNavToken?: string
  readonly memberId?: string
  readonly publicSlug: string | null
  readonly firstName: string
  readonly lastName: string
  readonly headline: string
  readonly jobTitle: string
  readonly company: string
  readonly location: string
  readonly profileUrl: string
  readonly pictureUrl: string | null
  readonly degree: number | null
}

/** A page of a people search. `next` is null after the last page; `total` is what the provider says there are. */
export interface PeoplePage {
  readonly people: ReadonlyArray<FoundPerson>
  readonly next: string | null
  readonly total: number
}

/** The account that a gateway provides to an agent without linking. */
interface AutomaticAccount {
  readonly gatewayAccountId: string
  readonly tier: LinkedInTier
  readonly features: ReadonlyArray<string>
}

/** A gateway: reads ({@link ProviderReads}), account management (`accounts`) and writes. */
export interface Gateway extends Provider.ProviderReads {
  /** Stable name, kept with each linked account: `simulator`, `manual`, `unipile`, `http`. */
  readonly name: string
  /** True when people send approved messages themselves and confirm them with linkedin.queue.resolve. */
  readonly isManual?: boolean
  /** The account that an agent has without linking; undefined when accounts must be linked. */
  readonly automaticAccount: (agent: { readonly id: string }) => AutomaticAccount | undefined
  /** Reads the relation of account and person. Safe to retry. */
  readonly relation: (account: LinkedInAccount, recipient: Provider.Recipient) => Effect.Effect<Provider.RelationResult>
  /** Sends a message to a conversation. */
  readonly sendToChat: (
    account: LinkedInAccount,
    delivery: Provider.Delivery & { readonly chatId: string; readonly text: string }
  ) => Effect.Effect<Provider.SendResult>
  /** Sends a message to a connected person without a known conversation. */
  readonly startChat: (
    account: LinkedInAccount,
    delivery: Provider.Delivery & { readonly text: string }
  ) => Effect.Effect<Provider.SendResult>
  /** Asks a person to connect; `note` has at most 300 UTF-16 units. */
  readonly sendInvitation: (
    account: LinkedInAccount,
    delivery: Provider.Delivery & { readonly note: string | null }
  ) => Effect.Effect<Provider.SendResult>
  /**
   * One page of a people search by the address of that search; `cursor` is the `next` of the page before, null for the
   * first. Fails for an address that is none of a search, and as asking the provider does; trying again is safe.
   */
  readonly searchPeople: (
    account: LinkedInAccount,
    search: { readonly url: string; readonly cursor: string | null; readonly limit: number }
  ) => Effect.Effect<PeoplePage, InvalidInput | Failures.NotAPeopleSearch | Failures.ProviderFailure>
  /** Withdraws an invitation. Also `Confirmed` when none is pending. */
  readonly withdrawInvitation: (
    account: LinkedInAccount,
    recipient: Provider.Recipient
  ) => Effect.Effect<Provider.SendResult>
  /** Account management. */
  readonly accounts: Provider.ProviderAccounts
}

/** The configured gateway. */
export class LinkedInGateway extends Context.Service<LinkedInGateway, Gateway>()(
  "@svc/core/outreach/LinkedInGateway"
) {}

/** Longer than any provider of ours reads, with its retries. */
const readSeconds = 120

/** Asks within a time, since a provider may never answer. Fails with GATEWAY_ERROR then. */
export const withTimeout = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  seconds = readSeconds
): Effect.Effect<A, E | Failures.GatewayError, R> =>
  Effect.timeoutOrElse(effect, {
    duration: seconds * 1_000,
    orElse: () =>
      Effect.fail(
        new Failures.GatewayError({ message: `The provider did not respond within ${seconds} s. Retry later.` })
      )
  })

const nothing = Effect.succeed({ _tag: "Unavailable", detail: "No provider is configured." } as const)

const unconfigured = () => Effect.fail(new Failures.GatewayUnconfigured())

/** Defaults of a gateway that only sends: no reads, withdrawals or hosted links. */
export const sendingOnly: Provider.ProviderReads & Pick<Gateway, "accounts" | "withdrawInvitation"> = {
  resolveProfile: unconfigured,
  findChat: unconfigured,
  listMessages: unconfigured,
  listRelations: unconfigured,
  accounts: {},
  withdrawInvitation: () => nothing
}

/** The gateway of a deployment without a provider. */
export const manualGatewayLayer: Layer.Layer<LinkedInGateway> = Layer.succeed(LinkedInGateway, {
  ...sendingOnly,
  name: "manual",
  isManual: true,
  automaticAccount: (agent) => ({ gatewayAccountId: `manual-${agent.id}`, tier: "FREE", features: [] }),
  relation: () => nothing,
  sendToChat: () => nothing,
  startChat: () => nothing,
  sendInvitation: () => nothing,
  searchPeople: unconfigured
})

const day = 86_400_000

/** The account that a gateway brings along for an agent; undefined where accounts must be linked. */
export const automaticAccount = (
  gateway: LinkedInGateway["Service"],
  organizationId: OrganizationId,
  agent: AccountHolder
): LinkedInAccount | undefined => {
  const brought = gateway.automaticAccount(agent)
  if (brought === undefined) return undefined
  return {
    id: `acc_${agent.id.slice(agent.id.indexOf("_") + 1)}`,
    organizationId,
    agentId: agent.id,
    gateway: gateway.name,
    ...brought,
    status: "OK",
    createdAt: agent.createdAt,
    updatedAt: agent.createdAt
  }
}

/** The account of an agent: stored, or brought along unless one was taken from it. */
export const accountHeld = (
  gateway: LinkedInGateway["Service"],
  organizationId: OrganizationId,
  { account, agent, isUnlinked }: AgentAccount
): LinkedInAccount | undefined => account ?? (isUnlinked ? undefined : automaticAccount(gateway, organizationId, agent))

/** An agent with its account, by the agent's id. Fails with NOT_FOUND. */
export const holderOf = Effect.fnUntraced(function* (agentId: AgentId) {
  const { organizationId } = yield* Actor
  const { name } = yield* LinkedInGateway
  return yield* orNotFound("agent", agentId, (yield* AccountsRepo).ofAgent(organizationId, agentId, name))
})

/** The account of an agent in whatever health, by the agent's id. Fails with NOT_FOUND or NO_LINKEDIN_ACCOUNT. */
export const anyAccountOfAgent = Effect.fnUntraced(function* (agentId: AgentId) {
  const { organizationId } = yield* Actor
  const gateway = yield* LinkedInGateway
  const found = yield* holderOf(agentId)
  const account = accountHeld(gateway, organizationId, found)
  if (account !== undefined) return account
  return yield* new Failures.NoLinkedinAccount({
    message: `Agent ${found.agent.handle} has no LinkedIn account at the gateway ${gateway.name}. Link one with linkedin.account.link first.`
  })
})

/** The account of an agent in whatever health; undefined when the agent or its account is gone. */
export const accountIfAny = (agentId: AgentId) =>
  Effect.catchTag(anyAccountOfAgent(agentId), ["NoLinkedinAccount", "NotFound"], () => Effect.succeed(undefined))

/** The failure of writing with an account that the provider does not let write. */
export const accountDisconnected = ({
  id,
  status
}: Pick<LinkedInAccount, "id" | "status">): Failures.AccountDisconnected =>
  new Failures.AccountDisconnected({
    message: `The LinkedIn account ${id} is in status ${status}. Reconnect it, then retry.`
  })

/** The status of an account that its provider refused to use. */
export const statusOfRefusal = (kind: Provider.RefusalKind): "CREDENTIALS" | "RESTRICTED" =>
  kind === "account_restricted" ? "RESTRICTED" : "CREDENTIALS"

/** The account, if it may write. Fails with ACCOUNT_DISCONNECTED. */
const requireHealthy = (account: LinkedInAccount): Effect.Effect<LinkedInAccount, Failures.AccountDisconnected> =>
  account.status === "OK" ? Effect.succeed(account) : Effect.fail(accountDisconnected(account))

/** The healthy account of an agent, by the agent's id. Fails with NOT_FOUND, NO_LINKEDIN_ACCOUNT or ACCOUNT_DISCONNECTED. */
export const accountOfAgent = (agentId: AgentId) => Effect.flatMap(anyAccountOfAgent(agentId), requireHealthy)

/** Every live agent with an account, as linked or brought along, oldest agent first. Who sends by hand has none. */
export const listAccounts = Effect.gen(function* () {
  const { organizationId } = yield* Actor
  const gateway = yield* LinkedInGateway
  if (gateway.isManual === true) return []
  const millis = Date.parse(yield* now)
  const since = { day: isoFromMillis(millis - day), week: isoFromMillis(millis - 7 * day) }
  const found = yield* (yield* AccountsRepo).list(organizationId, gateway.name, since)
  return found.flatMap((row) => {
    const account = accountHeld(gateway, organizationId, row)
    return account === undefined ? [] : [{ agent: row.agent, account, use: row.use }]
  })
})

/** An account by its own id, whatever its health. Fails with NOT_FOUND. */
export const findAnyAccount = (accountId: AccountId) =>
  orNotFound(
    "LinkedIn account",
    accountId,
    Effect.map(listAccounts, (all) => all.find(({ account }) => account.id === accountId)?.account)
  )

/** A healthy account by its own id. Fails with NOT_FOUND or ACCOUNT_DISCONNECTED. */
export const findAccount = (accountId: AccountId) => Effect.flatMap(findAnyAccount(accountId), requireHealthy)
