/**
 * Polling conversations: finds what webhooks did not deliver, or delivered too early.
 *
 * Each poll starts somewhat before the start of the previous one, as providers learn of things late; known messages change
 * nothing. A failed poll is repeated from the same point.
 */

import * as Effect from "effect/Effect"
import { runAsService } from "../../kernel/background/ServiceRun.ts"
import { emit } from "../../kernel/command/Execution.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import type { IdempotencyInProgress, StoreFailure, VersionConflict } from "../../kernel/failure/failures.ts"
import { isoFromMillis, now, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import {
  type AccountDisconnected,
  GatewayError,
  GatewayRejected,
  type ProviderFailure,
  UsageLimit
} from "../failures.ts"
import { AccountsRepo, type InboxPoll } from "../provider/AccountsRepo.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { LinkedInGateway } from "../provider/LinkedInGateway.ts"
import { withTimeout } from "../provider/ProviderAccounts.ts"
import type {
  ConversationMessage,
  MessagePage,
  MessageQuery,
  NewRelation,
  RelationPage
} from "../provider/ProviderReads.ts"
import { accountDisconnected } from "../provider/resolveAccount.ts"
import type { Refused, Unavailable } from "../provider/SendResult.ts"
import { counted } from "../transmission/accountUse.ts"
import type { ReceiverNeeds } from "./InboundReceiver.ts"
import { receiveMessage, receiveRelation, receiveStatus } from "./receiveAccount.ts"

const pageSeconds = 20

const late = (): GatewayError =>
  new GatewayError({ message: `The provider did not respond within ${pageSeconds} s. Retry later.` })

/** Turns a timeout or a defect of the gateway into GATEWAY_ERROR. */
const asProvider = <A, R>(effect: Effect.Effect<A, ProviderFailure, R>): Effect.Effect<A, ProviderFailure, R> =>
  Effect.catchCause(withTimeout(effect, pageSeconds, late), (cause) => {
    const failure = cause.reasons.find((reason) => reason._tag === "Fail")
    if (failure?._tag === "Fail") return Effect.fail(failure.error)
    return Effect.andThen(
      Effect.logError("LinkedIn gateway failed unexpectedly", cause),
      Effect.fail(new GatewayError({ message: "The gateway failed unexpectedly. Retry later." }))
    )
  })

/** The items read, and whether these are all. */
interface ReadResult<A> {
  readonly items: ReadonlyArray<A>
  readonly isComplete: boolean
}

const pages = <A, R>(
  read: (
    cursor: string | null
  ) => Effect.Effect<{ readonly items: ReadonlyArray<A>; readonly next: string | null }, ProviderFailure, R>,
  most: number
) =>
  Effect.gen(function* (): Effect.fn.Return<ReadResult<A>, ProviderFailure, R> {
    const items: Array<A> = []
    let cursor: string | null = null
    for (let page = 0; page < most; page++) {
      const found: { readonly items: ReadonlyArray<A>; readonly next: string | null } = yield* asProvider(read(cursor))
      items.push(...found.items)
      if (found.next === null || found.next === cursor) return { items, isComplete: true }
      cursor = found.next
    }
    return { items, isComplete: false }
  })

/** Messages of one conversation or all, since a point in time. Fails like a read of the provider. */
export const readMessages = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  query: Omit<MessageQuery, "cursor">,
  maxPages: number
): Effect.fn.Return<ReadResult<ConversationMessage>, ProviderFailure, LinkedInGateway> {
  const { listMessages } = yield* LinkedInGateway
  return yield* pages(
    (cursor) =>
      Effect.map(listMessages(account, { ...query, cursor }), ({ messages, next }: MessagePage) => ({
        items: messages,
        next
      })),
    maxPages
  )
})

/** Relations made since a point in time. Fails like a read of the provider. */
const readRelations = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  since: string,
  maxPages: number
): Effect.fn.Return<ReadResult<NewRelation>, ProviderFailure, LinkedInGateway> {
  const { listRelations } = yield* LinkedInGateway
  return yield* pages(
    (cursor) =>
      Effect.map(listRelations(account, { since, cursor }), ({ next, relations }: RelationPage) => ({
        items: relations,
        next
      })),
    maxPages
  )
})

/** The failure when the relation cannot be read. */
export const relationFailure = (
  answer: Refused | Unavailable,
  account: LinkedInAccount
): AccountDisconnected | GatewayError | GatewayRejected | UsageLimit => {
  if (answer._tag === "Unavailable") return new GatewayError({ message: `${answer.detail} Retry later.` })
  const code = answer.providerCode.slice(0, 100)
  switch (answer.kind) {
    case "account_down":
    case "account_restricted":
      return accountDisconnected({
        ...account,
        status: answer.kind === "account_restricted" ? "RESTRICTED" : "CREDENTIALS"
      })
    case "limit":
      return new UsageLimit({ message: `LinkedIn's limit is reached (provider=${code}). Retry tomorrow.` })
    case "transient":
      return new GatewayError({ message: `The provider is unavailable (provider=${code}). Retry later.` })
    default:
      return new GatewayRejected({
        message: `The LinkedIn provider refused the request (${answer.kind}, provider=${code}). Check the person's LinkedIn URL.`
      })
  }
}

export type PollNeeds = ReceiverNeeds | LinkedInGateway

/** A round, for one organization or all. `limit` is the maximum number of accounts. */
interface PollRound {
  readonly organizationId?: OrganizationId
  readonly limit?: number
}

/** Seconds between two polls of an account. */
const pauseSeconds = 600

/** How late a provider may learn of a message, and of a relation (whose webhooks come up to 8 h late). */
const messageDelay = 3_600_000

const relationDelay = 86_400_000

const maxPages = 40

const earlier = (at: string, millis: number): string => isoFromMillis(Date.parse(at) - millis)

const later = (a: string, b: string): string => (a > b ? a : b)

/** Reads the account from the provider, stores changes and returns it. */
const refreshAccount = Effect.fnUntraced(function* (
  account: LinkedInAccount
): Effect.fn.Return<LinkedInAccount, ProviderFailure | IdempotencyInProgress | VersionConflict, PollNeeds> {
  const { find } = (yield* LinkedInGateway).accounts
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

/** Maximum number of people looked up per poll, since each look-up counts as a profile view. */
const maxLookups = 10

/** The message with all identifiers of its sender; undefined when the provider knows no more. */
const withProfile = Effect.fnUntraced(function* (account: LinkedInAccount, message: ConversationMessage) {
  const { sender } = message
  if (sender === null || sender.identities.length === 0) return undefined
  const { resolveProfile } = yield* LinkedInGateway
  const found = yield* Effect.option(counted(account, "profile_view", resolveProfile(account, sender.identities)))
  if (found._tag === "None") return undefined
  const identities = [...sender.identities, ...found.value.identities]
  return { ...message, sender: { ...sender, identities, profileUrl: found.value.profileUrl ?? sender.profileUrl } }
})

const takeMessages = Effect.fnUntraced(function* (account: LinkedInAccount, since: string) {
  const { organizationId } = account
  const { isComplete, items } = yield* readMessages(account, { chatId: null, since }, maxPages)
  const stored = yield* (yield* AccountsRepo).knownMessages(
    organizationId,
    items.flatMap(({ externalId, messageId }) => [messageId, ...(externalId === null ? [] : [externalId])])
  )
  const isKnown = (id: string | null) => id !== null && stored.has(id)
  const fresh = items.filter(({ externalId, messageId }) => !isKnown(messageId) && !isKnown(externalId))
  // Senders of older messages were looked up by the previous poll.
  const unseen = later(account.createdAt, isoFromMillis(Date.parse(since) + messageDelay))
  let lookups = 0
  for (const message of fresh.toSorted((a, b) => (a.at < b.at ? -1 : 1))) {
    const result = yield* runAsService(organizationId, receiveMessage(account, message))
    const isNew = since === account.createdAt || message.at >= unseen
    if (result !== "unrelated" || message.direction !== "inbound" || !isNew || lookups >= maxLookups) continue
    lookups++
    const named = yield* withProfile(account, message)
    if (named !== undefined) yield* runAsService(organizationId, receiveMessage(account, named))
  }
  return isComplete
})

const takeRelations = Effect.fnUntraced(function* (account: LinkedInAccount, since: string) {
  const { isComplete, items } = yield* readRelations(account, since, maxPages)
  for (const { person } of items) yield* runAsService(account.organizationId, receiveRelation(account, person))
  return isComplete
})

/** A part of a poll; a failure is logged, and the part is read again next time. */
const part = <R>(name: string, account: LinkedInAccount, step: Effect.Effect<boolean, Failure, R>) =>
  Effect.catch(step, ({ code }) =>
    Effect.as(Effect.logInfo("Polling an account failed", { account: account.id, part: name, code }), false)
  )

const poll = Effect.fnUntraced(function* (
  taken: InboxPoll
): Effect.fn.Return<boolean, ProviderFailure | IdempotencyInProgress | VersionConflict, PollNeeds> {
  const at = yield* now
  const { messagesSince, relationsSince } = taken
  const account = yield* refreshAccount(taken.account)
  if (account.status !== "OK") return false
  const messages = yield* part("messages", account, takeMessages(account, messagesSince))
  const relations = yield* part("relations", account, takeRelations(account, relationsSince))
  yield* (yield* AccountsRepo).savePoll(account.organizationId, account.id, {
    messagesSince: messages ? later(messagesSince, earlier(at, messageDelay)) : messagesSince,
    relationsSince: relations ? later(relationsSince, earlier(at, relationDelay)) : relationsSince
  })
  return messages && relations
})

/** Polls the accounts that are due; returns how many were read completely. Fails with UNAVAILABLE when the store is unreachable. */
export const pollInboxes = Effect.fnUntraced(function* (
  round: PollRound = {}
): Effect.fn.Return<number, StoreFailure, PollNeeds> {
  const { isManual = false, name } = yield* LinkedInGateway
  if (isManual) return 0
  const { limit = 20, organizationId } = round
  const request = { organizationId, gateway: name, now: yield* now, pauseSeconds, limit }
  const due = yield* (yield* AccountsRepo).takePolls(request)
  const read = yield* Effect.forEach(
    due,
    (taken) =>
      Effect.catch(poll(taken), ({ code }) =>
        Effect.as(Effect.logInfo("Polling an account failed", { account: taken.account.id, code }), false)
      ),
    { concurrency: 2 }
  )
  return read.filter((isComplete) => isComplete).length
})
