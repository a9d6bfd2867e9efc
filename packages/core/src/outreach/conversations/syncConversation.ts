/** Reading the conversation with one lead from LinkedIn. */

import * as Effect from "effect/Effect"
import { Actor, Execution, warn } from "../../kernel/command/Execution.ts"
import { type LeadId, now } from "../../kernel/schema/IdsAndTime.ts"
import { findLead, holdLead } from "../../leads/findLead.ts"
import { beginUse, endUse } from "../accountUse.ts"
import { chooseAgent } from "../createDraft.ts"
import { acceptInvitation } from "../invitations/requestInvitation.ts"
import { AccountsRepo } from "../provider/AccountsRepo.ts"
import type { LeadRelation, LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { accountOfAgent } from "../provider/LinkedInGateway.ts"
import type { ConversationMessage, Recipient, Relation } from "../provider/ProviderReads.ts"
import { changeRelation, TransmissionsRepo } from "../TransmissionsRepo.ts"
import { checkRelation } from "../transmit.ts"
import { readMessages, relationFailure } from "./pollInboxes.ts"
import { newMessages, receiveMessage } from "./receiveAccount.ts"

const maxPages = 8
const maxNewMessages = 200
const earliestDate = "2003-05-05T00:00:00.000Z"

/** The account and the person as the store knows them. */
const recipientOf = Effect.fnUntraced(function* (account: LinkedInAccount, leadId: LeadId) {
  const queue = yield* TransmissionsRepo
  const { identities, relation } = yield* queue.person(account.organizationId, account.id, leadId)
  const recipient: Recipient = { leadId, identities, invitedAt: relation?.invitedAt ?? null }
  return { recipient, relation }
})

const store = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  { leadId }: Recipient,
  looked: LeadRelation | undefined,
  { chatId, connected }: Relation,
  messages: ReadonlyArray<ConversationMessage>
) {
  const { id: accountId, organizationId } = account
  const checkedAt = yield* now
  yield* holdLead(leadId)
  // A relation refers to its account, which a gateway may bring along without storing it.
  yield* (yield* AccountsRepo).ensure(account)
  yield* changeRelation({ organizationId, accountId, leadId }, checkedAt, (known) => {
    // Invitations and events of the provider may have stored more while it was asked.
    const newer = known?.checkedAt === looked?.checkedAt ? undefined : known
    return { connected: connected || newer?.connected === true, chatId: chatId ?? newer?.chatId ?? null }
  })
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
export const syncConversation = Effect.fnUntraced(function* (leadReference: string, agentHandle: string | undefined) {
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
    yield* warn("not_asked: LinkedIn was not contacted; this is the stored relation.")
    const { chatId = null, connected = false } = known.relation ?? {}
    const invitation = recipient.invitedAt === null || connected ? ("none" as const) : ("pending" as const)
    return yield* execution.finish(Effect.succeed({ relation: { connected, chatId, invitation }, added: 0 }))
  }
  const use = yield* execution.commit(beginUse(account, "profile_view"))
  const look = yield* checkRelation({ account, recipient })
  yield* execution.commit(endUse(use, look._tag === "Known" ? "confirmed" : "unavailable"))
  if (look._tag !== "Known") return yield* relationFailure(look, account)
  const { relation } = look
  const { chatId } = relation
  const reading =
    chatId === null
      ? { items: [], isComplete: true }
      : yield* readMessages(account, { chatId, since: earliestDate }, maxPages)
  const fresh = yield* newMessages(organizationId, reading.items)
  if (!reading.isComplete || fresh.length > maxNewMessages) {
    yield* warn(`partial: only the latest ${maxNewMessages} new messages are stored. Run again for more.`)
  }
  return yield* execution.finish(
    Effect.map(store(account, recipient, known.relation, relation, fresh.slice(-maxNewMessages)), (added) => ({
      relation,
      added
    }))
  )
})
