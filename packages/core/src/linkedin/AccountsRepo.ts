/** LinkedIn accounts of agents: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { AccountStatus, LinkedInAccount } from "./LinkedInAccount.ts"

/** What an account is shown with of its agent. */
export interface AccountHolder {
  readonly id: string
  readonly handle: string
  readonly name: string
  readonly linkedinUrl: string
  readonly createdAt: string
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
      organizationId: string,
      gateway: string,
      since: { readonly day: string; readonly week: string }
    ) => Effect.Effect<ReadonlyArray<AgentAccount & { readonly use: AccountUse }>, Failure>
    /** One live agent, by its id, with its account at the gateway. */
    readonly ofAgent: (
      organizationId: string,
      agentId: string,
      gateway: string
    ) => Effect.Effect<AgentAccount | undefined, Failure>
    /** Stores an account, unless it is stored already with its gateway. */
    readonly ensure: (account: LinkedInAccount) => Effect.Effect<void, Failure>
    /**
     * Gives an agent an account, the one that was taken from it before where it is the same at the gateway; answers it as
     * stored. Fails with WRONG_STATE when the agent has an account or another agent has this one, and with NOT_FOUND when
     * another organization has it.
     */
    readonly link: (account: LinkedInAccount) => Effect.Effect<LinkedInAccount, Failure>
    /** Takes an account from its agent; answers whether it had it. What was sent with it stays known. */
    readonly unlink: (account: LinkedInAccount, at: string) => Effect.Effect<boolean, Failure>
    /** Stores what the provider says of an account; answers it as it was when that changed something. */
    readonly saveFacts: (
      organizationId: string,
      accountId: string,
      facts: AccountFacts,
      at: string
    ) => Effect.Effect<LinkedInAccount | undefined, Failure>
    /** Notes the health of a stored account; answers whether it changed. */
    readonly setStatus: (
      organizationId: string,
      accountId: string,
      status: AccountStatus,
      at: string
    ) => Effect.Effect<boolean, Failure>
  }
>()("@svc/core/linkedin/AccountsRepo") {}
