/** What comes in from LinkedIn, and where it belongs: the port. Source: issue 4, inbound; mission research 5.2. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import type { LinkedInAccount } from "../LinkedInAccount.ts"

/** A message of ours that is stored. `externalId` is null where the provider confirmed it without saying one. */
export interface SentMessage {
  readonly id: string
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
export interface PollRequest {
  readonly organizationId: string | undefined
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
    readonly tokenOwner: (gateway: string, tokenHash: string) => Effect.Effect<string | undefined, Failure>
    /** Remembers the SHA-256 of an organization's token; one that is known stays. */
    readonly keepToken: (
      organizationId: string,
      gateway: string,
      tokenHash: string,
      at: string
    ) => Effect.Effect<void, Failure>
    /** The linked account of a live agent with this id at the gateway. */
    readonly accountAt: (
      organizationId: string,
      gateway: string,
      gatewayAccountId: string
    ) => Effect.Effect<LinkedInAccount | undefined, Failure>
    /** The lead of a conversation that an account is known to have. */
    readonly leadOfChat: (
      organizationId: string,
      accountId: string,
      chatId: string
    ) => Effect.Effect<string | undefined, Failure>
    /** Which of these ids LinkedIn messages are stored under. */
    readonly knownMessages: (
      organizationId: string,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, Failure>
    /** The outbound LinkedIn messages of a lead between two instants, oldest first. */
    readonly sentBetween: (
      organizationId: string,
      leadId: string,
      from: string,
      until: string
    ) => Effect.Effect<ReadonlyArray<SentMessage>, Failure>
    /** Gives a message its id at the provider, unless it has one. */
    readonly nameMessage: (
      organizationId: string,
      messageId: string,
      externalId: string
    ) => Effect.Effect<void, Failure>
    /** Lets the dispatcher look now at what waits for the relation of account and lead. */
    readonly wake: (
      organizationId: string,
      accountId: string,
      leadId: string,
      at: string
    ) => Effect.Effect<void, Failure>
    /** Takes linked accounts of live agents that are due, longest due first: no two processes get the same. */
    readonly takePolls: (request: PollRequest) => Effect.Effect<ReadonlyArray<InboxPoll>, Failure>
    /** Notes up to when an account was read. */
    readonly savePoll: (
      organizationId: string,
      accountId: string,
      read: Pick<InboxPoll, "messagesSince" | "relationsSince">
    ) => Effect.Effect<void, Failure>
    /** Makes an account due now. */
    readonly pollNow: (organizationId: string, accountId: string, at: string) => Effect.Effect<void, Failure>
  }
>()("@svc/core/linkedin/InboxRepo") {}
