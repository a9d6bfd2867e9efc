/** Reading the conversation with one lead from LinkedIn. Source: catalogue 4.1 linkedin.conversation.sync. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import type { AgentsRepo } from "../agents/AgentsRepo.ts"
import { Execution, warn } from "../Execution.ts"
import type { Failure } from "../Failure.ts"
import { findLead, holdLead } from "../leads/index.ts"
import { now } from "../Time.ts"
import { AccountsRepo } from "./AccountsRepo.ts"
import type { ConversationMessage, GatewayAdditions } from "./bridge/GatewayAdditions.ts"
import { chooseAgent } from "./createDraft.ts"
import type { InboundNeeds } from "./inbound/InboundNeeds.ts"
import { InboxRepo } from "./inbound/InboxRepo.ts"
import { readMessages, relationFailure } from "./inbound/readInbox.ts"
import { receiveMessage } from "./inbound/receiveMessage.ts"
import { acceptInvitation } from "./invitations/acceptInvitation.ts"
import type { LinkedInAccount } from "./LinkedInAccount.ts"
import type { LinkedInGateway, Recipient, Relation } from "./LinkedInGateway.ts"
import { beginUse, endUse } from "./pacing/countUse.ts"
import { QueueRepo } from "./QueueRepo.ts"
import { accountOfAgent } from "./resolveAccount.ts"
import { lookAtRelation } from "./sending/transmit.ts"

/** What it takes. */
export type SyncNeeds = AgentsRepo | GatewayAdditions | InboundNeeds | LinkedInGateway

/** What the look at LinkedIn came to. */
export interface Synced {
  readonly relation: Relation
  readonly added: number
}

const mostPages = 8
const mostNew = 200
const everSince = "2003-05-05T00:00:00.000Z"

/** The account and the person as the store knows them. */
export const recipientOf = Effect.fnUntraced(function* (account: LinkedInAccount, leadId: string) {
  const queue = yield* QueueRepo
  const { identities, relation } = yield* queue.person(account.organizationId, account.id, leadId)
  const recipient: Recipient = { leadId, identities, invitedAt: relation?.invitedAt ?? null }
  return { recipient, relation }
})

const store = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  recipient: Recipient,
  relation: Relation,
  messages: ReadonlyArray<ConversationMessage>
): Effect.fn.Return<number, Failure, InboundNeeds> {
  const { id: accountId, organizationId } = account
  const { invitedAt, leadId } = recipient
  const { chatId, connected } = relation
  const checkedAt = yield* now
  yield* holdLead(leadId)
  // A relation refers to its account, which a gateway may bring along without storing it.
  yield* (yield* AccountsRepo).ensure(account)
  yield* (yield* QueueRepo).saveRelation({ organizationId, accountId, leadId, connected, chatId, invitedAt, checkedAt })
  if (connected) yield* acceptInvitation(organizationId, accountId, leadId, checkedAt)
  let added = 0
  for (const message of messages) {
    if ((yield* receiveMessage(account, message)) === "recorded") added++
  }
  return added
})

/**
 * Looks how the account of an agent and a lead stand, reads their conversation, and stores what is new of it. Outward:
 * fails with NOT_FOUND, INVALID_INPUT (no agent can be told), NO_LINKEDIN_ACCOUNT, ACCOUNT_DISCONNECTED, and as a read of
 * the provider does; nothing is stored then.
 */
export const syncConversation = Effect.fnUntraced(function* (
  leadReference: string,
  agentHandle: string | undefined
): Effect.fn.Return<Synced, Failure, SyncNeeds> {
  const { organizationId } = yield* Actor
  const execution = yield* Execution
  const { account, known } = yield* execution.commit(
    Effect.gen(function* () {
      const { id: leadId } = yield* findLead({ lead_id: leadReference })
      const agent = yield* chooseAgent(agentHandle, undefined)
      const account = yield* accountOfAgent(agent.id)
      return { account, known: yield* recipientOf(account, leadId) }
    })
  )
  const { recipient } = known
  if (execution.dryRun) {
    yield* warn("not_asked: LinkedIn was not asked, so the answer is what is known of it.")
    const { chatId = null, connected = false } = known.relation ?? {}
    const invitation = recipient.invitedAt === null || connected ? ("none" as const) : ("pending" as const)
    return yield* execution.finish(Effect.succeed({ relation: { connected, chatId, invitation }, added: 0 }))
  }
  const use = yield* execution.commit(beginUse(account, "profile_view"))
  const look = yield* lookAtRelation({ account, recipient })
  yield* execution.commit(endUse(use, look._tag === "Known" ? "confirmed" : "unavailable"))
  if (look._tag !== "Known") return yield* relationFailure(look, account)
  const { relation } = look
  const { chatId } = relation
  const reading =
    chatId === null
      ? { items: [], isWhole: true }
      : yield* readMessages(account, { chatId, since: everSince }, mostPages)
  const ids = reading.items.flatMap(({ externalId, messageId }) => [
    messageId,
    ...(externalId === null ? [] : [externalId])
  ])
  const stored = yield* (yield* InboxRepo).knownMessages(organizationId, ids)
  const fresh = reading.items
    .filter(({ externalId, messageId }) => !stored.has(messageId) && (externalId === null || !stored.has(externalId)))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
  if (!reading.isWhole || fresh.length > mostNew) {
    yield* warn(`partial: only the latest ${mostNew} messages that were new are stored. Run it again for more.`)
  }
  return yield* execution.finish(
    Effect.map(store(account, recipient, relation, fresh.slice(-mostNew)), (added) => ({ relation, added }))
  )
})
