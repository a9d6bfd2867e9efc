/** Looking into a conversation for a message that may have been sent. */
import * as Effect from "effect/Effect"
import type { LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import type { ProviderFailure } from "../failures.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { LinkedInGateway } from "../provider/LinkedInGateway.ts"
import type { ConversationMessage, MessagePage } from "../provider/ProviderReads.ts"
import { findSent, readFrom, type SoughtMessage } from "./findSent.ts"

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
