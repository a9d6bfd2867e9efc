/** LinkedIn accounts of agents: the port. Every method sees one organization only. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { NotFound, StoreFailure, WrongState } from "../../kernel/failure/failures.ts"
import type { AccountId, AgentId, InstantText, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { AccountStatus, LinkedInAccount } from "./LinkedInAccount.ts"

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

/** Stores accounts. Fails with UNAVAILABLE when the store cannot be reached. */
export class AccountsRepo extends Context.Service<
  AccountsRepo,
  {
    /** Every live agent with its account at the gateway and that account's use, oldest agent first. */
    readonly list: (
      organizationId: OrganizationId,
      gateway: string,
      since: { readonly day: string; readonly week: string }
    ) => Effect.Effect<ReadonlyArray<AgentAccount & { readonly use: AccountUse }>, StoreFailure>
    /** One live agent, by its id, with its account at the gateway. */
    readonly ofAgent: (
      organizationId: OrganizationId,
      agentId: AgentId,
      gateway: string
    ) => Effect.Effect<AgentAccount | undefined, StoreFailure>
    /** Stores an account, unless it is stored already with its gateway. */
    readonly ensure: (account: LinkedInAccount) => Effect.Effect<void, StoreFailure>
    /** Whether an account at the provider is another organization's, or was until it was unlinked there. */
    readonly isForeign: (
      organizationId: OrganizationId,
      gateway: string,
      gatewayAccountId: string
    ) => Effect.Effect<boolean, StoreFailure>
    /**
     * Gives an agent an account, the one that was taken from it before where it is the same at the gateway; answers it as
     * stored. Fails with WRONG_STATE when the agent has an account or another agent has this one, and with NOT_FOUND when
     * it is another organization's; one that is linked nowhere is taken over where its owner logged in at the provider.
     */
    readonly link: (
      account: LinkedInAccount,
      proof: "id" | "login"
    ) => Effect.Effect<LinkedInAccount, StoreFailure | WrongState | NotFound>
    /** Takes an account from its agent; answers whether it had it. What was sent with it stays known. */
    readonly unlink: (account: LinkedInAccount, at: string) => Effect.Effect<boolean, StoreFailure>
    /** Takes every account from an agent. */
    readonly unlinkAgent: (
      organizationId: OrganizationId,
      agentId: AgentId,
      at: string
    ) => Effect.Effect<void, StoreFailure>
    /** Stores what the provider says of an account; answers it as it was when that changed something. */
    readonly saveFacts: (
      organizationId: OrganizationId,
      accountId: AccountId,
      facts: AccountFacts,
      at: string
    ) => Effect.Effect<LinkedInAccount | undefined, StoreFailure>
    /** Notes the health of a stored account; answers whether it changed. */
    readonly setStatus: (
      organizationId: OrganizationId,
      accountId: AccountId,
      status: AccountStatus,
      at: string
    ) => Effect.Effect<boolean, StoreFailure>
  }
>()("@svc/core/linkedin/AccountsRepo") {}
