/**
 * What a gateway reads: people, conversations and relations. Safe to repeat.
 *
 * Reads fail with USAGE_LIMIT, UNAVAILABLE, GATEWAY_ERROR, GATEWAY_REJECTED or GATEWAY_UNCONFIGURED, as a people search does.
 */

import * as Effect from "effect/Effect"
import type { NotFound } from "../../kernel/failure/failures.ts"
import type { InstantText } from "../../kernel/schema/IdsAndTime.ts"
import type { Identity } from "../../leads/identity/Identity.ts"
import { GatewayUnconfigured, type ProviderFailure } from "../failures.ts"
import type { LinkedInAccount } from "./LinkedInAccount.ts"
import type { Recipient } from "./SendResult.ts"

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

const unconfigured = Effect.fail(new GatewayUnconfigured())

/** A gateway that can read nothing. */
export const noReads: ProviderReads = {
  resolveProfile: () => unconfigured,
  findChat: () => unconfigured,
  listMessages: () => unconfigured,
  listRelations: () => unconfigured
}
