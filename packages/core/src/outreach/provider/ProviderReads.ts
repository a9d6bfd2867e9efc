/**
 * What a gateway reads: people, conversations and relations. Safe to repeat.
 *
 * Reads fail with USAGE_LIMIT, UNAVAILABLE, GATEWAY_ERROR, GATEWAY_REJECTED or GATEWAY_UNCONFIGURED, as a people search does.
 */

import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { InvalidInput, NotFound } from "../../kernel/failure/failures.ts"
import type { InstantText, LeadId } from "../../kernel/schema/IdsAndTime.ts"
import type { Identity } from "../../leads/identity/Identity.ts"
import type { ProviderFailure } from "../failures.ts"
import type { AccountFacts } from "./AccountsRepo.ts"
import type { AccountStatus, LinkedInAccount, refusalKinds } from "./LinkedInAccount.ts"

/** Whom a message goes to. */
export interface Recipient {
  readonly leadId: LeadId
  /** The one that was approved; for reading a conversation all that are known, strongest first. May be empty. */
  readonly identities: ReadonlyArray<Identity>
  /** When an invitation from this account was confirmed, if one was. */
  readonly invitedAt: InstantText | null
}

/** How the account and a person stand. `chatId` is a conversation that exists already. */
export interface Relation {
  readonly connected: boolean
  readonly chatId: string | null
  readonly invitation: "none" | "pending"
}

/** See {@link refusalKinds}. */
export type RefusalKind = (typeof refusalKinds)[number]

/** The provider said no. `retryAfterSeconds` is its own advice, null when it gave none. */
export interface Refused {
  readonly _tag: "Refused"
  readonly kind: RefusalKind
  readonly providerCode: string
  readonly retryAfterSeconds: number | null
}

/** Nothing was asked of the provider, or it said so itself (503): trying again is safe. */
export interface Unavailable {
  readonly _tag: "Unavailable"
  readonly detail: string
}

/** The provider took it. `messageId` is the gateway's own id, `externalId` LinkedIn's; both may be unknown. */
export interface Confirmed {
  readonly _tag: "Confirmed"
  readonly messageId: string | null
  readonly externalId: string | null
}

/** It may have happened: the connection broke after the body was sent, or the provider failed while it worked. */
interface Unknown {
  readonly _tag: "Unknown"
  readonly detail: string
}

/** What became of a write. */
export type SendResult = Confirmed | Refused | Unavailable | Unknown

/** What a look at a relation found. */
export type RelationResult = { readonly _tag: "Known"; readonly relation: Relation } | Refused | Unavailable

/** A write and its key, which is the same for every try of one queue item: for providers that refuse repetitions. */
export interface Delivery {
  readonly recipient: Recipient
  readonly idempotencyKey: string
}

/** A person as a provider names one. `fullName` and addresses may be empty or null; identities may be empty. */
export interface NamedPerson {
  /** The provider's id of the person, for further calls with the same account. */
  readonly providerId: string
  /** Given identities only; what can be derived from a token is left to whoever stores them. */
  readonly identities: ReadonlyArray<Identity>
  readonly fullName: string
  readonly profileUrl: string | null
  readonly pictureUrl: string | null
}

/** A person looked up. `degree` is 1 to 3, null out of network or unknown; `connected` is undefined when not said. */
export interface ResolvedProfile extends NamedPerson {
  readonly headline: string
  readonly degree: number | null
  readonly connected: boolean | undefined
  readonly invitation: "none" | "pending" | "received"
}

/** A message of a conversation. `sender` is null where the provider did not say who wrote it. */
export interface ConversationMessage {
  readonly messageId: string
  readonly externalId: string | null
  readonly chatId: string
  readonly direction: "inbound" | "outbound"
  readonly sender: NamedPerson | null
  /** Null where the message has no text (an attachment, a reaction, an event). At most 50,000 UTF-16 units. */
  readonly text: string | null
  readonly at: string
}

/** A page of messages. `next` is null after the last page. */
export interface MessagePage {
  readonly messages: ReadonlyArray<ConversationMessage>
  readonly next: string | null
}

/** A person who is connected with the account, and since when, as far as it is known. */
export interface NewRelation {
  readonly person: NamedPerson
  readonly connectedAt: InstantText | null
}

/** A page of relations, newest first. `next` is null after the last page and as soon as all the rest is older. */
export interface RelationPage {
  readonly relations: ReadonlyArray<NewRelation>
  readonly next: string | null
}

/** Which messages: of one conversation or of all, not older than `since`, a page at a time. */
export interface MessageQuery {
  readonly chatId: string | null
  readonly since: string
  readonly cursor: string | null
}

/** Which relations. */
export interface RelationQuery {
  readonly since: string
  readonly cursor: string | null
}

/** The reading functions of a gateway. */
export interface ProviderReads {
  /** Looks up a person by the strongest identity that the provider understands; NOT_FOUND when it knows nobody. */
  readonly resolveProfile: (
    account: LinkedInAccount,
    identities: ReadonlyArray<Identity>
  ) => Effect.Effect<ResolvedProfile, NotFound | ProviderFailure>
  /** The conversation with a person, null when there is none that can be written to. */
  readonly findChat: (account: LinkedInAccount, recipient: Recipient) => Effect.Effect<string | null, ProviderFailure>
  /** Messages not older than an instant, in the provider's order. */
  readonly listMessages: (account: LinkedInAccount, query: MessageQuery) => Effect.Effect<MessagePage, ProviderFailure>
  /** Relations made since an instant. */
  readonly listRelations: (
    account: LinkedInAccount,
    query: RelationQuery
  ) => Effect.Effect<RelationPage, ProviderFailure>
}

interface EventBase {
  readonly gatewayAccountId: string
  readonly key: string | null
}

/** A message from the person or, `outbound`, from the account's owner on any device. */
interface MessageEvent extends EventBase {
  readonly _tag: "Message"
  readonly message: ConversationMessage
}

/** A person and the account are connected now. */
interface RelationEvent extends EventBase {
  readonly _tag: "Relation"
  readonly person: NamedPerson
}

/** The account's health changed; `DELETED` when the provider no longer has it. */
interface AccountStatusEvent extends EventBase {
  readonly _tag: "AccountStatus"
  readonly status: AccountStatus | "DELETED"
}

/** An account was connected through a hosted link. `state` is ours, and the only proof of who requested the link. */
interface AccountLinkedEvent extends EventBase {
  readonly _tag: "AccountLinked"
  readonly state: string
  readonly isReconnection: boolean
}

/** A valid event without effect. `what` names it, with at most 100 characters. */
interface IgnoredEvent {
  readonly _tag: "Nothing"
  readonly what: string
}

export type InboundEvent = MessageEvent | RelationEvent | AccountStatusEvent | AccountLinkedEvent | IgnoredEvent

/** A page on which a person connects an account. `state` comes back with the notification, which nobody signs. */
interface ConnectRequest {
  readonly state: string
  readonly expiresAt: InstantText
  readonly notifyUrl: string
  /** The provider's id of an account to connect again; null for a new one. */
  readonly reconnect: string | null
}

/**
 * What a provider offers; one that offers none of it has its accounts linked by their id, and its conversations polled. Reads fail
 * as a people search does, and with NOT_FOUND for an account that is not there.
 */
export interface ProviderAccounts {
  /** What the provider says of an account; undefined where it cannot be asked. */
  readonly find?: ((gatewayAccountId: string) => Effect.Effect<AccountFacts, NotFound | ProviderFailure>) | undefined
  /** Makes a page for connecting an account and answers its address. */
  readonly connectLink?: ((request: ConnectRequest) => Effect.Effect<string, ProviderFailure>) | undefined
  /** Asks the provider to tell what happens to an account at an address of ours; repeating it changes nothing. */
  readonly subscribe?:
    | ((gatewayAccountId: string, url: string) => Effect.Effect<void, NotFound | ProviderFailure>)
    | undefined
  /** Reads what the provider told. Fails with INVALID_INPUT for what is none of the provider's; never throws. */
  readonly readEvent?: ((payload: unknown) => Result.Result<InboundEvent, InvalidInput>) | undefined
}
