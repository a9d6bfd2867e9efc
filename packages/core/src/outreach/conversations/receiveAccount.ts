/** Handling a change of an account's health, and an account connected through a hosted link. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../../kernel/command/Actor.ts"
import { emit } from "../../kernel/command/Execution.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import { Ids } from "../../kernel/schema/Ids.ts"
import { now } from "../../kernel/schema/Time.ts"
import { IdentityOptions } from "../../leads/IdentityOptions.ts"
import { type Identity, identityKey, sortIdentities } from "../../leads/identity/Identity.ts"
import { parseLinkedInProfile } from "../../leads/identity/LinkedInProfile.ts"
import { readToken, type TokenOptions } from "../../leads/identity/MemberToken.ts"
import { resolveOne } from "../../leads/LeadBatch.ts"
import type { LeadsRepo, StoredLead } from "../../leads/LeadsRepo.ts"
import { AccountsRepo } from "../provider/AccountsRepo.ts"
import type { AccountStatus, LinkedInAccount, LinkState } from "../provider/LinkedInAccount.ts"
import type { NamedPerson } from "../provider/ProviderReads.ts"
import type { InboundNeeds } from "./InboundNeeds.ts"
import { InboxRepo } from "./InboxRepo.ts"

/** Emits a change of an account's health; `from` is null for a newly linked account. */
export const announceAccount = ({ agentId, id }: LinkedInAccount, from: AccountStatus | null, to: AccountStatus) =>
  emit({ type: "account.status_changed", subject: { type: "account", id }, data: { agent_id: agentId, from, to } })

/**
 * Stores an account's health as reported by the provider; returns whether it changed. Events may arrive in any order, so the
 * account is polled soon to verify it. Fails with UNAVAILABLE.
 */
export const receiveStatus = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  told: AccountStatus | "DELETED"
): Effect.fn.Return<boolean, StoreFailure, InboundNeeds> {
  const status = told === "DELETED" ? "STOPPED" : told
  const { id, organizationId } = account
  const at = yield* now
  yield* (yield* InboxRepo).pollNow(organizationId, id, at)
  if (!(yield* (yield* AccountsRepo).setStatus(organizationId, id, status, at))) return false
  yield* announceAccount(account, account.status, status)
  return true
})

/**
 * Links the connected account to the agent of the hosted link; returns whether it was linked. An account that cannot be
 * linked is ignored; linkedin.account.link reports why. Fails with UNAVAILABLE.
 */
export const receiveLink = Effect.fnUntraced(function* (
  gateway: string,
  { agentId, organizationId }: LinkState,
  gatewayAccountId: string
): Effect.fn.Return<boolean, StoreFailure, InboundNeeds> {
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
    accounts.link(
      {
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
      },
      "login"
    )
  )
  if (linked._tag === "Failure") {
    if (linked.failure.code === "UNAVAILABLE") return yield* linked.failure
    yield* Effect.logWarning("Linking a connected account failed", { code: linked.failure.code })
    return false
  }
  yield* inbox.pollNow(organizationId, linked.success.id, at)
  yield* announceAccount(linked.success, null, "OK")
  return true
})

/** Everything by which the person may be known here, strongest first. */
const identitiesOf = (person: NamedPerson, options: TokenOptions): ReadonlyArray<Identity> => {
  const profile = person.profileUrl === null ? undefined : parseLinkedInProfile(person.profileUrl, options)
  return sortIdentities([
    ...person.identities,
    ...(readToken(person.providerId, "profile_token", options) ?? []),
    ...(profile !== undefined && Result.isSuccess(profile) ? profile.success.identities : [])
  ])
}

/**
 * The lead that holds the strongest of the person's identifiers, held until the transaction ends; undefined when nobody
 * is known by any of them.
 */
export const leadOfPerson = Effect.fnUntraced(function* (
  person: NamedPerson
): Effect.fn.Return<StoredLead | undefined, StoreFailure, Actor | LeadsRepo> {
  const { organizationId } = yield* Actor
  const identities = identitiesOf(person, yield* IdentityOptions)
  if (identities.length === 0) return undefined
  const { leads } = yield* resolveOne(organizationId, { identities })
  for (const key of identities.map(identityKey)) {
    const lead = leads.find((one) => one.identities.some((identity) => identityKey(identity) === key))
    if (lead !== undefined) return lead
  }
  return undefined
})
