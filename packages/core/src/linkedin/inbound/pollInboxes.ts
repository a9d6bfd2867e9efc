/**
 * The safety net below webhooks: what was not told, or told too early, is found by reading.
 *
 * Each account is read anew some time before where the last reading began, as providers learn of things late; what is known
 * already changes nothing. A reading that fails is begun again from the same place. Source: issue 4, inbound.
 */
import * as Effect from "effect/Effect"
import { emit } from "../../Execution.ts"
import type { Failure } from "../../Failure.ts"
import { isoFromMillis, now } from "../../Time.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import { type ConversationMessage, GatewayAdditions } from "../bridge/GatewayAdditions.ts"
import type { LinkedInAccount } from "../LinkedInAccount.ts"
import { LinkedInGateway } from "../LinkedInGateway.ts"
import { ProviderAccounts } from "../ProviderAccounts.ts"
import { counted } from "../pacing/countUse.ts"
import { runAsService } from "../sending/SystemRun.ts"
import type { ReceiverNeeds } from "./InboundReceiver.ts"
import { type InboxPoll, InboxRepo } from "./InboxRepo.ts"
import { readMessages, readRelations } from "./readInbox.ts"
import { receiveStatus } from "./receiveAccount.ts"
import { receiveMessage } from "./receiveMessage.ts"
import { receiveRelation } from "./receiveRelation.ts"

/** What it takes. */
export type PollNeeds = ReceiverNeeds | GatewayAdditions

/** Which round: of one organization or of all, and at most how many accounts. */
export interface PollRound {
  readonly organizationId?: string
  readonly limit?: number
}

/** Until an account is read again. */
const pauseSeconds = 600

/** How late a provider may learn of a message, and of a relation (webhooks of these come up to 8 h late). */
const messageDelay = 3_600_000
const relationDelay = 86_400_000

const mostPages = 40

const earlier = (at: string, millis: number): string => isoFromMillis(Date.parse(at) - millis)

const later = (a: string, b: string): string => (a > b ? a : b)

/** Asks the provider how the account is, and notes it. Answers the account as it is then. */
const refreshed = Effect.fnUntraced(function* (
  account: LinkedInAccount
): Effect.fn.Return<LinkedInAccount, Failure, PollNeeds> {
  const { find } = yield* ProviderAccounts
  if (find === undefined) return account
  const { id, organizationId } = account
  const found = yield* Effect.result(find(account.gatewayAccountId))
  if (found._tag === "Failure") {
    if (found.failure.code !== "NOT_FOUND") return yield* found.failure
    yield* runAsService(organizationId, receiveStatus(account, "DELETED"))
    return { ...account, status: "STOPPED" }
  }
  const facts = found.success
  const save = Effect.gen(function* () {
    const before = yield* (yield* AccountsRepo).saveFacts(organizationId, id, facts, yield* now)
    if (before === undefined || before.status === facts.status) return
    const data = { agent_id: account.agentId, from: before.status, to: facts.status }
    yield* emit({ type: "account.status_changed", subject: { type: "account", id }, data })
  })
  yield* runAsService(organizationId, save)
  return { ...account, ...facts }
})

/** People who are looked up in one reading, since each look-up counts as a view of a profile. */
const mostLookUps = 10

/** The message with every identifier that the provider knows of its sender; undefined where it knows no more. */
const withProfile = Effect.fnUntraced(function* (account: LinkedInAccount, message: ConversationMessage) {
  const { sender } = message
  if (sender === null || sender.identities.length === 0) return undefined
  const { resolveProfile } = yield* GatewayAdditions
  const found = yield* Effect.option(counted(account, "profile_view", resolveProfile(account, sender.identities)))
  if (found._tag === "None") return undefined
  const identities = [...sender.identities, ...found.value.identities]
  return { ...message, sender: { ...sender, identities, profileUrl: found.value.profileUrl ?? sender.profileUrl } }
})

const takeMessages = Effect.fnUntraced(function* (account: LinkedInAccount, since: string) {
  const { organizationId } = account
  const { isWhole, items } = yield* readMessages(account, { chatId: null, since }, mostPages)
  const stored = yield* (yield* InboxRepo).knownMessages(
    organizationId,
    items.flatMap(({ externalId, messageId }) => [messageId, ...(externalId === null ? [] : [externalId])])
  )
  const isKnown = (id: string | null) => id !== null && stored.has(id)
  const fresh = items.filter(({ externalId, messageId }) => !isKnown(messageId) && !isKnown(externalId))
  // What is older was read the last time, and whoever wrote it looked up.
  const unseen = later(account.createdAt, isoFromMillis(Date.parse(since) + messageDelay))
  let lookUps = 0
  for (const message of fresh.toSorted((a, b) => (a.at < b.at ? -1 : 1))) {
    const fate = yield* runAsService(organizationId, receiveMessage(account, message))
    const isNew = since === account.createdAt || message.at >= unseen
    if (fate !== "unrelated" || message.direction !== "inbound" || !isNew || lookUps >= mostLookUps) continue
    lookUps++
    const named = yield* withProfile(account, message)
    if (named !== undefined) yield* runAsService(organizationId, receiveMessage(account, named))
  }
  return isWhole
})

const takeRelations = Effect.fnUntraced(function* (account: LinkedInAccount, since: string) {
  const { isWhole, items } = yield* readRelations(account, since, mostPages)
  for (const { person } of items) yield* runAsService(account.organizationId, receiveRelation(account, person))
  return isWhole
})

/** A part of a reading; what goes wrong is logged, and the part is read again the next time. */
const part = <R>(name: string, account: LinkedInAccount, step: Effect.Effect<boolean, Failure, R>) =>
  Effect.catch(step, ({ code }) =>
    Effect.as(Effect.logInfo("an account could not be read", { account: account.id, part: name, code }), false)
  )

const poll = Effect.fnUntraced(function* (taken: InboxPoll): Effect.fn.Return<boolean, Failure, PollNeeds> {
  const at = yield* now
  const { messagesSince, relationsSince } = taken
  const account = yield* refreshed(taken.account)
  if (account.status !== "OK") return false
  const messages = yield* part("messages", account, takeMessages(account, messagesSince))
  const relations = yield* part("relations", account, takeRelations(account, relationsSince))
  yield* (yield* InboxRepo).savePoll(account.organizationId, account.id, {
    messagesSince: messages ? later(messagesSince, earlier(at, messageDelay)) : messagesSince,
    relationsSince: relations ? later(relationsSince, earlier(at, relationDelay)) : relationsSince
  })
  return messages && relations
})

/**
 * One round: reads the accounts that are due; answers how many were read as a whole. Fails with UNAVAILABLE when the store
 * cannot say which there are.
 */
export const pollInboxes = Effect.fnUntraced(function* (
  round: PollRound = {}
): Effect.fn.Return<number, Failure, PollNeeds> {
  const { isByHand = false, name } = yield* LinkedInGateway
  if (isByHand) return 0
  const { limit = 20, organizationId } = round
  const request = { organizationId, gateway: name, now: yield* now, pauseSeconds, limit }
  const due = yield* (yield* InboxRepo).takePolls(request)
  const read = yield* Effect.forEach(
    due,
    (taken) =>
      Effect.catch(poll(taken), ({ code }) =>
        Effect.as(Effect.logInfo("an account could not be read", { account: taken.account.id, code }), false)
      ),
    { concurrency: 2 }
  )
  return read.filter((isWhole) => isWhole).length
})
