/** The kind `message`: approved drafts, one at a time to each person, and looking up those of unknown outcome. */

import * as Effect from "effect/Effect"
import { asService, runAsService } from "../kernel/background/Worker.ts"
import type { Failure } from "../kernel/failure/Failure.ts"
import { changedAt, type DraftId, now } from "../kernel/schema/IdsAndTime.ts"
import { apply, recordDelivery } from "./carryOut.ts"
import { claimSend, messagesOfOthers } from "./claimSend.ts"
import { DraftsRepo, type DraftView, holdDraft } from "./DraftsRepo.ts"
import { type DispatchNeeds, lost, type Precheck, type TransmissionKind } from "./dispatchKind.ts"
import { refusalOf } from "./eligibility.ts"
import { followProfile } from "./followProfile.ts"
import { applyRefusal, readFacts } from "./gate.ts"
import { acceptInvitation } from "./invitations/requestInvitation.ts"
import { lifeOf } from "./Life.ts"
import { accountIfAny, anyAccountOfAgent, LinkedInGateway, withTimeout } from "./provider/LinkedInGateway.ts"
import type { ConversationMessage } from "./provider/ProviderReads.ts"
import { recordSend } from "./recordOutcome.ts"
import { nextLookupAt, recheckRelationAt, relationDeadline, SendOptions } from "./SendOptions.ts"
import type { MessageClaim, SendOutcome } from "./startTransmission.ts"
import { type Due, TransmissionsRepo } from "./TransmissionsRepo.ts"
import { checkRelation, searchConversation, transmit } from "./transmit.ts"

const postpone = Effect.fnUntraced(function* ({ draftId, id }: Due) {
  const view = draftId === null ? undefined : yield* holdDraft(draftId)
  const item = view?.item
  if (view === undefined || item?.id !== id || item.state !== "waiting_relation") return
  const at = yield* now
  const notBefore = recheckRelationAt(at, item.createdAt, item.expiresAt ?? relationDeadline(at, yield* SendOptions))
  yield* apply(lifeOf(view), { _tag: "Postpone", notBefore }, at)
})

/** Looks at what is due before it is claimed. What must not be sent is left to the claim. */
const precheck = Effect.fnUntraced(function* (due: Due): Effect.fn.Return<Precheck, Failure, DispatchNeeds> {
  const { draftId, organizationId } = due
  const view = draftId === null ? undefined : yield* (yield* DraftsRepo).find(organizationId, draftId)
  if (view === undefined) return "claim"
  const { item } = view
  yield* followProfile(organizationId, view)
  if (item === null || item.state !== "waiting_relation") return "claim"
  const { agent, lead, row } = view
  const account = yield* asService(organizationId, accountIfAny(agent.id))
  if (account?.status !== "OK") return "claim"
  const gate = yield* asService(organizationId, readFacts(view, account, { at: null }))
  if (refusalOf({ ...gate, expiresAt: item.expiresAt }, yield* now) !== undefined) return "claim"
  const { relation } = yield* (yield* TransmissionsRepo).person(organizationId, account.id, lead.id)
  const invitedAt = item.invitedAt ?? relation?.invitedAt ?? null
  const recipient = { leadId: lead.id, identities: row.approved?.recipient ?? [], invitedAt }
  const look = yield* checkRelation({ account, recipient })
  if (look._tag === "Known" && look.relation.connected) return "connected"
  yield* runAsService(organizationId, postpone(due))
  return "ended"
})

/** Whether it is still due; without a lease, whether it is an approved draft without a queue item. */
const isDue = ({ item, row }: DraftView, due: Due | undefined, at: string): boolean => {
  if (row.status !== "READY_TO_SEND" || row.queueItemId !== (due?.id ?? null)) return false
  return item === null || (item.fence === due?.fence && item.notBefore !== null && item.notBefore <= at)
}

/** Claims a due message; one that must not be sent leaves the queue. */
export const claimMessage = Effect.fnUntraced(function* (draftId: DraftId, due: Due | undefined, isConnected: boolean) {
  const view = yield* holdDraft(draftId)
  const { item } = view
  if (!isDue(view, due, yield* now)) return undefined
  const lease = item === null ? {} : { fence: item.fence }
  const mode = { isFromCommand: false, invite: item?.invite ?? false, note: item?.invitationNote ?? null, ...lease }
  const claimed = yield* claimSend(view, view, mode)
  if (claimed._tag === "Claim") return claimed.claim
  if (claimed._tag === "No") yield* applyRefusal(lifeOf(view), claimed, yield* now)
  // A claim tells of the connection when its own lookup has found it.
  if (isConnected && claimed._tag === "Queued" && item !== null) {
    yield* acceptInvitation(item.organizationId, item.accountId, item.leadId, yield* now)
  }
  return undefined
})

/** It may have been sent: blocked until the conversation or a person settles it. */
const markLost = Effect.fnUntraced(function* ({ draftId, fence, id }: Due) {
  const view = draftId === null ? undefined : yield* holdDraft(draftId)
  if (view?.item?.id !== id || view.item.fence !== fence || view.item.state !== "sending") return
  yield* apply(lifeOf(view), { _tag: "Lose", detail: lost }, yield* now)
})

/** The item if it is still to be settled. */
const unknownItem = (view: DraftView | undefined, { id }: Due) =>
  view?.item?.id === id && view.item.state === "ambiguous" ? view.item : undefined

/** Reads the conversation for a message of unknown outcome; undefined when it is not there, or cannot be seen. */
const lookupMessage = Effect.fnUntraced(function* (due: Due) {
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
  const identities = view.row.approved?.recipient ?? []
  const recipient = { leadId: item.leadId, identities, invitedAt: relation?.invitedAt ?? null }
  const chatId = relation?.chatId ?? (yield* withTimeout(gateway.findChat(account, recipient)))
  if (chatId === null) return undefined
  const others = yield* messagesOfOthers(organizationId, item.leadId)
  return yield* searchConversation(account, chatId, { text: item.bodyText, startedAt: attempt.startedAt, others })
})

/**
 * Settles a message by the lookup; returns whether it was sent. If not found it stays unknown and is never resent; lookups
 * become less frequent, and after two weeks only a person can settle it.
 */
const settleMessage = Effect.fnUntraced(function* (due: Due, found: ConversationMessage | undefined) {
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

/** Messages as a {@link TransmissionKind}. */
export const messages: Required<TransmissionKind<MessageClaim, SendOutcome, ConversationMessage, DispatchNeeds>> = {
  name: "message",
  precheck,
  claim: (due, precheck) =>
    due.draftId === null ? Effect.undefined : claimMessage(due.draftId, due, precheck === "connected"),
  transmit,
  record: (claim, outcome) => Effect.map(recordSend(claim, outcome), ({ view }) => view.row.status === "DISPATCHED"),
  markLost,
  lookup: lookupMessage,
  settle: settleMessage
}
