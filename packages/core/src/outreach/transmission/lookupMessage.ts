/** Settling a message of unknown outcome by reading the conversation. */

import * as Effect from "effect/Effect"
import { asService } from "../../kernel/background/ServiceRun.ts"
import { changedAt, type LeadId, now, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import type { DraftView } from "../drafts/DraftView.ts"
import { holdDraft } from "../drafts/readDraft.ts"
import type { ProviderFailure } from "../failures.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { LinkedInGateway } from "../provider/LinkedInGateway.ts"
import type { ConversationMessage, MessagePage } from "../provider/ProviderReads.ts"
import { anyAccountOfAgent } from "../provider/resolveAccount.ts"
import { apply } from "./carryOut.ts"
import { findSent, readFrom, type SoughtMessage } from "./findSent.ts"
import { lifeOf } from "./Life.ts"
import { recordDelivery } from "./recordOutcome.ts"
import { nextLookupAt } from "./SendOptions.ts"
import { type Due, TransmissionsRepo } from "./TransmissionsRepo.ts"

/** Pages of a conversation that are read for one message. */
const maxPages = 8

/** The messages that other drafts to the lead are known to be: no proof of this one. */
export const messagesOfOthers = Effect.fnUntraced(function* (organizationId: OrganizationId, leadId: LeadId) {
  const filter = { status: ["DISPATCHED"], leadId, mission: undefined, agent: undefined } as const
  const { items } = yield* (yield* DraftsRepo).list(organizationId, filter, { after: undefined, limit: 100 })
  return new Set(items.flatMap(({ row }) => (row.externalMessageId === null ? [] : [row.externalMessageId])))
})

/** Reads the conversation for a message; undefined when it is not there. Fails as asking the provider does. */
export const searchConversation = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  chatId: string,
  sought: SoughtMessage
): Effect.fn.Return<ConversationMessage | undefined, ProviderFailure, LinkedInGateway> {
  const gateway = yield* LinkedInGateway
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const read: MessagePage = yield* gateway.listMessages(account, { chatId, since: readFrom(sought), cursor })
    const found = findSent(read.messages, sought)
    if (found !== undefined || read.next === null) return found
    cursor = read.next
  }
  return undefined
})

/** The item if it is still to be settled. */
const unknownItem = (view: DraftView | undefined, { id }: Due) =>
  view?.item?.id === id && view.item.state === "ambiguous" ? view.item : undefined

/** Reads the conversation for a message of unknown outcome; undefined when it is not there, or cannot be seen. */
export const lookupMessage = Effect.fnUntraced(function* (due: Due) {
  const { draftId, organizationId } = due
  if (draftId === null) return undefined
  const queue = yield* TransmissionsRepo
  const gateway = yield* LinkedInGateway
  const view = yield* (yield* DraftsRepo).find(organizationId, draftId)
  const item = unknownItem(view, due)
  if (view === undefined || item === undefined) return undefined
  const account = yield* asService(organizationId, anyAccountOfAgent(view.agent.id))
  // Another account cannot see the conversation.
  if (account.id !== item.accountId || account.status !== "OK") return undefined
  const attempts = yield* queue.attemptsOf(organizationId, item.id)
  const attempt = attempts.findLast(({ outcome }) => outcome === "unknown")
  if (attempt === undefined) return undefined
  const { relation } = yield* queue.person(organizationId, account.id, item.leadId)
  const recipient = { leadId: item.leadId, identities: view.row.recipient, invitedAt: relation?.invitedAt ?? null }
  const chatId = relation?.chatId ?? (yield* gateway.findChat(account, recipient))
  if (chatId === null) return undefined
  const others = yield* messagesOfOthers(organizationId, item.leadId)
  return yield* searchConversation(account, chatId, { text: item.bodyText, startedAt: attempt.startedAt, others })
})

/**
 * Settles a message by the lookup; returns whether it was sent. If not found it stays unknown and is never resent; lookups
 * become less frequent, and after two weeks only a person can settle it.
 */
export const settleMessage = Effect.fnUntraced(function* (due: Due, found: ConversationMessage | undefined) {
  const view = due.draftId === null ? undefined : yield* holdDraft(due.draftId)
  const item = unknownItem(view, due)
  if (view === undefined || item === undefined || item.fence !== due.fence) return false
  const at = yield* now
  if (found === undefined) {
    yield* apply(lifeOf(view), { _tag: "Postpone", notBefore: nextLookupAt(at, item.updatedAt) }, at)
    return false
  }
  const sent = yield* recordDelivery(view, found.externalId ?? found.messageId, found.at)
  yield* apply(lifeOf(view), { _tag: "Settle", sent, reason: "not_sent" }, changedAt(item.updatedAt, at))
  return true
})
