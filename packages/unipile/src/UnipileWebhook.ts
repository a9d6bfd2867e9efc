/**
 * What the provider tells by webhook, in every form it was seen: messages, relations, account states (nested and flat),
 * the notification of a hosted link, and the newer envelope around any of them.
 *
 * The provider signs nothing. Whoever receives these must have checked the secret of the address or header before.
 *
 * Source: mission research 5.2, webhooks.
 */
import { type Failure, fail } from "@svc/core/Failure"
import type { InboundEvent } from "@svc/core/linkedin/bridge/InboundEvent"
import { ProviderId, soft, storable } from "@svc/core/linkedin/bridge/ProviderText"
import { quote } from "@svc/core/Quote"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { accountStatusOf } from "./accountStatusOf.ts"
import { instantOf, longestText } from "./UnipileInbox.ts"
import { isSamePerson, namedPerson } from "./UnipilePerson.ts"

const MessageReceived = Schema.Struct({
  account_id: ProviderId,
  account_info: soft(Schema.Struct({ user_id: soft(Schema.String) })),
  chat_id: ProviderId,
  message_id: ProviderId,
  provider_message_id: soft(ProviderId),
  message: soft(Schema.String),
  timestamp: Schema.Union([Schema.String, Schema.Number]),
  is_sender: soft(Schema.Boolean),
  sender: soft(
    Schema.Struct({
      attendee_provider_id: ProviderId,
      attendee_name: soft(Schema.String),
      attendee_profile_url: soft(Schema.String)
    })
  )
})
const RelationMade = Schema.Struct({
  account_id: ProviderId,
  user_provider_id: ProviderId,
  user_full_name: soft(Schema.String),
  user_public_identifier: soft(Schema.String),
  user_profile_url: soft(Schema.String),
  user_picture_url: soft(Schema.String)
})
const StatusChanged = Schema.Struct({
  account_id: ProviderId,
  message: soft(Schema.String),
  status: soft(Schema.String)
})
const LinkDone = Schema.Struct({ account_id: ProviderId, status: Schema.String, name: Schema.String })
const Enveloped = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^evt_[A-Za-z0-9_-]{1,200}$/)),
  type: Schema.String,
  account_id: soft(ProviderId),
  payload: Schema.Record(Schema.String, Schema.Unknown)
})
const Members = Schema.Record(Schema.String, Schema.Unknown)

const decodeMessage = Schema.decodeUnknownOption(MessageReceived)
const decodeRelation = Schema.decodeUnknownOption(RelationMade)
const decodeStatus = Schema.decodeUnknownOption(StatusChanged)
const decodeLinkDone = Schema.decodeUnknownOption(LinkDone)
const decodeEnvelope = Schema.decodeUnknownOption(Enveloped)
const decodeMembers = Schema.decodeUnknownOption(Members)

type Parsed = Result.Result<InboundEvent, Failure>

const unreadable = (what: string): Parsed =>
  Result.fail(
    fail("INVALID_INPUT", `The provider's ${what} lacks a member, or one has another type than documented. Ignore it.`)
  )

const nothing = (what: string): Parsed => Result.succeed({ _tag: "Nothing", what: quote(what, 60) })

const messageTold = (body: unknown): Parsed => {
  const told = Option.getOrUndefined(decodeMessage(body))
  const at = instantOf(told?.timestamp)
  if (told === undefined || at === undefined) return unreadable("message")
  const { sender } = told
  const own = told.account_info?.user_id
  // Own messages are told as well. Without a sender, or without knowing who we are, the direction is not known.
  if (told.is_sender === undefined && (sender === undefined || own === undefined)) return unreadable("message")
  const isOwn =
    told.is_sender ?? (sender !== undefined && own !== undefined && isSamePerson(sender.attendee_provider_id, own))
  return Result.succeed({
    _tag: "Message",
    gatewayAccountId: told.account_id,
    key: `message:${told.account_id}:${told.message_id}`,
    message: {
      messageId: told.message_id,
      externalId: told.provider_message_id ?? null,
      chatId: told.chat_id,
      direction: isOwn ? "outbound" : "inbound",
      sender:
        sender === undefined
          ? null
          : namedPerson({
              providerId: sender.attendee_provider_id,
              fullName: sender.attendee_name,
              url: sender.attendee_profile_url
            }),
      text: told.message === undefined ? null : storable(told.message, longestText),
      at
    }
  })
}

const relationTold = (body: unknown): Parsed => {
  const told = Option.getOrUndefined(decodeRelation(body))
  if (told === undefined) return unreadable("relation")
  return Result.succeed({
    _tag: "Relation",
    gatewayAccountId: told.account_id,
    key: `relation:${told.account_id}:${told.user_provider_id}`,
    person: namedPerson({
      providerId: told.user_provider_id,
      slug: told.user_public_identifier,
      fullName: told.user_full_name,
      url: told.user_profile_url,
      picture: told.user_picture_url
    })
  })
}

const statusTold = (body: unknown, eventId: string | undefined): Parsed => {
  const told = Option.getOrUndefined(decodeStatus(body))
  const word = told?.message ?? told?.status
  if (told === undefined || word === undefined) return unreadable("account status")
  const status = word.toUpperCase() === "DELETED" ? "DELETED" : accountStatusOf(word)
  if (status === undefined) return nothing(word)
  return Result.succeed({
    _tag: "AccountStatus",
    gatewayAccountId: told.account_id,
    key: eventId === undefined ? null : `event:${eventId}`,
    status
  })
}

const linkTold = (body: unknown): Parsed => {
  const told = Option.getOrUndefined(decodeLinkDone(body))
  if (told === undefined || told.name.length > 2_000) return unreadable("link notification")
  return Result.succeed({
    _tag: "AccountLinked",
    gatewayAccountId: told.account_id,
    key: null,
    state: storable(told.name, 2_000),
    isReconnection: told.status === "RECONNECTED"
  })
}

const text = (body: Readonly<Record<string, unknown>>, key: string): string | undefined => {
  const value = body[key]
  return typeof value === "string" ? value : undefined
}

const linkStatuses = new Set(["CREATION_SUCCESS", "RECONNECTED"])

const parseBody = (body: Readonly<Record<string, unknown>>, eventId: string | undefined): Parsed => {
  if (body["AccountStatus"] !== undefined) return statusTold(body["AccountStatus"], eventId)
  const event = text(body, "event")
  if (event === "message_received") return messageTold(body)
  if (event === "new_relation") return relationTold(body)
  if (event !== undefined) return nothing(event)
  if (text(body, "name") !== undefined && linkStatuses.has(text(body, "status") ?? "")) return linkTold(body)
  if (text(body, "account_id") !== undefined && text(body, "account_type") !== undefined) {
    return statusTold(body, eventId)
  }
  return unreadable("webhook")
}

// The newer names of the events above; whatever else comes in an envelope is nothing that we act on.
const eventNames: ReadonlyMap<string, string> = new Map([
  ["message.received", "message_received"],
  ["message.new", "message_received"],
  ["relation.new", "new_relation"]
])

/**
 * Reads the JSON body of a webhook. Fails with INVALID_INPUT for what is none of the provider's; events that are well
 * formed but nothing to us are `Nothing`. Never throws.
 */
export const parseWebhook = (payload: unknown): Parsed => {
  const body = Option.getOrUndefined(decodeMembers(payload))
  if (body === undefined || Array.isArray(payload)) return unreadable("webhook")
  const envelope = Option.getOrUndefined(decodeEnvelope(body))
  if (envelope === undefined) return parseBody(body, undefined)
  const account = envelope.account_id === undefined ? {} : { account_id: envelope.account_id }
  const inner = { ...account, ...envelope.payload }
  if (envelope.type.startsWith("account.")) {
    const status = text(inner, "status") ?? text(inner, "message") ?? envelope.type.slice("account.".length)
    return statusTold({ ...inner, message: status }, envelope.id)
  }
  const event = eventNames.get(envelope.type)
  return event === undefined ? nothing(envelope.type) : parseBody({ ...inner, event }, envelope.id)
}
