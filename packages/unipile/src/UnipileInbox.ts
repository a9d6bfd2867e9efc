/**
 * Reading messages and relations: the safety net below the webhooks.
 *
 * Source: mission research 5.2; issue 4, inbound.
 */
import type { Failure } from "@svc/core/Failure"
import { fail } from "@svc/core/Failure"
import type {
  ConversationMessage,
  MessagePage,
  MessageQuery,
  RelationPage,
  RelationQuery
} from "@svc/core/linkedin/bridge/GatewayAdditions"
import { ProviderId, rowsOf, soft, storable } from "@svc/core/linkedin/bridge/ProviderText"
import type { LinkedInAccount } from "@svc/core/linkedin/LinkedInAccount"
import { isoFromMillis } from "@svc/core/Time"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { asFailure } from "./readFailure.ts"
import type { UnipileClient } from "./UnipileClient.ts"
import { namedPerson } from "./UnipilePerson.ts"

/** The most text of one message that is kept, in UTF-16 units. */
export const longestText = 50_000

const earliest = Date.parse("2000-01-01T00:00:00Z")
const latest = Date.parse("2200-01-01T00:00:00Z")

/** An instant as the provider writes one (ISO 8601, or milliseconds), as ours; undefined when it is none of this age. */
export const instantOf = (given: string | number | undefined): string | undefined => {
  if (given === undefined) return undefined
  const millis = typeof given === "number" ? given : Date.parse(given.slice(0, 40))
  return millis >= earliest && millis <= latest ? isoFromMillis(Math.floor(millis)) : undefined
}

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
const List = Schema.Struct({
  items: Schema.Array(Schema.Unknown),
  cursor: Schema.optionalKey(Schema.NullOr(Schema.String))
})
const decodeList = Schema.decodeUnknownOption(List)

const messageOf = (row: typeof Message.Type): ConversationMessage | undefined => {
  const at = instantOf(row.timestamp)
  if (at === undefined || row.is_event === 1 || row.is_event === true) return undefined
  const isOwn = row.is_sender === 1 || row.is_sender === true
  const isDeleted = row.deleted === 1 || row.deleted === true
  return {
    messageId: row.id,
    externalId: row.provider_id ?? null,
    chatId: row.chat_id,
    direction: isOwn ? "outbound" : "inbound",
    sender: row.sender_id === undefined ? null : namedPerson({ providerId: row.sender_id }),
    text: row.text === undefined || isDeleted ? null : storable(row.text, longestText),
    at
  }
}

const nextOf = ({ cursor, items }: typeof List.Type): string | null =>
  cursor === undefined || cursor === null || cursor === "" || cursor.length > 8_000 || items.length === 0
    ? null
    : cursor

/** A page of messages. */
export const listMessages = (
  client: UnipileClient,
  account: LinkedInAccount,
  { chatId, since, cursor }: MessageQuery
): Effect.Effect<MessagePage, Failure> =>
  Effect.gen(function* () {
    const account_id = account.gatewayAccountId
    const end = yield* client.read({
      method: "GET",
      path: chatId === null ? ["messages"] : ["chats", chatId, "messages"],
      query: {
        // A conversation belongs to one account already.
        account_id: chatId === null ? account_id : undefined,
        // The provider leaves out what is exactly as old.
        after: isoFromMillis(Date.parse(since) - 1),
        limit: 250,
        cursor: cursor ?? undefined
      }
    })
    if (end._tag !== "Found") return yield* asFailure(end)
    const list = Option.getOrUndefined(decodeList(end.body))
    if (list === undefined)
      return yield* fail("GATEWAY_ERROR", "The provider did not answer messages. Try again later.")
    const rows = rowsOf(Message, list.items)
    if (rows.length < list.items.length) {
      yield* Effect.logWarning(`${list.items.length - rows.length} messages of the provider cannot be understood.`)
    }
    const messages = rows
      .filter((row) => (row.account_id ?? account_id) === account_id)
      .flatMap((row) => messageOf(row) ?? [])
      .filter(({ at }) => at >= since)
    return { messages, next: nextOf(list) }
  })

const RelationRow = Schema.Struct({
  member_id: ProviderId,
  first_name: soft(Schema.String),
  last_name: soft(Schema.String),
  public_identifier: soft(Schema.String),
  public_profile_url: soft(Schema.String),
  member_urn: soft(Schema.String),
  created_at: soft(Schema.Number)
})

/** A page of relations, newest first. */
export const listRelations = (
  client: UnipileClient,
  account: LinkedInAccount,
  { since, cursor }: RelationQuery
): Effect.Effect<RelationPage, Failure> =>
  Effect.gen(function* () {
    const end = yield* client.read({
      method: "GET",
      path: ["users", "relations"],
      query: { account_id: account.gatewayAccountId, limit: 100, cursor: cursor ?? undefined }
    })
    if (end._tag !== "Found") return yield* asFailure(end)
    const list = Option.getOrUndefined(decodeList(end.body))
    if (list === undefined) {
      return yield* fail("GATEWAY_ERROR", "The provider did not answer relations. Try again later.")
    }
    const relations = rowsOf(RelationRow, list.items).map((row) => ({
      person: namedPerson({
        providerId: row.member_id,
        slug: row.public_identifier,
        memberUrn: row.member_urn,
        fullName: `${row.first_name ?? ""} ${row.last_name ?? ""}`,
        url: row.public_profile_url
      }),
      connectedAt: instantOf(row.created_at) ?? null
    }))
    const recent = relations.filter(({ connectedAt }) => connectedAt === null || connectedAt >= since)
    const oldest = relations.at(-1)?.connectedAt ?? null
    return { relations: recent, next: oldest !== null && oldest < since ? null : nextOf(list) }
  })
