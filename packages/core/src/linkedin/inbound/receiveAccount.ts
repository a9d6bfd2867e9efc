/** An account's health changed, or somebody connected one through a hosted link. Source: G35; mission research 5.2. */
import * as Effect from "effect/Effect"
import { emit } from "../../Execution.ts"
import type { Failure } from "../../Failure.ts"
import { Ids } from "../../Ids.ts"
import { now } from "../../Time.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import type { AccountStatus, LinkedInAccount } from "../LinkedInAccount.ts"
import type { InboundNeeds } from "./InboundNeeds.ts"
import { InboxRepo } from "./InboxRepo.ts"
import type { LinkState } from "./LinkState.ts"

/** States that an account's health changed; `from` is null for one that was linked just now. */
export const announceAccount = ({ agentId, id }: LinkedInAccount, from: AccountStatus | null, to: AccountStatus) =>
  emit({ type: "account.status_changed", subject: { type: "account", id }, data: { agent_id: agentId, from, to } })

/**
 * Notes what a provider told of an account's health. Tellings may come in any order, so the provider is asked soon how
 * the account really is. Answers whether that was news. Fails with UNAVAILABLE.
 */
export const receiveStatus = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  told: AccountStatus | "DELETED"
): Effect.fn.Return<boolean, Failure, InboundNeeds> {
  const status = told === "DELETED" ? "STOPPED" : told
  const { id, organizationId } = account
  const at = yield* now
  yield* (yield* InboxRepo).pollNow(organizationId, id, at)
  if (!(yield* (yield* AccountsRepo).setStatus(organizationId, id, status, at))) return false
  yield* announceAccount(account, account.status, status)
  return true
})

/**
 * Gives the agent for whom a link was made the account that was connected with it. What cannot be linked is left; the
 * command says why to whoever tries. Answers whether it was linked. Fails with UNAVAILABLE.
 */
export const receiveLink = Effect.fnUntraced(function* (
  gateway: string,
  { agentId, organizationId }: LinkState,
  gatewayAccountId: string
): Effect.fn.Return<boolean, Failure, InboundNeeds> {
  const accounts = yield* AccountsRepo
  const inbox = yield* InboxRepo
  const at = yield* now
  const holder = yield* accounts.ofAgent(organizationId, agentId, gateway)
  if (holder === undefined) return false
  if (holder.account !== null) {
    if (holder.account.gatewayAccountId !== gatewayAccountId) return false
    return yield* receiveStatus(holder.account, "OK")
  }
  const id = yield* (yield* Ids).next("acc")
  const linked = yield* Effect.result(
    accounts.link({
      id,
      organizationId,
      agentId,
      gateway,
      gatewayAccountId,
      status: "OK",
      // Until the provider is asked, the limits of the least subscription hold.
      tier: "FREE",
      features: [],
      createdAt: at,
      updatedAt: at
    })
  )
  if (linked._tag === "Failure") {
    if (linked.failure.code === "UNAVAILABLE") return yield* linked.failure
    yield* Effect.logWarning("an account that was connected could not be linked", { code: linked.failure.code })
    return false
  }
  yield* inbox.pollNow(organizationId, linked.success.id, at)
  yield* announceAccount(linked.success, null, "OK")
  return true
})
