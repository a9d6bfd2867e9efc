/** Handling a change of an account's health, and an account connected through a hosted link. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor, emit } from "../../kernel/command/Execution.ts"
import * as Ids from "../../kernel/schema/IdsAndTime.ts"
import { comparable } from "../../kernel/schema/TextRules.ts"
import { holdLead } from "../../leads/findLead.ts"
import * as Identity from "../../leads/identity/Identity.ts"
import { parseLinkedInProfile } from "../../leads/identity/LinkedInProfile.ts"
import { resolveOne } from "../../leads/LeadBatch.ts"
import { recordOnce } from "../../leads/recordMessage.ts"
import { DraftsRepo } from "../DraftsRepo.ts"
import { acceptInvitation } from "../invitations/requestInvitation.ts"
import { type AccountFacts, AccountsRepo } from "../provider/AccountsRepo.ts"
import { storable } from "../provider/http/ProviderText.ts"
import type { AccountStatus, LinkedInAccount, LinkState } from "../provider/LinkedInAccount.ts"
import type { ConversationMessage, NamedPerson } from "../provider/ProviderReads.ts"
import { changeRelation } from "../TransmissionsRepo.ts"

/** Emits a change of an account's health; `from` is null for a newly linked account. */
export const announceAccount = ({ agentId, id }: LinkedInAccount, from: AccountStatus | null, to: AccountStatus) =>
  emit({ type: "account.status_changed", subject: { type: "account", id }, data: { agent_id: agentId, from, to } })

/**
 * Stores an account's health as reported by the provider; returns whether it changed. Events may arrive in any order, so the
 * account is polled soon to verify it. Fails with UNAVAILABLE.
 */
export const receiveStatus = Effect.fnUntraced(function* (account: LinkedInAccount, told: AccountStatus | "DELETED") {
  const status = told === "DELETED" ? "STOPPED" : told
  const { id, organizationId } = account
  const at = yield* Ids.now
  const { pollNow, saveFacts } = yield* AccountsRepo
  yield* pollNow(organizationId, id, at)
  if ((yield* saveFacts(organizationId, id, { status }, at)) === undefined) return false
  yield* announceAccount(account, account.status, status)
  return true
})

/** A new account of an agent, as the provider says that it is. */
export const newAccount = Effect.fnUntraced(function* (
  organizationId: Ids.OrganizationId,
  agentId: Ids.AgentId,
  gateway: string,
  gatewayAccountId: string,
  facts: AccountFacts
) {
  const id = yield* (yield* Ids.Ids).next("acc")
  const at = yield* Ids.now
  return { id, organizationId, agentId, gateway, gatewayAccountId, ...facts, createdAt: at, updatedAt: at }
})

/**
 * Links the connected account to the agent of the hosted link; returns whether it was linked. An account that cannot be
 * linked is ignored; linkedin.account.link reports why. Fails with UNAVAILABLE.
 */
export const receiveLink = Effect.fnUntraced(function* (
  gateway: string,
  { agentId, organizationId }: LinkState,
  gatewayAccountId: string
) {
  const accounts = yield* AccountsRepo
  const holder = yield* accounts.ofAgent(organizationId, agentId, gateway)
  if (holder === undefined) return false
  if (holder.account !== null) {
    if (holder.account.gatewayAccountId !== gatewayAccountId) return false
    return yield* receiveStatus(holder.account, "OK")
  }
  // Until the provider is asked, the limits of the least subscription hold.
  const facts = { status: "OK", tier: "FREE", features: [] } as const
  const account = yield* newAccount(organizationId, agentId, gateway, gatewayAccountId, facts)
  const linked = yield* Effect.catchTag(accounts.link(account, "login"), ["NotFound", "WrongState"], ({ code }) =>
    Effect.as(Effect.logWarning("Linking a connected account failed", { code }), undefined)
  )
  if (linked === undefined) return false
  yield* accounts.pollNow(organizationId, linked.id, account.updatedAt)
  yield* announceAccount(linked, null, "OK")
  return true
})

/** Everything by which the person may be known here, strongest first. */
const identitiesOf = (person: NamedPerson, options: Identity.TokenOptions): ReadonlyArray<Identity.Identity> => {
  const profile = person.profileUrl === null ? undefined : parseLinkedInProfile(person.profileUrl, options)
  return Identity.sortIdentities([
    ...person.identities,
    ...(Identity.readToken(person.providerId, "profile_token", options) ?? []),
    ...(profile !== undefined && Result.isSuccess(profile) ? profile.success.identities : [])
  ])
}

/**
 * The lead that holds the strongest of the person's identifiers, held until the transaction ends; undefined when nobody
 * is known by any of them.
 */
const leadOfPerson = Effect.fnUntraced(function* (person: NamedPerson) {
  const { organizationId } = yield* Actor
  const identities = identitiesOf(person, yield* Identity.IdentityOptions)
  if (identities.length === 0) return undefined
  const { leads } = yield* resolveOne(organizationId, { identities })
  for (const key of identities.map(Identity.identityKey)) {
    const lead = leads.find((one) => one.identities.some((identity) => Identity.identityKey(identity) === key))
    if (lead !== undefined) return lead
  }
  return undefined
})

// A message that somebody wrote on LinkedIn, told by the provider or found by reading.
//
// The same message may come any number of times, in any order with others. What of it depends on other messages is a
// maximum, or is decided by the message and the item alone.

const maxContentLength = 20_000

/** How far the provider's instant of a message of ours may be from the one that we stored. */
const clockSkew = 600_000

const shifted = (at: string, millis: number): string => Ids.isoFromMillis(Date.parse(at) + millis)

/** Whether it is a message that the queue sent: stored already, or on its way right now. */
const isOurs = Effect.fnUntraced(function* (
  organizationId: Ids.OrganizationId,
  leadId: Ids.LeadId,
  message: ConversationMessage
) {
  const accounts = yield* AccountsRepo
  const text = comparable(message.text ?? "")
  const open = yield* (yield* DraftsRepo).hold(organizationId, { leadId })
  const flying = open.some(
    ({ item }) => (item?.state === "sending" || item?.state === "ambiguous") && comparable(item.bodyText) === text
  )
  if (flying) return true
  const around = [shifted(message.at, -clockSkew), shifted(message.at, clockSkew)] as const
  const sent = yield* accounts.sentBetween(organizationId, leadId, ...around)
  const same = sent.filter(({ content }) => comparable(content) === text)
  const nameless = same.find(({ externalId }) => externalId === null) ?? same[0]
  if (nameless?.externalId === null) yield* accounts.setExternalId(organizationId, nameless.id, message.messageId)
  return nameless !== undefined
})

/** Those messages that are not stored, oldest first. */
export const newMessages = Effect.fnUntraced(function* (
  organizationId: Ids.OrganizationId,
  messages: ReadonlyArray<ConversationMessage>
) {
  const idsOf = ({ externalId, messageId }: ConversationMessage) =>
    externalId === null ? [messageId] : [messageId, externalId]
  const known = yield* (yield* AccountsRepo).knownMessages(organizationId, messages.flatMap(idsOf))
  return messages
    .filter((message) => !idsOf(message).some((id) => known.has(id)))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
})

/**
 * Takes in a message of an account's conversation, in the transaction that runs. Returns what became of it: `recorded`,
 * `known` before, `ours` when it may be a message that the queue sends, or `unrelated` to any lead. Fails with UNAVAILABLE.
 */
export const receiveMessage = Effect.fnUntraced(function* (account: LinkedInAccount, message: ConversationMessage) {
  const { organizationId } = account
  const { chatId, direction, messageId, sender } = message
  const accounts = yield* AccountsRepo
  const inChat = yield* accounts.leadOfChat(organizationId, account.id, chatId)
  const person = direction === "inbound" && inChat === undefined ? sender : null
  const found = inChat ?? (person === null ? undefined : (yield* leadOfPerson(person))?.row.id)
  if (found === undefined) return "unrelated"
  const { row } = yield* holdLead(found)
  const leadId = row.id
  // Looked up after the lead is held, so that nobody stores it meanwhile.
  if ((yield* newMessages(organizationId, [message])).length === 0) return "known"
  if (direction === "outbound" && (yield* isOurs(organizationId, leadId, message))) return "ours"
  const content = storable(message.text ?? "", maxContentLength)
  const { id, isFirst, isNew } = yield* recordOnce({
    leadId,
    channel: "LINKEDIN",
    direction,
    content,
    date: message.at,
    senderName: sender === null || sender.fullName === "" ? null : sender.fullName,
    externalId: messageId
  })
  if (!isNew) return "known"
  yield* changeRelation({ organizationId, accountId: account.id, leadId }, yield* Ids.now, (known) =>
    known === undefined || known.chatId === null ? { ...known, chatId } : undefined
  )
  if (direction === "outbound") {
    const data = { message_id: id, channel: "LINKEDIN", agent_id: account.agentId, is_first: isFirst }
    yield* emit({ type: "message.sent", subject: { type: "lead", id: leadId }, data })
  }
  return "recorded"
})

/**
 * Notes the connection, in the transaction that runs, and lets the dispatcher look at what waits: it asks the provider
 * itself before anything leaves. Answers whether that was news. Fails with UNAVAILABLE.
 */
export const receiveRelation = Effect.fnUntraced(function* (account: LinkedInAccount, person: NamedPerson) {
  const { id: accountId, organizationId } = account
  const leadId = (yield* leadOfPerson(person))?.row.id
  if (leadId === undefined) return false
  const at = yield* Ids.now
  const stored = yield* changeRelation({ organizationId, accountId, leadId }, at, (known) =>
    known?.connected === true ? undefined : { connected: true }
  )
  if (stored === undefined) return false
  yield* (yield* AccountsRepo).wake(organizationId, accountId, leadId, at)
  yield* acceptInvitation(organizationId, accountId, leadId, at)
  return true
})
