/**
 * What a provider tells us by itself, in words that name no provider.
 *
 * Every event may come twice, late, or not at all. `key` is equal for two tellings of one thing, and null where the
 * provider gives nothing to tell them apart; then the event must be harmless when it is repeated.
 *
 * Source: mission research 5.2, webhooks; issue 4, inbound.
 */
import type { AccountStatus } from "../LinkedInAccount.ts"
import type { ConversationMessage, NamedPerson } from "./GatewayAdditions.ts"

interface Told {
  readonly gatewayAccountId: string
  readonly key: string | null
}

/** Somebody wrote: the account's owner too (direction `outbound`), from any device. */
export interface MessageTold extends Told {
  readonly _tag: "Message"
  readonly message: ConversationMessage
}

/** A person and the account are connected now. */
export interface RelationTold extends Told {
  readonly _tag: "Relation"
  readonly person: NamedPerson
}

/** The account's health changed; `DELETED` when the provider no longer has it. */
export interface AccountStatusTold extends Told {
  readonly _tag: "AccountStatus"
  readonly status: AccountStatus | "DELETED"
}

/** Somebody went through a hosted link. `state` is ours, and the only proof of who asked for the link. */
export interface AccountLinkedTold extends Told {
  readonly _tag: "AccountLinked"
  readonly state: string
  readonly isReconnection: boolean
}

/** Well formed, and nothing that we act on. `what` names it, with at most 100 characters. */
export interface NothingTold {
  readonly _tag: "Nothing"
  readonly what: string
}

/** Any of them. */
export type InboundEvent = MessageTold | RelationTold | AccountStatusTold | AccountLinkedTold | NothingTold
