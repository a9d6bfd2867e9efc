/**
 * A message that somebody wrote on LinkedIn, told by the provider or found by reading.
 *
 * The same message may come any number of times, in any order with others. What of it depends on other messages is a
 * maximum, or is decided by the message and the item alone. Source: G11, G35; issue 4, inbound.
 */
import * as Effect from "effect/Effect"
import { emit } from "../../Execution.ts"
import type { Failure } from "../../Failure.ts"
import { applyOptOut, holdLead, recordOnce } from "../../leads/index.ts"
import { isoFromMillis, now } from "../../Time.ts"
import type { ConversationMessage } from "../bridge/GatewayAdditions.ts"
import { storable } from "../bridge/ProviderText.ts"
import { DraftsRepo } from "../DraftsRepo.ts"
import type { DraftView } from "../DraftView.ts"
import { cancelInvitationsOf } from "../invitations/cancelInvitations.ts"
import type { LinkedInAccount } from "../LinkedInAccount.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { withdrawDrafts } from "../withdrawDrafts.ts"
import type { InboundNeeds } from "./InboundNeeds.ts"
import { InboxRepo } from "./InboxRepo.ts"
import { leadOfPerson } from "./leadOfPerson.ts"
import { optOutIn } from "./optOut.ts"

/** What became of it: stored, known before, left to the message of ours that it may be, or from nobody we know. */
export type MessageFate = "recorded" | "known" | "ours" | "unrelated"

const longestContent = 20_000

/** How far the provider's instant of a message of ours may be from the one that we stored. */
const clockSkew = 600_000

/** An answer that was written up to this long before an approval was not known to whoever approved. */
const unseenMillis = 86_400_000

const shifted = (at: string, millis: number): string => isoFromMillis(Date.parse(at) + millis)

/** A text as it is compared: LinkedIn changes line ends and white space at the edges. */
const plain = (text: string): string => text.normalize("NFC").replaceAll(/\s+/g, " ").trim()

/** Whether it is a message that the queue sent: stored already, or on its way right now. */
const isOurs = Effect.fnUntraced(function* (organizationId: string, leadId: string, message: ConversationMessage) {
  const inbox = yield* InboxRepo
  const text = plain(message.text ?? "")
  const open = yield* (yield* DraftsRepo).holdOpen(organizationId, { leadId })
  const flying = open.some(
    ({ item }) => (item?.state === "sending" || item?.state === "ambiguous") && plain(item.bodyText) === text
  )
  if (flying) return true
  const around = [shifted(message.at, -clockSkew), shifted(message.at, clockSkew)] as const
  const sent = yield* inbox.sentBetween(organizationId, leadId, ...around)
  const same = sent.filter(({ content }) => plain(content) === text)
  const nameless = same.find(({ externalId }) => externalId === null) ?? same[0]
  if (nameless?.externalId === null) yield* inbox.nameMessage(organizationId, nameless.id, message.messageId)
  return nameless !== undefined
})

/** Whether an answer of this instant is news to whoever approved the draft. */
const isNewsTo = ({ item, row }: DraftView, at: string): boolean => {
  const decidedAt = item?.createdAt ?? row.approvedAt
  return row.status === "READY_TO_SEND" && decidedAt !== null && at >= shifted(decidedAt, -unseenMillis)
}

/** What waits to be sent to a lead who wrote goes back to a person, who may want to say something else now. */
const holdBack = Effect.fnUntraced(function* (organizationId: string, leadId: string, at: string) {
  const open = yield* (yield* DraftsRepo).holdOpen(organizationId, { leadId })
  const waiting = open.filter((view) => isNewsTo(view, at))
  yield* withdrawDrafts(organizationId, waiting, "review", "lead_replied")
  yield* cancelInvitationsOf(organizationId, leadId, "lead_replied")
})

const keepChat = Effect.fnUntraced(function* (account: LinkedInAccount, leadId: string, chatId: string) {
  const { id: accountId, organizationId } = account
  const queue = yield* QueueRepo
  const { relation } = yield* queue.person(organizationId, accountId, leadId)
  if (relation !== undefined && relation.chatId !== null) return
  const checkedAt = yield* now
  const unknown = { connected: false, invitedAt: null, checkedAt }
  yield* queue.saveRelation({ ...unknown, ...relation, organizationId, accountId, leadId, chatId })
})

/** Takes in a message of an account's conversation, in the transaction that runs. Fails with UNAVAILABLE. */
export const receiveMessage = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  message: ConversationMessage
): Effect.fn.Return<MessageFate, Failure, InboundNeeds> {
  const { organizationId } = account
  const { chatId, direction, messageId, sender } = message
  const inbox = yield* InboxRepo
  const ids = [messageId, ...(message.externalId === null ? [] : [message.externalId])]
  const inChat = yield* inbox.leadOfChat(organizationId, account.id, chatId)
  const person = direction === "inbound" && inChat === undefined ? sender : null
  const found = inChat ?? (person === null ? undefined : (yield* leadOfPerson(person))?.row.id)
  if (found === undefined) return "unrelated"
  const { row } = yield* holdLead(found)
  const leadId = row.id
  // Looked up after the lead is held, so that nobody stores it meanwhile.
  if ((yield* inbox.knownMessages(organizationId, ids)).size > 0) return "known"
  if (direction === "outbound" && (yield* isOurs(organizationId, leadId, message))) return "ours"
  const content = storable(message.text ?? "", longestContent)
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
  yield* keepChat(account, leadId, chatId)
  if (direction === "outbound") {
    const data = { message_id: id, channel: "LINKEDIN", agent_id: account.agentId, is_first: isFirst }
    yield* emit({ type: "message.sent", subject: { type: "lead", id: leadId }, data })
    return "recorded"
  }
  const words = optOutIn(content)
  if (words !== undefined) yield* applyOptOut(leadId, `opt-out: ${words}`)
  yield* holdBack(organizationId, leadId, message.at)
  return "recorded"
})
