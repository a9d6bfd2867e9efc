/** What comes in from LinkedIn, and where it belongs: the port. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { AccountId, LeadId, MessageId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"

/** A message of ours that is stored. `externalId` is null where the provider confirmed it without saying one. */
interface SentMessage {
  readonly id: MessageId
  readonly content: string
  readonly externalId: string | null
}

/** An account whose conversations are to be read, and from when on. Instants are ISO texts. */
export interface InboxPoll {
  readonly account: LinkedInAccount
  readonly messagesSince: string
  readonly relationsSince: string
}

/** Which accounts to read. `pauseSeconds` is until they are due again, whatever becomes of the reading. */
interface PollRequest {
  readonly organizationId: OrganizationId | undefined
  readonly gateway: string
  readonly now: string
  readonly pauseSeconds: number
  readonly limit: number
}

/**
 * Finds accounts, leads and messages for what came in. Fails with UNAVAILABLE when the store cannot be reached. Tokens come
 * from strangers and polls are the worker's, so `tokenOwner` and `takePolls` alone look across organizations.
 */
export class InboxRepo extends Context.Service<
  InboxRepo,
  {
    /** The organization to which a webhook token belongs, by the token's SHA-256. */
    readonly tokenOwner: (gateway: string, tokenHash: string) => Effect.Effect<string | undefined, StoreFailure>
    /** Remembers the SHA-256 of an organization's token; one that is known stays. */
    readonly saveToken: (
      organizationId: OrganizationId,
      gateway: string,
      tokenHash: string
    ) => Effect.Effect<void, StoreFailure>
    /** The linked account of a live agent with this id at the gateway. */
    readonly accountAt: (
      organizationId: OrganizationId,
      gateway: string,
      gatewayAccountId: string
    ) => Effect.Effect<LinkedInAccount | undefined, StoreFailure>
    /** The lead of a conversation that an account is known to have. */
    readonly leadOfChat: (
      organizationId: OrganizationId,
      accountId: AccountId,
      chatId: string
    ) => Effect.Effect<string | undefined, StoreFailure>
    /** Which of these ids LinkedIn messages are stored under. */
    readonly knownMessages: (
      organizationId: OrganizationId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreFailure>
    /** The outbound LinkedIn messages of a lead between two instants, oldest first. */
    readonly sentBetween: (
      organizationId: OrganizationId,
      leadId: LeadId,
      from: string,
      until: string
    ) => Effect.Effect<ReadonlyArray<SentMessage>, StoreFailure>
    /** Gives a message its id at the provider, unless it has one. */
    readonly setExternalId: (
      organizationId: OrganizationId,
      messageId: string,
      externalId: string
    ) => Effect.Effect<void, StoreFailure>
    /** Lets the dispatcher look now at what waits for the relation of account and lead. */
    readonly wake: (
      organizationId: OrganizationId,
      accountId: AccountId,
      leadId: LeadId,
      at: string
    ) => Effect.Effect<void, StoreFailure>
    /** Takes linked accounts of live agents that are due, longest due first: no two processes get the same. */
    readonly takePolls: (request: PollRequest) => Effect.Effect<ReadonlyArray<InboxPoll>, StoreFailure>
    /** Notes up to when an account was read. */
    readonly savePoll: (
      organizationId: OrganizationId,
      accountId: AccountId,
      read: Pick<InboxPoll, "messagesSince" | "relationsSince">
    ) => Effect.Effect<void, StoreFailure>
    /** Makes an account due now. */
    readonly pollNow: (
      organizationId: OrganizationId,
      accountId: AccountId,
      at: string
    ) => Effect.Effect<void, StoreFailure>
  }
>()("@svc/core/linkedin/InboxRepo") {}
