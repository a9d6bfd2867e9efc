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
}

/** How often an account did something since an instant; only what the provider confirmed counts. */
export interface AccountUse {
  readonly messagesDay: number
  readonly invitationsDay: number
  readonly invitationsWeek: number
}

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
    /** Notes the health of a stored account; answers whether it changed. */
    readonly setStatus: (
      organizationId: string,
      accountId: string,
      status: AccountStatus,
      at: string
    ) => Effect.Effect<boolean, Failure>
  }
>()("@svc/core/linkedin/AccountsRepo") {}
