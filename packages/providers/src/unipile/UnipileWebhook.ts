/**
 * The provider's webhooks in all known forms: messages, relations, account statuses (nested and flat), the notification
 * of a hosted link, and the newer envelope around any of them.
 *
 * They are unsigned, so check the secret in the URL or header first.
 */

import { type EventId, InvalidInput, quote } from "@svc/core"
import { ProviderId, providerInstant, soft, softTexts, storable } from "@svc/core/internal"
import type { AccountStatus, InboundEvent } from "@svc/core/outreach"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readAs } from "../ProviderRead.ts"
import { maxTextLength } from "./UnipileInbox.ts"
import { isSamePerson, personOf } from "./UnipileProfile.ts"

const statuses: ReadonlyMap<string, AccountStatus> = new Map([
  ["OK", "OK"],
  ["CREATION_SUCCESS", "OK"],
  ["RECONNECTED", "OK"],
  ["SYNC_SUCCESS", "OK"],
  ["CONNECTING", "CONNECTING"],
  ["CREDENTIALS", "CREDENTIALS"],
  ["PERMISSIONS", "CREDENTIALS"],
  ["STOPPED", "STOPPED"],
  ["ERROR", "ERROR"],
  ["RESTRICTED", "RESTRICTED"]
])

/** Our status for one of the provider's; undefined for an unknown one. */
export const accountStatusOf = (word: string): AccountStatus | undefined =>
  statuses.get(word.slice(0, 40).toUpperCase())

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
    Schema.Struct({ attendee_provider_id: ProviderId, ...softTexts("attendee_name", "attendee_profile_url") })
  )
})
const RelationMade = Schema.Struct({
  account_id: ProviderId,
  user_provider_id: ProviderId,
  ...softTexts("user_full_name", "user_public_identifier", "user_profile_url", "user_picture_url")
})
const StatusChanged = Schema.Struct({ account_id: ProviderId, ...softTexts("message", "status") })
const AccountLinked = Schema.Struct({ account_id: ProviderId, status: Schema.String, name: Schema.String })
const Enveloped = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^evt_[A-Za-z0-9_-]{1,200}$/)),
  type: Schema.String,
  account_id: soft(ProviderId),
  payload: Schema.Record(Schema.String, Schema.Unknown)
})

type Parsed = Result.Result<InboundEvent, InvalidInput>

const unreadable = (what: string): Parsed =>
  Result.fail(
    new InvalidInput({
      message: `The provider's ${what} has a missing or malformed field. Ignore it.`
    })
  )

const ignored = (what: string): Parsed => Result.succeed({ _tag: "Nothing", what: quote(what, 60) })

const messageEvent = (body: unknown): Parsed => {
  const payload = readAs(MessageReceived, body)
  const at = providerInstant(payload?.timestamp)
  if (payload === undefined || at === undefined) return unreadable("message")
  const { sender } = payload
  const own = payload.account_info?.user_id
  // Own messages come too. Without the sender or our own id the direction is unknown.
  if (payload.is_sender === undefined && (sender === undefined || own === undefined)) return unreadable("message")
  const isOwn =
    payload.is_sender ?? (sender !== undefined && own !== undefined && isSamePerson(sender.attendee_provider_id, own))
  return Result.succeed({
    _tag: "Message",
    gatewayAccountId: payload.account_id,
    key: `message:${payload.account_id}:${payload.message_id}`,
    message: {
      messageId: payload.message_id,
      externalId: payload.provider_message_id ?? null,
      chatId: payload.chat_id,
      direction: isOwn ? "outbound" : "inbound",
      sender:
        sender === undefined
          ? null
          : personOf({
              providerId: sender.attendee_provider_id,
              fullName: sender.attendee_name,
              url: sender.attendee_profile_url
            }),
      text: payload.message === undefined ? null : storable(payload.message, maxTextLength),
      at
    }
  })
}

const relationEvent = (body: unknown): Parsed => {
  const payload = readAs(RelationMade, body)
  if (payload === undefined) return unreadable("relation")
  return Result.succeed({
    _tag: "Relation",
    gatewayAccountId: payload.account_id,
    key: `relation:${payload.account_id}:${payload.user_provider_id}`,
    person: personOf({
      providerId: payload.user_provider_id,
      slug: payload.user_public_identifier,
      fullName: payload.user_full_name,
      url: payload.user_profile_url,
      picture: payload.user_picture_url
    })
  })
}

const statusEvent = (body: unknown, eventId: EventId | undefined): Parsed => {
  const payload = readAs(StatusChanged, body)
  const word = payload?.message ?? payload?.status
  if (payload === undefined || word === undefined) return unreadable("account status")
  const status = word.toUpperCase() === "DELETED" ? "DELETED" : accountStatusOf(word)
  if (status === undefined) return ignored(word)
  return Result.succeed({
    _tag: "AccountStatus",
    gatewayAccountId: payload.account_id,
    key: eventId === undefined ? null : `event:${eventId}`,
    status
  })
}

const linkEvent = (body: unknown): Parsed => {
  const payload = readAs(AccountLinked, body)
  if (payload === undefined || payload.name.length > 2_000) return unreadable("link notification")
  return Result.succeed({
    _tag: "AccountLinked",
    gatewayAccountId: payload.account_id,
    key: null,
    state: storable(payload.name, 2_000),
    isReconnection: payload.status === "RECONNECTED"
  })
}

const text = (body: Readonly<Record<string, unknown>>, key: string): string | undefined => {
  const value = body[key]
  return typeof value === "string" ? value : undefined
}

const linkStatuses = new Set(["CREATION_SUCCESS", "RECONNECTED"])

const parseBody = (body: Readonly<Record<string, unknown>>, eventId: EventId | undefined): Parsed => {
  if (body["AccountStatus"] !== undefined) return statusEvent(body["AccountStatus"], eventId)
  const event = text(body, "event")
  if (event === "message_received") return messageEvent(body)
  if (event === "new_relation") return relationEvent(body)
  if (event !== undefined) return ignored(event)
  if (text(body, "name") !== undefined && linkStatuses.has(text(body, "status") ?? "")) return linkEvent(body)
  if (text(body, "account_id") !== undefined && text(body, "account_type") !== undefined) {
    return statusEvent(body, eventId)
  }
  return unreadable("webhook")
}

// The newer names of the events above; other enveloped events are ignored.
const eventNames: ReadonlyMap<string, string> = new Map([
  ["message.received", "message_received"],
  ["message.new", "message_received"],
  ["relation.new", "new_relation"]
])

/** Reads the JSON body of a webhook. Unknown but well-formed events are `Nothing`. Fails with INVALID_INPUT otherwise. */
export const parseWebhook = (payload: unknown): Parsed => {
  if (!Predicate.isReadonlyObject(payload)) return unreadable("webhook")
  const envelope = readAs(Enveloped, payload)
  if (envelope === undefined) return parseBody(payload, undefined)
  const account = envelope.account_id === undefined ? {} : { account_id: envelope.account_id }
  const inner = { ...account, ...envelope.payload }
  if (envelope.type.startsWith("account.")) {
    const status = text(inner, "status") ?? text(inner, "message") ?? envelope.type.slice("account.".length)
    return statusEvent({ ...inner, message: status }, envelope.id)
  }
  const event = eventNames.get(envelope.type)
  return event === undefined ? ignored(envelope.type) : parseBody({ ...inner, event }, envelope.id)
}
