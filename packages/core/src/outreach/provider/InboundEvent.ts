/**
 * Events from a provider's webhooks, independent of the provider.
 *
 * Each event may arrive twice, late, or not at all. `key` is equal for repeated deliveries of an event, and null when the
 * provider has no id for it; handling it twice must then be harmless.
 */

import type { AccountStatus } from "./LinkedInAccount.ts"
import type { ConversationMessage, NamedPerson } from "./ProviderReads.ts"

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
