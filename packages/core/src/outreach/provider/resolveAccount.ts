/**
 * Which LinkedIn account an agent writes with: the one linked to it, or the one that its gateway brings along.
 *
 * An account that a gateway brings along needs no linking and no row: it is made from the agent, always with the same id,
 * and stored when it is first written with.
 */

import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Execution.ts"
import { NotFound, type StoreFailure } from "../../kernel/failure/failures.ts"
import {
  type AccountId,
  type AgentId,
  isoFromMillis,
  now,
  type OrganizationId
} from "../../kernel/schema/IdsAndTime.ts"
import { AccountDisconnected, NoLinkedinAccount } from "../failures.ts"
import { type AccountHolder, AccountsRepo, type AccountUse, type AgentAccount } from "./AccountsRepo.ts"
import type { LinkedInAccount } from "./LinkedInAccount.ts"
import { LinkedInGateway } from "./LinkedInGateway.ts"

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
const accountOf = (
  gateway: LinkedInGateway["Service"],
  organizationId: OrganizationId,
  { account, agent, isUnlinked }: AgentAccount
): LinkedInAccount | undefined => account ?? (isUnlinked ? undefined : automaticAccount(gateway, organizationId, agent))

/** The account of an agent in whatever health, by the agent's id. Fails with NOT_FOUND or NO_LINKEDIN_ACCOUNT. */
export const anyAccountOfAgent = Effect.fnUntraced(function* (agentId: AgentId) {
  const { organizationId } = yield* Actor
  const gateway = yield* LinkedInGateway
  const found = yield* (yield* AccountsRepo).ofAgent(organizationId, agentId, gateway.name)
  if (found === undefined) return yield* new NotFound({ kind: "agent", id: agentId })
  const account = accountOf(gateway, organizationId, found)
  if (account !== undefined) return account
  return yield* new NoLinkedinAccount({
    message: `Agent ${found.agent.handle} has no LinkedIn account at the gateway ${gateway.name}. Link one with linkedin.account.link first.`
  })
})

/** The account of an agent in whatever health; undefined when the agent or its account is gone. */
export const accountIfAny = Effect.fnUntraced(function* (agentId: AgentId) {
  const found = yield* Effect.result(anyAccountOfAgent(agentId))
  if (found._tag === "Success") return found.success
  const { code } = found.failure
  return code === "NO_LINKEDIN_ACCOUNT" || code === "NOT_FOUND" ? undefined : yield* found.failure
})

/** The failure of writing with an account that the provider does not let write. */
export const accountDisconnected = ({ id, status }: Pick<LinkedInAccount, "id" | "status">): AccountDisconnected =>
  new AccountDisconnected({
    message: `The LinkedIn account ${id} is in status ${status}. Reconnect it, then retry.`
  })

/** The account, if it may write. Fails with ACCOUNT_DISCONNECTED. */
const requireHealthy = (account: LinkedInAccount): Effect.Effect<LinkedInAccount, AccountDisconnected> =>
  account.status === "OK" ? Effect.succeed(account) : Effect.fail(accountDisconnected(account))

/** The healthy account of an agent, by the agent's id. Fails with NOT_FOUND, NO_LINKEDIN_ACCOUNT or ACCOUNT_DISCONNECTED. */
export const accountOfAgent = (
  agentId: AgentId
): Effect.Effect<
  LinkedInAccount,
  StoreFailure | AccountDisconnected | NoLinkedinAccount | NotFound,
  Actor | AccountsRepo | LinkedInGateway
> => Effect.flatMap(anyAccountOfAgent(agentId), requireHealthy)

/** Every live agent with an account, as linked or brought along, oldest agent first. Who sends by hand has none. */
export const listAccounts = Effect.gen(function* (): Effect.fn.Return<
  ReadonlyArray<{ readonly agent: AccountHolder; readonly account: LinkedInAccount; readonly use: AccountUse }>,
  StoreFailure,
  Actor | AccountsRepo | LinkedInGateway
> {
  const { organizationId } = yield* Actor
  const gateway = yield* LinkedInGateway
  if (gateway.isManual === true) return []
  const millis = Date.parse(yield* now)
  const since = { day: isoFromMillis(millis - day), week: isoFromMillis(millis - 7 * day) }
  const found = yield* (yield* AccountsRepo).list(organizationId, gateway.name, since)
  return found.flatMap((row: AgentAccount & { readonly use: AccountUse }) => {
    const account = accountOf(gateway, organizationId, row)
    return account === undefined ? [] : [{ agent: row.agent, account, use: row.use }]
  })
})

/** A healthy account by its own id. Fails with NOT_FOUND or ACCOUNT_DISCONNECTED. */
export const findAccount = Effect.fnUntraced(function* (accountId: AccountId) {
  const found = (yield* listAccounts).find(({ account }) => account.id === accountId)
  if (found === undefined) return yield* new NotFound({ kind: "LinkedIn account", id: accountId })
  return yield* requireHealthy(found.account)
})
