/** Polling messages and relations, in case a webhook was lost. */

import { isoFromMillis } from "@svc/core"
import { ProviderId, providerInstant, rowsOf, soft, softTexts, storable } from "@svc/core/internal"
import type { ConversationMessage, Gateway } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { failureOf, List, nextOf, type UnipileClient } from "./UnipileClient.ts"
import { personOf } from "./UnipileProfile.ts"

/** How much text of a message is kept, in UTF-16 units. */
export const maxTextLength = 50_000

const Flag = Schema.Literals([0, 1, true, false])
const Message = Schema.Struct({
  id: ProviderId,
  provider_id: soft(ProviderId),
  chat_id: ProviderId,
  account_id: soft(Schema.String),
  sender_id: soft(ProviderId),
  text: soft(Schema.String),
  timestamp: Schema.Union([Schema.String, Schema.Number]),
  is_sender: Flag,
  is_event: soft(Flag),
  deleted: soft(Flag)
})

const messageOf = (row: typeof Message.Type): ConversationMessage | undefined => {
  const at = providerInstant(row.timestamp)
  if (at === undefined || row.is_event === 1 || row.is_event === true) return undefined
  const isOwn = row.is_sender === 1 || row.is_sender === true
  const isDeleted = row.deleted === 1 || row.deleted === true
  return {
    messageId: row.id,
    externalId: row.provider_id ?? null,
    chatId: row.chat_id,
    direction: isOwn ? "outbound" : "inbound",
    sender: row.sender_id === undefined ? null : personOf({ providerId: row.sender_id }),
    text: row.text === undefined || isDeleted ? null : storable(row.text, maxTextLength),
    at
  }
}

const RelationRow = Schema.Struct({
  member_id: ProviderId,
  ...softTexts("first_name", "last_name", "public_identifier", "public_profile_url", "member_urn"),
  created_at: soft(Schema.Number)
})

/** The lists of messages and relations of the gateway, page by page. */
export const inboxOf = (client: UnipileClient): Pick<Gateway, "listMessages" | "listRelations"> => ({
  listMessages: (account, { chatId, cursor, since }) =>
    Effect.gen(function* () {
      const account_id = account.gatewayAccountId
      const path = chatId === null ? ["messages"] : ["chats", chatId, "messages"]
      const query = {
        // A conversation belongs to one account already.
        account_id: chatId === null ? account_id : undefined,
        // The provider excludes messages of exactly this instant.
        after: isoFromMillis(Date.parse(since) - 1),
        limit: 250,
        cursor
      }
      const list = yield* client.read({ method: "GET", path, query }, List)
      const rows = rowsOf(Message, list.items)
      if (rows.length < list.items.length) {
        yield* Effect.logWarning(`Skipped ${list.items.length - rows.length} malformed messages of the provider.`)
      }
      const messages = rows
        .filter((row) => (row.account_id ?? account_id) === account_id)
        .flatMap((row) => messageOf(row) ?? [])
        .filter(({ at }) => at >= since)
      return { messages, next: nextOf(list) }
    }).pipe(Effect.mapError(failureOf)),
  // Newest first.
  listRelations: (account, { cursor, since }) =>
    Effect.gen(function* () {
      const query = { account_id: account.gatewayAccountId, limit: 100, cursor }
      const list = yield* client.read({ method: "GET", path: ["users", "relations"], query }, List)
      const relations = rowsOf(RelationRow, list.items).map((row) => ({
        person: personOf({
          providerId: row.member_id,
          slug: row.public_identifier,
          memberUrn: row.member_urn,
          fullName: `${row.first_name ?? ""} ${row.last_name ?? ""}`,
          url: row.public_profile_url
        }),
        connectedAt: providerInstant(row.created_at) ?? null
      }))
      const recent = relations.filter(({ connectedAt }) => connectedAt === null || connectedAt >= since)
      const oldest = relations.at(-1)?.connectedAt ?? null
      return { relations: recent, next: oldest !== null && oldest < since ? null : nextOf(list) }
    }).pipe(Effect.mapError(failureOf))
})
