/**
 * Polling conversations: finds what webhooks did not deliver, or delivered too early.
 *
 * Each poll starts somewhat before the start of the previous one, as providers learn of things late; known messages change
 * nothing. A failed poll is repeated from the same point.
 */

import * as Effect from "effect/Effect"
import { eachDue, type Round, runAsService } from "../../kernel/background/Worker.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { isoFromMillis, now } from "../../kernel/schema/IdsAndTime.ts"
import { counted } from "../accountUse.ts"
import { GatewayError, GatewayRejected, type ProviderFailure, UsageLimit } from "../failures.ts"
import { AccountsRepo, type InboxPoll } from "../provider/AccountsRepo.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { accountDisconnected, LinkedInGateway, statusOfRefusal, withTimeout } from "../provider/LinkedInGateway.ts"
import type * as Provider from "../provider/ProviderReads.ts"
import { announceAccount, newMessages, receiveMessage, receiveRelation, receiveStatus } from "./receiveAccount.ts"

const pageSeconds = 20

/** Turns a timeout or a defect of the gateway into GATEWAY_ERROR. */
const asProvider = <A>(effect: Effect.Effect<A, ProviderFailure>): Effect.Effect<A, ProviderFailure> =>
  Effect.catchDefect(withTimeout(effect, pageSeconds), (defect) =>
    Effect.andThen(
      Effect.logError("LinkedIn gateway failed unexpectedly", defect),
      Effect.fail(new GatewayError({ message: "The gateway failed unexpectedly. Retry later." }))
    )
  )

interface ProviderPage<A> {
  readonly items: ReadonlyArray<A>
  readonly next: string | null
}

/** The items of up to `most` pages, and whether these are all. */
const readPages = Effect.fnUntraced(function* <A>(
  most: number,
  read: (cursor: string | null) => Effect.Effect<ProviderPage<A>, ProviderFailure>
) {
  const items: Array<A> = []
  let cursor: string | null = null
  for (let page = 0; page < most; page++) {
    const found: ProviderPage<A> = yield* asProvider(read(cursor))
    items.push(...found.items)
    if (found.next === null || found.next === cursor) return { items, isComplete: true }
    cursor = found.next
  }
  return { items, isComplete: false }
})

/** Messages of one conversation or all, since a point in time. Fails like a read of the provider. */
export const readMessages = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  query: Omit<Provider.MessageQuery, "cursor">,
  most: number
) {
  const { listMessages } = yield* LinkedInGateway
  return yield* readPages(most, (cursor) =>
    Effect.map(listMessages(account, { ...query, cursor }), ({ messages, next }) => ({ items: messages, next }))
  )
})

/** The failure when the relation cannot be read. */
export const relationFailure = (answer: Provider.Refused | Provider.Unavailable, account: LinkedInAccount) => {
  if (answer._tag === "Unavailable") return new GatewayError({ message: `${answer.detail} Retry later.` })
  const code = answer.providerCode.slice(0, 100)
  switch (answer.kind) {
    case "account_down":
    case "account_restricted":
      return accountDisconnected({ ...account, status: statusOfRefusal(answer.kind) })
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

export type PollNeeds = Effect.Services<ReturnType<typeof pollInboxes>>

/** Seconds between two polls of an account. */
const pauseSeconds = 600

/** How late a provider may learn of a message, and of a relation (whose webhooks come up to 8 h late). */
const messageDelay = 3_600_000

const relationDelay = 86_400_000

const maxPages = 40

const earlier = (at: string, millis: number): string => isoFromMillis(Date.parse(at) - millis)

const later = (a: string, b: string): string => (a > b ? a : b)

/** Reads the account from the provider, stores changes and returns it. */
const refreshAccount = Effect.fnUntraced(function* (account: LinkedInAccount) {
  const { find } = (yield* LinkedInGateway).accounts
  if (find === undefined) return account
  const { gatewayAccountId, id, organizationId } = account
  const facts = yield* Effect.catchTag(find(gatewayAccountId), "NotFound", () => Effect.succeed(undefined))
  if (facts === undefined) {
    yield* runAsService(organizationId, receiveStatus(account, "DELETED"))
    return { ...account, status: "STOPPED" as const }
  }
  const save = Effect.gen(function* () {
    const before = yield* (yield* AccountsRepo).saveFacts(organizationId, id, facts, yield* now)
    if (before === undefined || before.status === facts.status) return
    yield* announceAccount(account, before.status, facts.status)
  })
  yield* runAsService(organizationId, save)
  return { ...account, ...facts }
})

/** Maximum number of people looked up per poll, since each look-up counts as a profile view. */
const maxLookups = 10

/** The message with all identifiers of its sender; undefined when the provider knows no more. */
const withProfile = Effect.fnUntraced(function* (account: LinkedInAccount, message: Provider.ConversationMessage) {
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
  // Senders of older messages were looked up by the previous poll.
  const unseen = later(account.createdAt, isoFromMillis(Date.parse(since) + messageDelay))
  let lookups = 0
  for (const message of yield* newMessages(organizationId, items)) {
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
  const { listRelations } = yield* LinkedInGateway
  const { isComplete, items } = yield* readPages(maxPages, (cursor) =>
    Effect.map(listRelations(account, { since, cursor }), ({ next, relations }) => ({ items: relations, next }))
  )
  for (const { person } of items) yield* runAsService(account.organizationId, receiveRelation(account, person))
  return isComplete
})

/** A part of a poll; a failure is logged, and the part is read again next time. */
const part = <R>(name: string, account: LinkedInAccount, step: Effect.Effect<boolean, Failure, R>) =>
  Effect.catch(step, ({ code }) =>
    Effect.as(Effect.logInfo("Polling an account failed", { account: account.id, part: name, code }), false)
  )

const poll = Effect.fnUntraced(function* ({ account: known, messagesSince, relationsSince }: InboxPoll) {
  const at = yield* now
  const account = yield* refreshAccount(known)
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
export const pollInboxes = Effect.fnUntraced(function* (round: Round = {}) {
  const { isManual = false, name: gateway } = yield* LinkedInGateway
  if (isManual) return 0
  let complete = 0
  yield* eachDue(
    "inboxes",
    { concurrency: 2, limit: 20, ...round, recheckSeconds: pauseSeconds },
    Effect.fnUntraced(function* (organizationId, share) {
      const request = { organizationId, gateway, now: yield* now, pauseSeconds, limit: share.limit }
      const due = yield* (yield* AccountsRepo).takePolls(request)
      const read = yield* Effect.forEach(due, (taken) => part("account", taken.account, poll(taken)), share)
      complete += read.filter((isComplete) => isComplete).length
      return due.length
    })
  )
  return complete
})
