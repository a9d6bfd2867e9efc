/**
 * The way to LinkedIn: one port, whoever carries the messages.
 *
 * A gateway never pretends: each write answers exactly one {@link SendResult}, and only `confirmed` means that the
 * provider took it. It is never called while a transaction is open, and a write is never repeated by the gateway itself.
 *
 * Source: mission research 5.1; contract section 1.9 and 7 "Simulated gateway", "Sending".
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Identity } from "../leads/identity/Identity.ts"
import type { LinkedInAccount, LinkedInTier } from "./LinkedInAccount.ts"

/** Whom a message goes to, as far as we know the person. */
export interface Recipient {
  readonly leadId: string
  /** Strongest first; may be empty. */
  readonly identities: ReadonlyArray<Identity>
  /** When an invitation from this account was confirmed, if one was. */
  readonly invitedAt: string | null
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
export type RefusalKind =
  | "not_connected"
  | "already_connected"
  | "already_pending"
  | "blocked"
  | "unreachable"
  | "limit"
  | "credits"
  | "account_down"
  | "account_restricted"
  | "invalid"
  | "transient"

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
export interface Unknown {
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

/**
 * A person found by a search. Absent tokens are unknown, of the first two there is at least one; `degree` is 1 to 3, or
 * null out of network.
 */
export interface FoundPerson {
  readonly profileToken?: string
  readonly salesNavToken?: string
  readonly memberId?: string
  readonly publicSlug: string | null
  readonly firstName: string
  readonly lastName: string
  readonly headline: string
  readonly jobTitle: string
  readonly company: string
  readonly location: string
  readonly profileUrl: string
  readonly pictureUrl: string | null
  readonly degree: number | null
}

/** A page of a people search. `next` is null after the last page; `total` is what the provider says there are. */
export interface PeoplePage {
  readonly people: ReadonlyArray<FoundPerson>
  readonly next: string | null
  readonly total: number
}

/** What an agent's account is when a gateway brings one along without linking. */
export interface AutomaticAccount {
  readonly gatewayAccountId: string
  readonly tier: LinkedInTier
  readonly features: ReadonlyArray<string>
}

/** Carries messages, invitations and searches to LinkedIn. */
export class LinkedInGateway extends Context.Service<
  LinkedInGateway,
  {
    /** Stable name, kept with each linked account: `simulator`, `manual`, `unipile`, `http`. */
    readonly name: string
    /** True where people send what was approved and confirm it with linkedin.queue.resolve; nothing leaves by itself. */
    readonly isByHand?: boolean
    /** The account that every agent has without linking one; undefined where accounts must be linked. */
    readonly automaticAccount: (agent: { readonly id: string }) => AutomaticAccount | undefined
    /** How account and person stand: a read, safe to repeat. */
    readonly relation: (account: LinkedInAccount, recipient: Recipient) => Effect.Effect<RelationResult>
    /** Writes into a conversation. */
    readonly sendToChat: (
      account: LinkedInAccount,
      delivery: Delivery & { readonly chatId: string; readonly text: string }
    ) => Effect.Effect<SendResult>
    /** Writes to a relation without a known conversation. */
    readonly startChat: (
      account: LinkedInAccount,
      delivery: Delivery & { readonly text: string }
    ) => Effect.Effect<SendResult>
    /** Asks a person to connect; `note` has at most 300 UTF-16 units. */
    readonly sendInvitation: (
      account: LinkedInAccount,
      delivery: Delivery & { readonly note: string | null }
    ) => Effect.Effect<SendResult>
    /**
     * One page of a people search by the address of that search; `cursor` is the `next` of the page before, null for the
     * first. Fails with GATEWAY_ERROR, GATEWAY_REJECTED, USAGE_LIMIT or UNAVAILABLE; trying again is safe.
     */
    readonly searchPeople: (
      account: LinkedInAccount,
      search: { readonly url: string; readonly cursor: string | null; readonly limit: number }
    ) => Effect.Effect<PeoplePage, Failure>
  }
>()("@svc/core/linkedin/LinkedInGateway") {}
