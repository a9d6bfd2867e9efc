/**
 * Settling messages of unknown outcome by reading the conversation: what is found there was sent. What is not found stays
 * unknown, and is never sent again by itself; the looks get rarer, and after two weeks a person alone can tell.
 *
 * Source: contract 1.9 and 7 "Sending"; reliability research, threat 1 (e).
 */
import * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import { changedAt, now } from "../../Time.ts"
import {
  type ConversationMessage,
  GatewayAdditions,
  type MessagePage,
  type MessageQuery
} from "../bridge/GatewayAdditions.ts"
import { DraftsRepo } from "../DraftsRepo.ts"
import type { DraftView } from "../DraftView.ts"
import { type DueSend, QueueRepo } from "../QueueRepo.ts"
import { holdDraft } from "../readDraft.ts"
import { anyAccountOfAgent } from "../resolveAccount.ts"
import { lookForUnknownAt, SendOptions } from "../SendOptions.ts"
import { settleAttempts } from "../settleItem.ts"
import type { DispatchNeeds, DispatchRound } from "./dispatchDue.ts"
import { findSent, type Missing, readFrom } from "./findSent.ts"
import { keepLease } from "./keepLease.ts"
import { asService, runAsService } from "./SystemRun.ts"
import { recordSent } from "./sendOutcomes.ts"

/** What it takes. */
export type ReconcileNeeds = DispatchNeeds | GatewayAdditions

/** Pages of a conversation that are read for one message. */
const mostPages = 8

/** What of a message is remembered by its own draft is no proof of another's. */
const messagesOfOthers = Effect.fnUntraced(function* (organizationId: string, leadId: string) {
  const filter = { status: ["DISPATCHED"], leadId, mission: undefined, agent: undefined } as const
  const { items } = yield* (yield* DraftsRepo).list(organizationId, filter, { after: undefined, limit: 100 })
  return new Set(items.flatMap(({ row }) => (row.externalMessageId === null ? [] : [row.externalMessageId])))
})

/** The item that is still to be settled. */
const unknownItem = (view: DraftView | undefined, due: DueSend) => {
  const item = view?.item ?? null
  return item !== null && item.id === due.queueItemId && item.state === "ambiguous" ? item : undefined
}

const look = Effect.fnUntraced(function* (
  due: DueSend
): Effect.fn.Return<ConversationMessage | undefined, Failure, ReconcileNeeds> {
  const { draftId, organizationId } = due
  const queue = yield* QueueRepo
  const additions = yield* GatewayAdditions
  const view = yield* (yield* DraftsRepo).find(organizationId, draftId)
  const item = unknownItem(view, due)
  if (view === undefined || item === undefined) return undefined
  const account = yield* asService(organizationId, anyAccountOfAgent(view.agent.id))
  // Another account cannot see the conversation.
  if (account.id !== item.accountId || account.status !== "OK") return undefined
  const { attempts } = yield* queue.history(organizationId, draftId)
  const attempt = attempts.findLast(({ outcome, queueItemId }) => queueItemId === item.id && outcome === "unknown")
  if (attempt === undefined) return undefined
  const { identities, relation } = yield* queue.person(organizationId, account.id, item.leadId)
  const recipient = { leadId: item.leadId, identities, invitedAt: relation?.invitedAt ?? null }
  const chatId = relation?.chatId ?? (yield* additions.findChat(account, recipient))
  if (chatId === null) return undefined
  const others = yield* messagesOfOthers(organizationId, item.leadId)
  const missing: Missing = { text: item.bodyText, startedAt: attempt.startedAt, others }
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page++) {
    const query: MessageQuery = { chatId, since: readFrom(missing), cursor }
    const read: MessagePage = yield* additions.listMessages(account, query)
    const found = findSent(read.messages, missing)
    if (found !== undefined || read.next === null) return found
    cursor = read.next
  }
  return undefined
})

const settle = Effect.fnUntraced(function* (due: DueSend, found: ConversationMessage | undefined) {
  const view = yield* holdDraft(due.draftId)
  const item = unknownItem(view, due)
  if (item === undefined || item.fence !== due.fence) return false
  const queue = yield* QueueRepo
  const at = yield* now
  if (found === undefined) {
    yield* queue.save(due.organizationId, [{ ...item, notBefore: lookForUnknownAt(at, item.updatedAt) }])
    return false
  }
  const { externalId, messageId } = found
  const sent = { _tag: "Sent", messageId, externalId, relation: undefined } as const
  const next = yield* recordSent(view, item, sent, changedAt(item.updatedAt, at), found.at)
  yield* settleAttempts(item, "confirmed", at)
  yield* queue.save(due.organizationId, [next.item])
  yield* (yield* DraftsRepo).save(due.organizationId, [next.row])
  return true
})

const workOn = (due: DueSend): Effect.Effect<boolean, never, ReconcileNeeds> =>
  Effect.gen(function* () {
    const held = { organizationId: due.organizationId, itemId: due.queueItemId ?? "", fence: due.fence }
    const looked = yield* Effect.result(keepLease(held, look(due)))
    if (looked._tag === "Failure") {
      yield* Effect.logInfo("a conversation could not be read", { draft: due.draftId, code: looked.failure.code })
    }
    const found = looked._tag === "Success" ? looked.success : undefined
    return yield* runAsService(due.organizationId, settle(due, found))
  }).pipe(
    Effect.catch(({ code }) =>
      Effect.as(Effect.logWarning("a message could not be settled", { draft: due.draftId, code }), false)
    )
  )

/**
 * One round: looks for messages of unknown outcome whose time has come; answers how many were found to be sent. Fails with
 * UNAVAILABLE when the store cannot say which there are.
 */
export const reconcileUnknown = Effect.fnUntraced(function* (
  round: DispatchRound = {}
): Effect.fn.Return<number, Failure, ReconcileNeeds> {
  const { leaseSeconds } = yield* SendOptions
  const { concurrency = 2, limit = 20, organizationId } = round
  const found = yield* (yield* QueueRepo).takeUnknown({ organizationId, now: yield* now, leaseSeconds, limit })
  const settled = yield* Effect.forEach(found, workOn, { concurrency })
  return settled.filter((isSent) => isSent).length
})
