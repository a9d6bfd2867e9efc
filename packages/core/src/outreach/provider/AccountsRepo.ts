/** LinkedIn accounts of agents, and what comes in through them: the port. */

import * as Context from "effect/Context"
import type { NotFound, StoreEffect, StoreMethod, WrongState } from "../../kernel/failure/failures.ts"
import type {
  AccountId,
  AgentId,
  InstantText,
  LeadId,
  MessageId,
  OrganizationId
} from "../../kernel/schema/IdsAndTime.ts"
import type { LinkedInAccount } from "./LinkedInAccount.ts"

/** What an account is shown with of its agent. */
export interface AccountHolder {
  readonly id: AgentId
  readonly handle: string
  readonly name: string
  readonly linkedinUrl: string
  readonly createdAt: InstantText
}

/** A live agent and its account at one gateway, if it is stored. */
export interface AgentAccount {
  readonly agent: AccountHolder
  readonly account: LinkedInAccount | null
  /** True when an account was taken from the agent: then it has not even the one that its gateway brings along. */
  readonly isUnlinked: boolean
}

/** How often an account did something since an instant; only what the provider confirmed counts. */
export interface AccountUse {
  readonly messagesDay: number
  readonly invitationsDay: number
  readonly invitationsWeek: number
}

/** What a provider says of an account. */
export type AccountFacts = Pick<LinkedInAccount, "status" | "tier" | "features">

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
  readonly organizationId: OrganizationId
  readonly gateway: string
  readonly now: string
  readonly pauseSeconds: number
  readonly limit: number
}

/**
 * Stores accounts, and finds accounts, leads and messages for what came in. Fails with UNAVAILABLE when the store cannot be
 * reached. Tokens come from strangers, so `tokenOwner` alone looks across organizations.
 */
export class AccountsRepo extends Context.Service<
  AccountsRepo,
  {
    /** Every live agent with its account at the gateway and that account's use, oldest agent first. */
    readonly list: StoreMethod<
      [gateway: string, since: { readonly day: string; readonly week: string }],
      ReadonlyArray<AgentAccount & { readonly use: AccountUse }>
    >
    /** One live agent, by its id, with its account at the gateway. */
    readonly ofAgent: StoreMethod<[agentId: AgentId, gateway: string], AgentAccount | undefined>
    /** Stores an account, unless it is stored already with its gateway. */
    readonly ensure: (account: LinkedInAccount) => StoreEffect<void>
    /** Whether an account at the provider is another organization's, or was until it was unlinked there. */
    readonly isForeign: StoreMethod<[gateway: string, gatewayAccountId: string], boolean>
    /**
     * Gives an agent an account, the one that was taken from it before where it is the same at the gateway; answers it as
     * stored. Fails with WRONG_STATE when the agent has an account or another agent has this one, and with NOT_FOUND when
     * it is another organization's; one that is linked nowhere is taken over where its owner logged in at the provider.
     */
    readonly link: (
      account: LinkedInAccount,
      proof: "id" | "login"
    ) => StoreEffect<LinkedInAccount, WrongState | NotFound>
    /** Takes an account from its agent; answers whether it had it. What was sent with it stays known. */
    readonly unlink: (account: LinkedInAccount, at: string) => StoreEffect<boolean>
    /** Takes every account from an agent. */
    readonly unlinkAgent: StoreMethod<[agentId: AgentId, at: string], void>
    /** Stores what the provider says of a linked account; answers it as it was when that changed something. */
    readonly saveFacts: StoreMethod<
      [accountId: AccountId, facts: Partial<AccountFacts>, at: string],
      LinkedInAccount | undefined
    >
    /** The organization to which a webhook token belongs, by the token's SHA-256. */
    readonly tokenOwner: (gateway: string, tokenHash: string) => StoreEffect<string | undefined>
    /** Remembers the SHA-256 of an organization's token; one that is known stays. */
    readonly saveToken: StoreMethod<[gateway: string, tokenHash: string], void>
    /** The linked account of a live agent with this id at the gateway. */
    readonly accountAt: StoreMethod<[gateway: string, gatewayAccountId: string], LinkedInAccount | undefined>
    /** The lead of a conversation that an account is known to have. */
    readonly leadOfChat: StoreMethod<[accountId: AccountId, chatId: string], string | undefined>
    /** Which of these ids LinkedIn messages are stored under. */
    readonly knownMessages: StoreMethod<[externalIds: ReadonlyArray<string>], ReadonlySet<string>>
    /** The outbound LinkedIn messages of a lead between two instants, oldest first. */
    readonly sentBetween: StoreMethod<[leadId: LeadId, from: string, until: string], ReadonlyArray<SentMessage>>
    /** Gives a message its id at the provider, unless it has one. */
    readonly setExternalId: StoreMethod<[messageId: string, externalId: string], void>
    /** Lets the dispatcher look now at what waits for the relation of account and lead. */
    readonly wake: StoreMethod<[accountId: AccountId, leadId: LeadId, at: string], void>
    /** Takes linked accounts of live agents that are due, longest due first: no two processes get the same. */
    readonly takePolls: (request: PollRequest) => StoreEffect<ReadonlyArray<InboxPoll>>
    /** Notes up to when an account was read. */
    readonly savePoll: StoreMethod<
      [accountId: AccountId, read: Pick<InboxPoll, "messagesSince" | "relationsSince">],
      void
    >
    /** Makes an account due now. */
    readonly pollNow: StoreMethod<[accountId: AccountId, at: string], void>
  }
>()("@svc/core/outreach/AccountsRepo") {}
