/** Whom a gateway writes to, and what became of it. A gateway never pretends: only `Confirmed` means that the provider took it. */
import type { InstantText, LeadId } from "../../kernel/schema/IdsAndTime.ts"
import type { Identity } from "../../leads/identity/Identity.ts"

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

/**
 * Why a provider refused. `limit` and `transient` pass by themselves; `not_connected` passes when the person accepts an
 * invitation; `already_connected` and `already_pending` are good news for an invitation; the others are final.
 */
export const refusalKinds = [
  "not_connected",
  "already_connected",
  "already_pending",
  "blocked",
  "unreachable",
  "limit",
  "credits",
  "account_down",
  "account_restricted",
  "invalid",
  "transient"
] as const

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
